package scan

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
)

// gitSettings turn off everything by which a repository could make git run a
// program, reach the network or change a file. Command line settings win over
// the repository's own.
var gitSettings = []string{
	"--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.fsmonitor=false",
	"-c", "core.attributesFile=" + os.DevNull,
	"-c", "core.alternateRefsCommand=false",
	"-c", "core.quotePath=false",
	"-c", "diff.external=",
	"-c", "diff.renames=false",
	"-c", "diff.orderFile=" + os.DevNull,
	"-c", "log.showSignature=false",
	"-c", "log.showRoot=true",
	"-c", "log.mailmap=false",
	"-c", "protocol.allow=never",
	"-c", "credential.helper=",
}

// gitEnv is the environment of git: the caller's own less the variables that
// point git at another repository (a hook of git sets them), plus the ones that
// forbid fetching missing objects. GIT_ALLOW_PROTOCOL covers versions of git
// that do not know GIT_NO_LAZY_FETCH.
func gitEnv(environ []string) []string {
	env := make([]string, 0, len(environ)+8)
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case name == "GIT_EXEC_PATH", strings.HasPrefix(name, "GIT_CONFIG_GLOBAL"),
			strings.HasPrefix(name, "GIT_CONFIG_SYSTEM"), name == "GIT_CONFIG_NOSYSTEM":
		case strings.HasPrefix(name, "GIT_"), name == "LC_ALL", name == "LANGUAGE":
			continue
		}
		env = append(env, kv)
	}
	return append(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "LC_ALL=C")
}

// gitCommand prepares git in dir. Its stderr is kept, bounded, for messages.
func gitCommand(ctx context.Context, dir string, args ...string) (*exec.Cmd, *tail, error) {
	bin, err := exec.LookPath("git")
	if err != nil {
		return nil, nil, &Error{Reason: ErrNoGit, Advice: "install it (apt-get install git, brew install git), or scan the working tree without --rev", Err: err}
	}
	cmd := exec.CommandContext(ctx, bin, append(gitSettings[:len(gitSettings):len(gitSettings)], args...)...)
	cmd.Dir = dir
	cmd.Env = gitEnv(os.Environ())
	errs := &tail{}
	cmd.Stderr = errs
	return cmd, errs, nil
}

// gitOutput runs git and returns what it wrote.
func gitOutput(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return gitFilter(ctx, dir, "", args...)
}

// gitFilter is gitOutput with something to read for git.
func gitFilter(ctx context.Context, dir, input string, args ...string) ([]byte, error) {
	cmd, errs, err := gitCommand(ctx, dir, args...)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	cmd.Stdin = strings.NewReader(input)
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return nil, gitFailed(ctx, dir, err, errs)
	}
	return out.Bytes(), nil
}

// gitFailed makes the error of a git process that failed.
func gitFailed(ctx context.Context, dir string, err error, errs *tail) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := errs.String()
	switch {
	case strings.Contains(text, "dubious ownership"):
		return &Error{Reason: ErrGit, Where: dir, Err: errors.New("the repository belongs to another user"),
			Advice: "allow it with: git config --global --add safe.directory " + dir}
	case strings.Contains(text, "not a git repository"):
		return &Error{Reason: ErrNotRepo, Where: dir, Advice: "a revision needs a git repository"}
	case text != "":
		err = errors.New(text)
	}
	return &Error{Reason: ErrGit, Where: dir, Err: err, Advice: "check the repository with git fsck"}
}

// tail keeps the first few KB written to it.
type tail struct{ buf []byte }

func (t *tail) Write(p []byte) (int, error) {
	const limit = 4 << 10
	if room := limit - len(t.buf); room > 0 {
		t.buf = append(t.buf, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// String is the first line that says what went wrong.
func (t *tail) String() string {
	lines := strings.Split(strings.TrimSpace(string(t.buf)), "\n")
	for _, l := range lines {
		if s, ok := strings.CutPrefix(l, "fatal: "); ok {
			return s
		}
	}
	return lines[0]
}
