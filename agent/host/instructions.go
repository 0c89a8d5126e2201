package host

import (
	"bytes"
	"io"
	"os"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/internal/regular"
)

// instructionNames are the files with which a repository instructs agents. The
// first that is there counts.
var instructionNames = []string{"AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"}

// instructions reads the repository's instructions; none when it has none, or
// something that is no plain file in its place.
func instructions(root string, mask func([]byte) []byte) (agent.Context, bool) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return agent.Context{}, false
	}
	defer dir.Close()
	for _, name := range instructionNames {
		file, err := regular.Open(dir, name)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(file, 2*agent.MaxInstructions))
		file.Close()
		if err == nil && len(bytes.TrimSpace(text)) > 0 {
			if mask != nil {
				text = mask(text)
			}
			return agent.Instructions(name, string(text)), true
		}
	}
	return agent.Context{}, false
}
