// Package token is the one tokenizer of index and query.
package token
