package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// ErrNoGit says that the git program is not on this machine.
var ErrNoGit = errors.New("snapshot: git is not installed: without it steps cannot be undone (apt-get install git, brew install git)")

// settings win over any configuration: nothing that a repository says makes git
// run a program or change a content.
var settings = []string{
	"--no-pager", "--no-replace-objects", "--literal-pathspecs",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.fsmonitor=false",
	"-c", "core.attributesFile=" + os.DevNull,
	"-c", "core.quotePath=false",
	"-c", "core.autocrlf=false",
	"-c", "core.safecrlf=false",
	"-c", "core.checkRoundtripEncoding=",
	"-c", "diff.external=",
	"-c", "protocol.allow=never",
	"-c", "safe.directory=*",
}

// gitEnv is the caller's environment without what points git elsewhere.
func gitEnv(more []string) []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "LC_ALL=") && !strings.HasPrefix(kv, "LANGUAGE=") {
			env = append(env, kv)
		}
	}
	return append(append(env, "LC_ALL=C", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0"), more...)
}

// runGit runs git in dir and returns what it wrote. Its message, bounded, is
// part of the error.
func runGit(ctx context.Context, dir string, env []string, stdin io.Reader, args ...string) ([]byte, error) {
	cmd, err := gitCommand(ctx, dir, env, args...)
	if err != nil {
		return nil, err
	}
	var out, msg bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &msg
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := strings.TrimSpace(msg.String())
		return nil, fmt.Errorf("snapshot: git %s: %w: %.500s", args[0], err, text)
	}
	return out.Bytes(), nil
}

func gitCommand(ctx context.Context, dir string, env []string, args ...string) (*exec.Cmd, error) {
	bin, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNoGit
	}
	cmd := exec.CommandContext(ctx, bin, append(settings[:len(settings):len(settings)], args...)...)
	cmd.Dir, cmd.Env = dir, gitEnv(env)
	return cmd, nil
}

// storeEnv points git at the store and away from all other configuration.
func (s *Store) storeEnv() []string {
	return []string{
		"GIT_DIR=" + s.dir, "GIT_WORK_TREE=" + s.root, "GIT_INDEX_FILE=" + s.dir + "/index",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
	}
}

// git runs git on the store.
func (s *Store) git(ctx context.Context, stdin string, args ...string) ([]byte, error) {
	return runGit(ctx, s.root, s.storeEnv(), strings.NewReader(stdin), args...)
}

// userGit runs git on the user's repository, for reading.
func (s *Store) userGit(ctx context.Context, args ...string) ([]byte, error) {
	return runGit(ctx, s.root, []string{"GIT_OPTIONAL_LOCKS=0"}, nil, args...)
}

// splitNUL splits a NUL-terminated list.
func splitNUL(b []byte) []string {
	text := strings.TrimSuffix(string(b), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}
