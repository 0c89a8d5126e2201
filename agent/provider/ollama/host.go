package ollama

import (
	"net"
	"net/url"
	"strings"
)

// HostURL reads OLLAMA_HOST the way Ollama does: a host, a port or both, with or
// without a scheme. An address to listen on at every interface is one to reach at
// this machine. Without a port it is 11434, or that of a scheme which is given.
func HostURL(s string) string {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		scheme, rest = "http", s
	}
	hostport, path, _ := strings.Cut(rest, "/")
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host, port = strings.Trim(hostport, "[]"), ""
	}
	switch {
	case port != "":
	case found && scheme == "https":
		port = "443"
	case found && scheme == "http":
		port = "80"
	default:
		port = "11434"
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return (&url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port), Path: strings.TrimSuffix("/"+path, "/")}).String()
}
