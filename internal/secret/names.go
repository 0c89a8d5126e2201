package secret

import "bytes"

// tellingWords are what names of secrets contain. Each is lower case and at least
// three bytes long.
var tellingWords = []string{
	"pass", "pwd", "secret", "token", "credential", "apikey", "api_key", "api-key",
	"api key", "key", "_auth", "authorization", "\"auth\"", "'auth'", "webhook", "_sid", "_dsn", "salt", "bearer", "signature",
}

// keyWords are what makes the key of a name a secret one.
var keyWords = []string{
	"api", "access", "secret", "private", "auth", "app", "application", "admin", "master", "encryption", "encrypt", "signing",
	"account", "certificate", "license", "licence", "client", "session", "service", "shared", "storage", "subscription",
	"consumer", "security", "hmac", "aes", "jwt", "cookie", "crypto", "cipher", "write", "deploy", "integration", "webhook", "server", "user",
}

// metadataWords, as the last words of a name, say that it names something about a
// secret.
var metadataWords = []string{
	"file", "files", "path", "paths", "dir", "name", "names", "id", "ids", "url", "urls", "uri", "type", "types", "len",
	"length", "size", "count", "hash", "hashes", "digest", "sum", "checksum", "fingerprint", "expires",
	"expiry", "expiration", "ttl", "regex", "regexp", "pattern", "format", "policy", "field", "label",
	"title", "hint", "prefix", "suffix", "message", "msg", "error", "err", "endpoint", "version", "algorithm",
	"alg", "method", "mode", "class", "provider", "manager", "index", "ref", "arn", "status",
	"help", "prompt", "placeholder", "strength", "required", "enabled", "header", "param", "env", "sha",
	"sha1", "sha256", "md5", "usage", "description", "text", "date", "time", "host", "port", "address", "issuer",
}

// publicWords, anywhere in a name, say that what it names may be known.
var publicWords = []string{
	"public", "pub", "next", "page", "continue", "continuation", "cursor", "cancel", "hash", "hashed",
	"sha", "sha1", "sha256", "md5", "partition", "cache", "primary", "foreign", "sort", "idempotency", "resume", "sync",
	"fingerprint", "checksum", "digest", "publishable", "site", "thumbprint", "etag",
}

// Bounds of a name: its length on each side of the telling word, and how many of
// its words, from the last, are looked at.
const (
	maxName  = 48
	maxWords = 10
)

// name is an identifier that holds a telling word.
type name struct {
	start, end int  // in the content
	word       int  // the end of the telling word
	password   bool // a person may have chosen the value
	bare       bool // the name alone does not say that the value is secret
}

// nameAround returns the name whose telling word is b[start:end], if it is a word
// of the name.
func nameAround(b []byte, start, end int) (n name, ok bool) {
	word := b[start:end]
	if q := word[0]; q == '"' || q == '\'' {
		start, end = start+1, end-1
		word = b[start:end]
	}
	n = name{start: start, end: end}
	for n.start > 0 && start-n.start < maxName && isName(b[n.start-1]) {
		n.start--
	}
	for n.end < len(b) && n.end-end < maxName && isName(b[n.end]) && b[n.end] != '.' {
		n.end++
	}
	if bytes.HasPrefix(b[n.start:], []byte("--")) {
		n.start += 2
	}
	n.password = equalFold(word, "pass") || equalFold(word, "pwd")
	n.word = end
	if !n.continues(b, end) {
		return n, false
	}
	if equalFold(word, "key") {
		n.bare = !isSecretKey(b[n.start:start])
	} else if equalFold(word, "salt") || equalFold(word, "webhook") || equalFold(word, "_sid") || equalFold(word, "_dsn") || equalFold(word, "signature") {
		n.bare = true
	}
	return n, true
}

func isName(c byte) bool { return isWord(c) || c == '-' || c == '.' }

// continues reports whether what follows the telling word at end is more words,
// rather than the rest of a longer one such as tokenizer.
func (n *name) continues(b []byte, end int) bool {
	if end == n.end || !isLower(b[end-1]) || !isLower(b[end]) {
		return true
	}
	for _, more := range [...]string{"word", "wd", "s", "key", "token", "value", "base", "string", "phrase", "code"} {
		if bytes.HasPrefix(b[end:n.end], []byte(more)) {
			return true
		}
	}
	return false
}

// isSecretKey reports whether the words before "key" make it a secret one.
func isSecretKey(head []byte) bool {
	head = bytes.TrimRight(head, "_-. ")
	for _, w := range keyWords {
		if len(head) >= len(w) && equalFold(head[len(head)-len(w):], w) {
			return true
		}
	}
	return false
}

// isMetadata reports whether what is named only says something about a secret: the
// last word, after the telling one, says so, or any word says that it is public.
func (n *name) isMetadata(b []byte) bool {
	full, last := b[n.start:n.end], lastWord(b[n.word:n.end])
	for _, w := range metadataWords {
		if equalFold(last, w) {
			return true
		}
	}
	for i := 0; i < maxWords && len(full) > 0; i++ {
		w := lastWord(full)
		for _, p := range publicWords {
			if equalFold(w, p) {
				return true
			}
		}
		full = bytes.TrimRight(full[:len(full)-len(w)], "_-.")
	}
	return false
}

// lastWord returns the last word of a name in snake, kebab or camel case, at
// least one byte of a name that is not empty.
func lastWord(name []byte) []byte {
	i := len(name)
	for i > 0 && !isWordSeparator(name[i-1]) {
		i--
		if i > 0 && i < len(name) && !isLower(name[i]) && !isDigit(name[i]) && isLower(name[i-1]) {
			break
		}
	}
	return name[min(i, max(len(name)-1, 0)):]
}
