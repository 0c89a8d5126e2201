package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
)

// Repo says which repository a directory belongs to. The git fields are empty
// outside git.
type Repo struct {
	Root        string // absolute, symbolic links resolved
	GitDir      string // of this worktree
	CommonDir   string // of the repository; GitDir unless this is a linked worktree
	Prefix      string // of the root inside the working tree, slash-separated, no slash at its ends
	Head        string // full commit id; empty before the first commit
	Fingerprint string // 32 hex digits; the same for every clone of one origin
}

// Identify looks at the files of git around root; it runs no program.
//
// The fingerprint is a hash of the origin's address, normalised, and of the
// prefix. Without an origin it is a hash of the absolute path. A repository
// that stores its references in the reftable format has an empty Head.
func Identify(root string) (Repo, error) {
	abs, err := resolveRoot(root)
	if err != nil {
		return Repo{}, err
	}
	r := Repo{Root: abs}
	identity := "path\x00" + abs
	if g, ok := discover(abs); ok {
		r.GitDir, r.CommonDir, r.Prefix, r.Head = g.gitDir, g.commonDir, g.prefix, g.head()
		if origin := g.origin(); origin != "" {
			identity = "origin\x00" + normalizeURL(origin) + "\x00" + g.prefix
		}
	}
	sum := sha256.Sum256([]byte(identity))
	r.Fingerprint = hex.EncodeToString(sum[:16])
	return r, nil
}

// normalizeURL gives the ways to write one address one form, host/path: the
// scheme, the user, a password, a default port and a trailing .git say nothing
// about which repository is meant. A local path stays as it is.
func normalizeURL(raw string) string {
	s := strings.TrimSpace(raw)
	if u, err := url.Parse(s); err == nil && u.Scheme != "" && u.Host != "" {
		host := strings.ToLower(u.Hostname())
		if p := u.Port(); p != "" && p != "22" && p != "80" && p != "443" && p != "9418" {
			host += ":" + p
		}
		return host + "/" + trimRepoPath(u.Path)
	}
	s = strings.TrimPrefix(s, "file://")
	// scp-like: [user@]host:path, the colon before any slash
	colon, slash := strings.IndexByte(s, ':'), strings.IndexByte(s, '/')
	if colon > 1 && (slash < 0 || colon < slash) {
		host := s[:colon]
		host = strings.ToLower(host[strings.LastIndexByte(host, '@')+1:])
		return host + "/" + trimRepoPath(s[colon+1:])
	}
	return strings.TrimSuffix(strings.TrimRight(s, "/"), ".git")
}

func trimRepoPath(p string) string {
	return strings.TrimSuffix(strings.Trim(p, "/"), ".git")
}
