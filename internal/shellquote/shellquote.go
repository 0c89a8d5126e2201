// Package shellquote writes arguments as a shell reads them.
package shellquote

import (
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
)

var plain = lazy.Regexp(`^[A-Za-z0-9_./:@%+=,-]+$`)

// Quote quotes an argument for a POSIX shell where it needs to be.
func Quote(s string) string {
	if plain().MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
