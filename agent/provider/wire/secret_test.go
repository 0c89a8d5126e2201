package wire

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSecretShowsNothing(t *testing.T) {
	const key = "topo-test-key-0123456789"
	s := NewSecret(" " + key + "\n")
	if s.Reveal() != key || s.Empty() || !NewSecret(" \n").Empty() || (Secret{}).Reveal() != "" {
		t.Fatal("a secret does not keep its value")
	}
	type hidden struct {
		secret Secret
		ptr    *Secret
		list   []Secret
	}
	values := []any{s, &s, []Secret{s}, map[string]Secret{"a": s}, hidden{s, &s, []Secret{s}}, &hidden{s, &s, nil}, struct{ Key Secret }{s}, errors.New(fmt.Sprint(s))}
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t"} {
			got := fmt.Sprintf(verb, v)
			if strings.Contains(got, key) || strings.Contains(strings.ToLower(got), fmt.Sprintf("%x", key)) {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
		if b, err := json.Marshal(v); err != nil || bytes.Contains(b, []byte(key)) {
			t.Errorf("JSON of %T: %s, %v", v, b, err)
		}
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", s, "in", struct{ K Secret }{s})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s, "in", struct{ K Secret }{s})
	if strings.Contains(log.String(), key) || strings.Count(log.String(), redacted) != 4 {
		t.Errorf("log: %s", log.String())
	}
	var stream bytes.Buffer
	_ = gob.NewEncoder(&stream).Encode(struct{ K Secret }{s})
	if strings.Contains(stream.String(), key) {
		t.Errorf("gob: %q", stream.String())
	}
}

func TestClean(t *testing.T) {
	key := NewSecret("abc123")
	for in, want := range map[string]string{
		"plain":                                    "plain",
		"a\r\n\tb  c\x1b[31m":                      "a b c [31m",
		"key abc123, xabc123x":                     "key [redacted], x[redacted]x",
		"sk-ant-REDACTED is wrong":                 "[redacted] is wrong",
		"Authorization: Bearer eyJhbGciOiJIUzI1Ni": "Authorization: [redacted]",
		"right\u202eleft\u200b":                    "right left",
		"bad \xff utf":                             "bad utf",
		"risk-averse and sk-short":                 "risk-averse and sk-short",
	} {
		if got := Clean(in, key); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	long := Clean(strings.Repeat("ü", 1000), Secret{})
	if len(long) > maxMessage+len("…") || !utf8.ValidString(long) || !strings.HasSuffix(long, "…") {
		t.Errorf("%d bytes", len(long))
	}
}

func FuzzClean(f *testing.F) {
	f.Add("Bearer abcdefghijk sk-0123456789abc \x1b\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s, NewSecret("QQQQ"))
		if !utf8.ValidString(got) || len(got) > maxMessage+len("…") || strings.ContainsAny(got, "\n\r\x1b\x00") || strings.Contains(got, "QQQQ") {
			t.Errorf("%q gives %q", s, got)
		}
	})
}
