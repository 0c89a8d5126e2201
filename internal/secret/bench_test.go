package secret

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func sources(tb testing.TB) []byte {
	var all []byte
	paths, err := filepath.Glob("../../*/*.go")
	if err != nil || len(paths) == 0 {
		tb.Fatal("no sources", err)
	}
	for len(all) < 2<<20 {
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				tb.Fatal(err)
			}
			all = append(all, b...)
		}
	}
	return all[:2<<20]
}

// hostile are contents that make each mechanism work hardest.
var hostile = map[string]string{
	"zeros":         "\x00",
	"names":         "password",
	"kebab":         "key-",
	"assignments":   `"token": "abcdefgh", `,
	"equals":        "key=",
	"quotes":        "key='",
	"escapes":       `key="\"`,
	"slashes":       `key\`,
	"calls":         "secret(",
	"prefixes":      "ghp_",
	"token tokens":  "eyJhbGciOiJIUzI1NiJ9.",
	"long prefixes": "pypi-AgEIcHlwaS5vcmc",
	"open tokens":   "-xoxs-",
	"open headers":  "-eyJ",
	"urls":          "https://a:b",
	"url users":     "a://a:a@",
	"bearers":       "Bearer bearer ",
	"basics":        "Basic QWxhZGRpbg==",
	"curls":         "curl -u",
	"logins":        "login -p ",
	"machines":      "machine login\n",
	"keys":          "A: -----BEGIN PRIVATE KEY-----\n",
	"key lines":     "-----BEGIN PRIVATE KEY-----\nQWxhZGRpbjpvcGVuIHNlc2FtZQ\n",
	"putty":         "Private-Lines: 1\n",
	"xml":           "<password>",
	"siblings":      "secret\"\nvalue",
	"blanks":        "pwd                        ",
	"secrets":       "password = \"x7Gq9LmZ2Wv8\"\n",
}

func repeated(s string, n int) []byte { return bytes.Repeat([]byte(s), n/len(s)) }

func BenchmarkFind(b *testing.B) {
	run := func(name string, content []byte) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				Find(content)
			}
		})
	}
	run("source", sources(b))
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		run(name, repeated(hostile[name], 1<<20))
	}
}

func BenchmarkMask(b *testing.B) {
	content := sources(b)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		Mask(content)
	}
}
