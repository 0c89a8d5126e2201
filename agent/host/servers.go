package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/internal/fault"
)

// serversFile is the file with the servers whose tools the agent may use. It is
// the user's: one in a repository could start any program.
const serversFile = "mcp.json"

// servers are the configured servers, none without a file. lookup gives the
// variables that are named in their values.
func servers(f Folders, lookup func(string) (string, bool)) ([]mcp.ServerConfig, error) {
	name := f.config(serversFile)
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fault.Usagef("%s: %w; make it readable or remove it", name, rootCause(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, mcp.MaxConfig+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, rootCause(err))
	}
	list, err := mcp.ParseConfig(data, lookup)
	if err != nil {
		return nil, fault.Usagef("%s: %w; correct it or set \"disabled\": true", name, err)
	}
	return list, nil
}

// dial connects to the configured servers. The notes say what is wrong with one
// that is not there. The client is to be closed.
func (h *Host) dial(ctx context.Context) (c *mcp.Client, notes []string, err error) {
	list, err := servers(h.o.Folders, h.o.LookupEnv)
	if err != nil {
		return nil, nil, err
	}
	c = mcp.Dial(ctx, list, mcp.ClientOptions{Version: h.o.Version, Dir: h.root, Environ: h.o.Environ})
	for _, err := range c.Problems() {
		notes = append(notes, err.Error())
	}
	return c, notes, nil
}
