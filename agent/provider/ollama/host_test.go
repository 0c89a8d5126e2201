package ollama

import "testing"

func TestHostURL(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "http://127.0.0.1:11434",
		"0.0.0.0":                   "http://127.0.0.1:11434",
		"0.0.0.0:8080":              "http://127.0.0.1:8080",
		":8080":                     "http://127.0.0.1:8080",
		"[::]:8080":                 "http://127.0.0.1:8080",
		"gpu":                       "http://gpu:11434",
		"gpu:1":                     "http://gpu:1",
		"'gpu'":                     "http://gpu:11434",
		"http://gpu":                "http://gpu:80",
		"https://ollama.com":        "https://ollama.com:443",
		"https://ollama.com:8/a/b/": "https://ollama.com:8/a/b",
		"[::1]":                     "http://[::1]:11434",
		"[fe80::1]:9":               "http://[fe80::1]:9",
	} {
		if got := HostURL(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
