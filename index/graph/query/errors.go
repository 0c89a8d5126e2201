package query

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError is a query that cannot be understood, or asks for something
// outside of the subset. Line and Column are 1-based, columns count characters.
type SyntaxError struct {
	Line, Column int
	Offset       int    // in bytes
	Construct    string // what is outside of the subset, as written; else empty
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("query:%d:%d: %s", e.Line, e.Column, e.Message)
}

// LimitError is a query stopped by a limit with nothing true to show: one that
// sorts, aggregates or counts needs all of its rows.
type LimitError struct {
	Limit string // "time", "steps", "memory"
	Value string // of the limit, with its unit
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("query stopped at its limit of %s: narrow it with a name, a label, a relationship type or a shorter path, or raise the limit", e.Value)
}

// EvalError is an expression that has no value for some row.
type EvalError struct {
	Line, Column int
	Message      string
}

func (e *EvalError) Error() string {
	return fmt.Sprintf("query:%d:%d: %s", e.Line, e.Column, e.Message)
}

// position is the line and column of a byte offset.
func position(src string, at int) (line, column int) {
	before := src[:min(max(at, 0), len(src))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// syntax and outside are raised by the parser and the checker.
func syntax(src string, at int, format string, args ...any) error {
	e := &SyntaxError{Offset: at, Message: fmt.Sprintf(format, args...)}
	e.Line, e.Column = position(src, at)
	return e
}

func outside(src string, at int, construct, hint string) error {
	e := &SyntaxError{Offset: at, Construct: construct}
	e.Line, e.Column = position(src, at)
	e.Message = construct + " is outside of the supported subset"
	if hint != "" {
		e.Message += ": " + hint
	}
	return e
}
