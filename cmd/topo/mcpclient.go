package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/topo-dev/topo/agent/mcp"
)

// userConfig is a file of the user's own configuration of topo; empty when
// there is no place for one.
func (f *factory) userConfig(name string) string {
	if dir := f.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "topo", name)
	}
	home := f.getenv("HOME")
	if runtime.GOOS == "windows" {
		home = f.getenv("APPDATA")
		if home == "" {
			return ""
		}
		return filepath.Join(home, "topo", name)
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".config", "topo", name)
}

// mcpConfigName is the file with the servers whose tools the agent may use. It
// is the user's: one in a repository could start any program.
const mcpConfigName = "mcp.json"

// mcpServers are the configured servers, none without a file. lookup gives the
// variables that stand in their values.
func (f *factory) mcpServers(lookup func(string) (string, bool)) ([]mcp.ServerConfig, error) {
	name := f.userConfig(mcpConfigName)
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, usagef("%s: %w; make it readable or remove it", name, rootCause(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, mcp.MaxConfig+1))
	if err != nil {
		return nil, envf("%s: %w", name, rootCause(err))
	}
	servers, err := mcp.ParseConfig(data, lookup)
	if err != nil {
		return nil, usagef("%s: %w; correct it or set \"disabled\": true", name, err)
	}
	return servers, nil
}

// dialMCP connects to the configured servers. The notes say what is wrong with
// one that is not there. The client is to be closed.
func (f *factory) dialMCP(ctx context.Context, root string) (c *mcp.Client, notes []string, err error) {
	servers, err := f.mcpServers(f.lookupEnv)
	if err != nil {
		return nil, nil, err
	}
	c = mcp.Dial(ctx, servers, mcp.ClientOptions{Version: readBuildInfo().Version, Dir: root, Environ: os.Environ()})
	for _, err := range c.Problems() {
		notes = append(notes, err.Error())
	}
	return c, notes, nil
}

// mcpServerInfo is a configured server for describe. Neither arguments nor
// values are shown: they may hold secrets.
type mcpServerInfo struct {
	Name    string `json:"name"`
	Command string `json:"command,omitempty"`
	Host    string `json:"host,omitempty"`
	Tools   string `json:"tools"` // how its tools are named
}

// mcpServerInfos describes the configured servers, without starting them.
func mcpServerInfos(servers []mcp.ServerConfig) []mcpServerInfo {
	out := []mcpServerInfo{}
	for _, s := range servers {
		out = append(out, mcpServerInfo{s.Name, s.Command, s.Host(), mcp.ToolName(s.Name, "") + "*"})
	}
	return out
}
