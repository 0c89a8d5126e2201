package secret

import "strings"

// WithoutPassword hides the user, password and parameters of an address.
func WithoutPassword(address string) string {
	address, _, _ = strings.Cut(address, "?")
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		scheme, rest = "", address
	}
	host, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(host, '@')
	if at < 0 {
		return address
	}
	return strings.TrimPrefix(scheme+"://", "://") + "[hidden]" + host[at:] + strings.TrimSuffix("/"+path, "/")
}
