package secret

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMask(t *testing.T) {
	r := source{rand.New(rand.NewPCG(1, 2))}
	github := "ghp_" + r.checked()
	password := r.of(strong, 16)
	for _, c := range []struct{ text, want string }{
		{"token: " + github + "\n", "token: [secret: github-pat]\n"},
		{"a = \"" + github + "\" # " + github, "a = \"[secret: github-pat]\" # [secret: github-pat]"},
		{"DB_PASSWORD='" + password + "'", "DB_PASSWORD='[secret: generic-password]'"},
		{"x := postgres://app:" + r.of(alnum, 16) + "@db/x", "x := postgres://app:[secret: url-password]@db/x"},
		{"{\"password\": \"" + password + "\", \"port\": 80}", "{\"password\": \"[secret: generic-password]\", \"port\": 80}"},
		{"Key=AccountKey=" + r.of(base, 86) + "==;x", "Key=AccountKey=[secret: azure-storage-key];x"},
		{"s = \"line\\n" + github + "\\n\"", "s = \"line\\n[secret: github-pat]\\n\""},
		{"curl -H 'X-Api-Key: " + r.of(alnum, 32) + "' https://api", "curl -H 'X-Api-Key: [secret: generic-secret]' https://api"},
		{"auth: {user: 'a', pass: '" + r.of(alnum, 20) + "'}", "auth: {user: 'a', pass: '[secret: generic-password]'}"},
		{"s = env.SECRET || '" + r.of(alnum, 20) + "'", "s = env.SECRET || '[secret: generic-secret]'"},
		{"ENV API_TOKEN " + r.of(alnum, 30) + "\n", "ENV API_TOKEN [secret: generic-secret]\n"},
		{"docker login -u bot -p " + r.of(alnum, 20) + " hub", "docker login -u bot -p [secret: login-password] hub"},
		{"SECRET_KEY = 'app-(" + r.of(strong, 40) + "'", "SECRET_KEY = '[secret: generic-secret]'"},
		{"AGE=AGE-SECRET-KEY-1" + r.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58), "AGE=[secret: age-secret-key]"},
	} {
		got, n := Mask([]byte(c.text))
		if string(got) != c.want || n != strings.Count(c.want, "[secret: ") {
			t.Errorf("Mask(%q) = %q, %d, want %q", c.text, got, n, c.want)
		}
	}
}

// Nothing here is a secret, although names or forms resemble one.
func TestNoSecret(t *testing.T) {
	for _, text := range []string{
		"",
		"AKIA" + "IOSFODNN7EXAMPLE",
		"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"password = \"changeme\"", "password: <your-password>", "PASSWORD=${DB_PASSWORD}", "api_key: xxxxxxxxxxxxxxxxxxxxxxxx",
		"token = \"{{ .Values.token }}\"", "password := os.Getenv(\"DB_PASSWORD\")", "token = $(cat /run/token)",
		"secretName: my-service-account-tls", "tokenizer = \"BertTokenizer\"", "password_hash = \"5f4dcc3b5aa765d61d8327deb882cf99\"",
		"token: 123e4567-e89b-42d3-a456-426614174000", "commit = \"9fceb02d0ae598e95dc970b74767f19372d61af8\"",
		"\"integrity\": \"sha512-z+jTV0yLYmLWr1yFYKpXkE0xVxPoTfZ3PqWZ8X3w3bEnjp0pbDMyyKJNHSw9rCQmFFgDFPMcJ4VZBDc2lZr3Ow==\"",
		"key := \"000102030405060708090a0b0c0d0e0f\"", "secret := \"0123456789abcdef0123456789abcdef\"",
		"nextPageToken: \"CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA\"", "publicKey = \"x7Gq9LmZ2Wv8Kd0PqRt5\"",
		"https://user:password@example.com", "strings.Contains(s, \"-----BEGIN PRIVATE KEY-----\")",
		"ghp_" + strings.Repeat("x", 36), "ghp_" + strings.Repeat("a1", 18), "Authorization: Bearer <token>",
		"\"passwordCreatedAt\": \"2016-09-08T21:47:36Z\"", "Enter your password: ", "the secret \"ingredient\" is love",
	} {
		if got, n := Mask([]byte(text)); n != 0 {
			t.Errorf("Mask(%q) = %q", text, got)
		}
	}
}

// A private key is masked line by line, in each form that it is written in.
func TestMaskKeys(t *testing.T) {
	r := source{rand.New(rand.NewPCG(3, 4))}
	for _, kind := range []string{"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "} {
		pem := r.pem(kind)
		lines := strings.Split(pem, "\n")
		last := lines[len(lines)-2]
		body := strings.Join(lines[1:len(lines)-1], "")
		for name, text := range map[string]string{
			"file":      pem + "\n",
			"crlf":      strings.ReplaceAll(pem, "\n", "\r\n"),
			"indented":  "key: |\n  " + strings.ReplaceAll(pem, "\n", "\n  "),
			"json":      "{\"private_key\": \"" + strings.ReplaceAll(pem, "\n", "\\n") + "\\n\"}",
			"source":    "k := \"" + strings.ReplaceAll(pem, "\n", "\\n\" +\n\t\"") + "\"",
			"cut":       strings.Join(lines[:len(lines)-1], "\n"),
			"encrypted": strings.Replace(pem, "\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n", 1),
			"comment":   "# " + strings.ReplaceAll(pem, "\n", "\n# "),
			"concat":    "k = '" + strings.ReplaceAll(pem, "\n", "\\n' + \\\n  '") + "'",
		} {
			got, n := Mask([]byte(text))
			if n == 0 || bytes.Count(got, []byte("\n")) != strings.Count(text, "\n") || !bytes.Contains(got, []byte(": private-key]")) {
				t.Errorf("%s%s: %d found: %s", kind, name, n, got)
			}
			if len(last) > 8 && bytes.Contains(got, []byte(last[:len(last)-2])) {
				t.Errorf("%s%s: the last line is left in %s", kind, name, got)
			}
			for i := 0; i+12 <= len(body); i += 12 {
				if bytes.Contains(got, []byte(body[i:i+12])) {
					t.Fatalf("%s%s: %q is left in %s", kind, name, body[i:i+12], got)
				}
			}
		}
	}
	pem := strings.ReplaceAll(r.pem(""), "\n", "\\n\" +\n\t\"")
	if got, _ := Mask([]byte("k := \"" + pem + "\"")); !bytes.Contains(got, []byte("\n\t\"[secret: private-key]\\n\" +\n\t\"[secret")) {
		t.Errorf("what surrounds the lines of a key was masked: %s", got)
	}
	putty := "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n" + r.of(base, 48) + "\nPrivate-MAC: 1\n"
	if got, n := Mask([]byte(putty)); n != 1 || !bytes.Contains(got, []byte("\n[secret: putty-private-key]\nPrivate-MAC")) {
		t.Errorf("PuTTY: %d found: %s", n, got)
	}
}

func TestFind(t *testing.T) {
	r := source{rand.New(rand.NewPCG(5, 6))}
	text := "a\nb\nx = \"ghp_" + r.checked() + "\"\n\ny = \"npm_" + r.checked() + "\"\n"
	found := Find([]byte(text))
	if len(found) != 2 || found[0].Line != 3 || found[1].Line != 5 || found[0].Rule != "github-pat" || found[1].Rule != "npm-token" {
		t.Errorf("found %v in %q", found, text)
	}
	if len(found) == 2 && text[found[1].Start:found[1].End][:4] != "npm_" {
		t.Errorf("the second is at %q", text[found[1].Start:found[1].End])
	}
}

// The table is wide enough, and each pattern can match: a run of any length does
// not take the first byte of the literal that follows it.
func TestFormats(t *testing.T) {
	providers, rules := map[string]bool{}, map[string]bool{}
	e := compiled()
	note := func(rule, text string) {
		provider, _, ok := strings.Cut(rule, "-")
		if rules[rule], providers[provider] = true, true; !ok && rule != "jwt" {
			t.Errorf("%s names no provider", rule)
		}
		p, err := parse(e.classes, text)
		if err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		for i := 1; i < len(p.elements); i++ {
			run, next := p.elements[i-1], p.elements[i]
			if i <= p.anchor {
				run, next = next, run
			}
			if next.class == 0 && run.class != 0 && run.min < run.max && e.classes[next.literal[0]]&run.class != 0 {
				t.Errorf("%s: a run takes the literal %q", rule, next.literal)
			}
		}
	}
	for _, f := range formats {
		note(f.rule, f.pattern)
	}
	for _, f := range nearFormats {
		note(f.rule, f.pattern)
	}
	t.Logf("%d rules of %d providers", len(rules), len(providers))
	if len(rules) < 60 || len(providers) < 40 {
		t.Errorf("%d rules of %d providers, want 60 of 40", len(rules), len(providers))
	}
}

// Every rule of the table finds what its pattern describes.
func TestEachFormat(t *testing.T) {
	r := source{rand.New(rand.NewPCG(7, 8))}
	alphabets := map[byte]string{'d': digits, 'h': hexa, 'l': digits + lower, 'A': digits + upper, 'w': alnum, 'u': urlish, 'b': base, 'p': urlish + "."}
	for _, f := range formats {
		p := mustParse(makeClasses(), f.pattern)
		var b strings.Builder
		for _, e := range p.elements {
			b.WriteString(e.literal)
			for i := range classNames {
				if e.class == 1<<i {
					b.WriteString(r.of(alphabets[classNames[i]], e.min))
				}
			}
		}
		found := Find([]byte("x (" + b.String() + ")"))
		if !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule != "" }) {
			t.Errorf("%s: nothing found in %q", f.rule, b.String())
		} else if found[0].Rule != f.rule {
			t.Logf("%s is found as %s", f.rule, found[0].Rule)
		}
	}
}

// Four times the input may take a little more than four times as long; what is
// quadratic takes sixteen times as long. On a busy machine the shortest of many
// runs counts.
func TestLinear(t *testing.T) {
	for name, text := range hostile {
		small, large := repeated(text, 1<<15), repeated(text, 1<<17)
		best := [2]time.Duration{time.Hour, time.Hour}
		for range 30 {
			best[0] = min(best[0], elapsed(small))
			best[1] = min(best[1], elapsed(large))
			if best[1] < 8*best[0] {
				break
			}
		}
		if best[1] > 10*best[0] {
			t.Errorf("%s: %v for 32 KiB, %v for 128 KiB", name, best[0], best[1])
		}
	}
}

func elapsed(content []byte) time.Duration {
	start := time.Now()
	Find(content)
	return time.Since(start)
}
