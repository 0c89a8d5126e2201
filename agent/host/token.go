package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/internal/fault"
)

// NewToken makes a token for [Server.Listen] that nobody can guess.
func NewToken() string { return mcp.NewToken() }

// TokenFile reads the token from a file that only its owner can read, and writes a
// new one when there is no such file.
func TokenFile(name string) (token string, err error) {
	wrong := func(format string, args ...any) (string, error) {
		return "", fault.Of(fault.Usage, &OptionError{"token-file", name, fmt.Errorf(format, args...)})
	}
	failed := func(err error) (string, error) {
		return "", fault.Of(fault.Environment, &OptionError{"token-file", name, rootCause(err)})
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		token = mcp.NewToken()
		if err := writeToken(name, token); err != nil {
			return failed(err)
		}
		return token, nil
	case err != nil:
		return wrong("%w", rootCause(err))
	case !info.Mode().IsRegular():
		return wrong("not a regular file")
	case info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/':
		return wrong("others may read it; run: chmod 600 %s", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return wrong("%w", rootCause(err))
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return failed(err)
	}
	if token = string(bytes.TrimSpace(b)); len(token) < 16 || strings.ContainsAny(token, " \t\r\n") {
		return wrong("expected one word of 16 characters or more; remove the file to get a new one")
	}
	return token, nil
}

func writeToken(name, token string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(token + "\n")
	return errors.Join(err, file.Close())
}
