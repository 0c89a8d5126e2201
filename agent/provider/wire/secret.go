package wire

import (
	"fmt"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topo-dev/topo/internal/lazy"
)

const redacted = "[redacted]"

// Secret is a value that must not be shown. Every way to print, marshal or log
// it gives "[redacted]", also when it is a field of something else that is
// printed: the value sits behind a function, where reflection does not look.
type Secret struct{ reveal func() string }

// NewSecret makes a secret of s, without the white space around it, which is
// what a pasted key or a file with a last line brings along.
func NewSecret(s string) Secret {
	if s = strings.TrimSpace(s); s == "" {
		return Secret{}
	}
	return Secret{func() string { return s }}
}

// Reveal returns the value, for the one header that needs it.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// Empty reports whether there is no value.
func (s Secret) Empty() bool { return s.reveal == nil }

// String hides the value.
func (s Secret) String() string { return redacted }

// GoString hides the value.
func (s Secret) GoString() string { return redacted }

// Format hides the value under every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(redacted)) }

// MarshalText hides the value, in JSON too.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue hides the value.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// maxMessage bounds, in bytes, what is shown of a server's words.
const maxMessage = 600

// keyLike are keys by their look, for servers that repeat a key which is not the
// one configured, such as a proxy's own.
var keyLike = lazy.Regexp(`(?i)\b(?:sk|pk|rk|key|gsk|xai)[-_][A-Za-z0-9_*.-]{12,}|\bBearer +[A-Za-z0-9._~+/*=-]{8,}`)

// Clean prepares the words of a server for a person: one line, no control
// characters, no key, and not longer than a screen.
func Clean(s string, key Secret) string {
	if len(s) > 64<<10 {
		s = s[:64<<10]
	}
	if k := key.Reveal(); k != "" {
		s = strings.ReplaceAll(s, k, redacted)
	}
	s = keyLike().ReplaceAllString(s, redacted)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError
	}), " ")
	if len(s) <= maxMessage {
		return s
	}
	cut := maxMessage
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
