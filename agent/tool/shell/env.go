package shell

import (
	"slices"
	"strings"
)

// passed are the variables that commands inherit: where programs, caches and
// tool chains are, the language and the time zone. Nothing that holds a secret
// by custom is among them, and no agent's socket (SSH_AUTH_SOCK, DBUS_…, DOCKER_HOST)
// through which more could be reached.
var passed = []string{
	"APPDATA", "CARGO_HOME", "CC", "CGO_CFLAGS", "CGO_ENABLED", "CGO_LDFLAGS", "COMSPEC", "CXX",
	"GEM_HOME", "GEM_PATH", "GOBIN", "GOCACHE", "GOENV", "GOEXPERIMENT", "GOFLAGS", "GOMODCACHE", "GONOPROXY", "GONOSUMDB",
	"GOPATH", "GOPRIVATE", "GOPROXY", "GOROOT", "GOSUMDB", "GOTOOLCHAIN", "GRADLE_USER_HOME",
	"HOME", "HTTPS_PROXY", "HTTP_PROXY", "JAVA_HOME", "LANG", "LANGUAGE", "LOCALAPPDATA", "LOGNAME", "M2_HOME",
	"MAKEFLAGS", "NODE_PATH", "NO_PROXY", "NVM_DIR", "PATH", "PATHEXT", "PKG_CONFIG_PATH", "PNPM_HOME", "PYENV_ROOT",
	"PYTHONPATH", "RBENV_ROOT", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "SDKROOT", "SHELL", "SSL_CERT_DIR", "SSL_CERT_FILE",
	"SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "USERPROFILE", "VIRTUAL_ENV", "XDG_CACHE_HOME",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "http_proxy", "https_proxy", "no_proxy",
}

// set are the variables that every command has: nothing waits for an answer,
// pages its output or colours it.
var set = []string{
	"GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "NO_COLOR=1", "PAGER=cat", "TERM=dumb",
}

// Env makes the environment of commands from that of the program: the variables
// of the list, those that the user names in also, and the fixed ones. A value
// that holds a password in an address is left out also from the list.
func Env(environ, also []string) (env []string) {
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		switch {
		case !ok || name == "":
		case slices.Contains(also, name):
			env = append(env, kv)
		case (slices.Contains(passed, name) || strings.HasPrefix(name, "LC_")) && !hasPassword(value):
			env = append(env, kv)
		}
	}
	slices.Sort(env)
	return append(env, set...)
}

// hasPassword reports whether the value holds an address with a user's name or
// password, as proxies and registries are given.
func hasPassword(value string) bool {
	_, rest, ok := strings.Cut(value, "://")
	for ok {
		authority, _, _ := strings.Cut(rest, "/")
		if strings.Contains(authority, "@") {
			return true
		}
		_, rest, ok = strings.Cut(rest, "://")
	}
	return false
}
