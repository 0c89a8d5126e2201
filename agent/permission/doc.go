// Package permission decides whether a call of a tool may run.
package permission
