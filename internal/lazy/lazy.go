// Package lazy makes values when they are first asked for. Every command pays for
// what is made when the program starts, and most need little of it.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is an expression that is compiled by the first call of what it returns.
// The expression is part of the program: one that is wrong panics there, so a
// test has to call it.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Matcher is [Regexp] for who only asks whether a text matches.
func Matcher(expr string) func(string) bool {
	re := Regexp(expr)
	return func(s string) bool { return re().MatchString(s) }
}
