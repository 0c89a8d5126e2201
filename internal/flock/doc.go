// Package flock locks a file against other processes. The system gives the lock
// up when the process ends, however it ends, so a killed process leaves
// nothing to clean up. The lock file itself stays: removing it would let two
// processes lock two files of the same name.
package flock
