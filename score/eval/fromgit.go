package eval

import (
	"path"
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
)

// Change is a commit as [FromChanges] needs it.
type Change struct {
	ID            string
	Subject, Body string
	Files         []string // paths it changed; none for a merge
}

// maxGold is how many source files a change may touch to be a case: a larger
// one is a sweep over the tree, which no ranking of files could know.
const maxGold = 5

// chore matches the subjects of commits that describe no task: releases,
// merges, reverts, dependency bumps, formatting.
var chore = lazy.Regexp(`(?i)^(merge |revert\b|bump |release\b|v?\d+\.\d+|prepare |update (changelog|version|dependenc|deps|submodule)|chore\(deps|build\(deps|fmt$|gofmt|lint|typos?\b|fix typos?\b|wip\b|fixup!|squash!)`)

// FromChanges makes up to n cases out of commits, newest first: the subject
// and first paragraph of the message are the query, the source files changed
// are the gold files, and the tree to search is the commit's first parent.
// source reports whether a file counts: those are the files to be ranked.
//
// Names of the changed files are cut out of the query: the files have to be
// found by what it says.
func FromChanges(repo string, changes []Change, n int, source func(path string) bool) []Case {
	var out []Case
	for _, c := range changes {
		if len(out) == n {
			break
		}
		if len(c.Files) == 0 || chore().MatchString(c.Subject) {
			continue
		}
		var gold []string
		for _, f := range c.Files {
			if source(f) {
				gold = append(gold, f)
			}
		}
		if len(gold) == 0 || len(gold) > maxGold {
			continue
		}
		query := question(c, gold)
		if len(strings.Fields(query)) < 3 {
			continue
		}
		out = append(out, Case{ID: path.Base(repo) + "-" + c.ID[:min(10, len(c.ID))], Repo: repo,
			BaseCommit: c.ID + "^", Query: query, Gold: gold})
	}
	return out
}

var (
	trailer = lazy.Regexp(`(?i)^(signed-off-by|co-authored-by|reviewed-by|closes?|fixes|fix|resolves|refs?|see|issue|pr|change-id|cc)[:\s-]+\S`)
	number  = lazy.Regexp(`\(?#\d+\)?`)
)

// question is the text of a change without trailers, numbers of issues and
// names of the gold files.
func question(c Change, gold []string) string {
	body := strings.TrimSpace(strings.ReplaceAll(c.Body, "\r\n", "\n"))
	para, _, _ := strings.Cut(body, "\n\n")
	lines := []string{c.Subject}
	for line := range strings.Lines(para) {
		line = strings.TrimSpace(line)
		if line != "" && !trailer().MatchString(line) {
			lines = append(lines, line)
		}
	}
	text := number().ReplaceAllString(strings.Join(lines, "\n"), "")
	for _, g := range gold {
		text = strings.ReplaceAll(text, g, "")
		text = strings.ReplaceAll(text, path.Base(g), "")
	}
	return strings.TrimSpace(text)
}
