package wire

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func readLines(r io.Reader, limit int) (out []string, err error) {
	l := NewLines(r, limit)
	for {
		b, err := l.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, string(b))
	}
}

// oracle cuts lines from the whole text.
func oracle(s string) []string {
	s = strings.TrimPrefix(s, "\ufeff")
	out := regexp.MustCompile("\r\n|\n|\r").Split(s, -1)
	if out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

func TestLines(t *testing.T) {
	for _, s := range []string{"", "a", "a\n", "a\r\n", "a\rb", "a\r\r\nb", "\n\n", "\r\n\r\n", "\ufeffa\n", "\ufeff", "\xef", "\xef\xbbx\n", "a\ufeffb\n",
		strings.Repeat("x", 40<<10) + "\r\n" + strings.Repeat("y", 20<<10)} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(s), "by bytes": iotest.OneByteReader(strings.NewReader(s))} {
			got, err := readLines(r, 1<<20)
			if err != nil || !slices.Equal(got, oracle(s)) {
				t.Errorf("%.40q %s: %.60q, %v, want %.60q", s, name, got, err, oracle(s))
			}
		}
	}
	if _, err := readLines(strings.NewReader("ok\n"+strings.Repeat("x", 101)), 100); !errors.Is(err, ErrLine) {
		t.Error(err)
	}
	if got, err := readLines(strings.NewReader(strings.Repeat("x", 100)+"\n"), 100); len(got) != 1 || err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	if got, err := readLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100); !errors.Is(err, broken) || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

// A line is given as soon as its end is there, without a byte more.
func TestLinesDoNotWait(t *testing.T) {
	pr, pw := io.Pipe()
	l := NewLines(pr, 100)
	go func() { _, _ = pw.Write([]byte("a\r")) }()
	if b, err := l.Next(); string(b) != "a" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	go func() {
		_, _ = pw.Write([]byte("\nb"))
		pw.Close()
	}()
	if b, err := l.Next(); string(b) != "b" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("\ufeffa\r\nb\rc\n\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, slow bool) {
		var r io.Reader = bytes.NewReader(data)
		if slow {
			r = iotest.OneByteReader(r)
		}
		got, err := readLines(r, 1<<20)
		if want := oracle(string(data)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", data, got, err, want)
		}
	})
}

func events(s string) (out []string) {
	e := NewEvents(strings.NewReader(s), 1000)
	for {
		ev, err := e.Next()
		if err != nil {
			if err != io.EOF {
				out = append(out, err.Error())
			}
			return out
		}
		s := ev.Name + "|" + string(ev.Data)
		if ev.Cut {
			s += "|cut"
		}
		out = append(out, s)
	}
}

func TestEvents(t *testing.T) {
	for in, want := range map[string][]string{
		"event: a\ndata: 1\n\n":                                   {"a|1"},
		"data:1\ndata: 2\ndata:\n\n":                              {"|1\n2\n"},
		"data\n\n":                                                {"|"},
		": ping\n\ndata: 1\n\n: x\ndata: 2\n: y\n\n":              {"|1", "|2"},
		"event: a\n\ndata: 1\n\n":                                 {"|1"}, // a name without data is dropped
		"id: 7\nretry: 9\nfoo: bar\ndata: 1\n\n":                  {"|1"},
		"data:  two spaces\n\n":                                   {"| two spaces"},
		"event: a\ndata: 1\n":                                     {"a|1|cut"},
		"event: a\ndata: 1":                                       {"a|1|cut"},
		"event: a":                                                nil,
		"\ufeffdata: 1\r\n\r\n":                                   {"|1"},
		"data: " + strings.Repeat("x", 1001):                      {"a line of the answer is too long: more than 1000 bytes"},
		strings.Repeat("data: "+strings.Repeat("x", 400)+"\n", 3): {"a line of the answer is too long"},
	} {
		if got := events(in); !slices.Equal(got, want) {
			t.Errorf("%.60q: %q, want %q", in, got, want)
		}
	}
}

func FuzzEvents(f *testing.F) {
	f.Add("event: a\r\ndata: 1\r\n\r\n: c\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range events(s) {
			if len(e) > 2000+len(s) {
				t.Errorf("an event of %d bytes out of %d", len(e), len(s))
			}
		}
		// The same with other line ends.
		if !strings.ContainsAny(s, "\r") {
			if got, want := events(strings.ReplaceAll(s, "\n", "\r\n")), events(s); !slices.Equal(got, want) {
				t.Errorf("%q with CRLF: %q, want %q", s, got, want)
			}
		}
	})
}
