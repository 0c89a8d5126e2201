package agent

import (
	"fmt"
	"slices"
	"strings"
)

// digest is what was done in the messages before the last turns, written
// without a model: the calls in their order, and the required facts.
func (l *loop) digest() string {
	var lines []string
	failed := failures(l.state.Messages)
	for _, m := range l.state.Messages {
		if m.Role != Assistant {
			continue
		}
		if text := firstLine(m.Text(), 160); text != "" {
			lines = append(lines, "- you said: "+text)
		}
		for _, c := range m.Calls() {
			line := fmt.Sprintf("- %s %s", c.Name, firstLine(string(c.Input), 160))
			if failed[c.ID] {
				line += " (failed)"
			}
			lines = append(lines, line)
		}
	}
	text := l.earlierSummary() + strings.Join(lines, "\n")
	return excerpt(text, l.share(doneShare)) + "\n\n" + l.requiredFacts()
}

// earlierSummary is what an earlier compaction said about the messages it removed.
func (l *loop) earlierSummary() string {
	if len(l.state.Messages) == 0 {
		return ""
	}
	for _, b := range l.state.Messages[0].Blocks {
		if rest, ok := strings.CutPrefix(b.Text, doneMark); ok && b.Kind == BlockText {
			return excerpt(rest, l.share(doneShare)/2) + "\n"
		}
	}
	return ""
}

func failures(messages []Message) map[string]bool {
	failed := map[string]bool{}
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == BlockResult && b.Result != nil && b.Result.IsError {
				failed[b.Result.ID] = true
			}
		}
	}
	return failed
}

// requiredFacts is what a summary must keep, whether a model writes the rest or not: the files that were
// changed and the list of what is to be done.
func (l *loop) requiredFacts() string {
	var out []string
	if files := l.touched(); len(files) > 0 {
		out = append(out, "Files changed so far: "+excerpt(strings.Join(files, ", "), l.share(doneShare)/2))
	}
	if todo := l.state.todo; todo != "" {
		out = append(out, "The list of what is to be done:\n"+excerpt(todo, l.share(doneShare)/2))
	}
	return strings.Join(out, "\n\n")
}

// touched lists the files that calls of the session have written, those of
// messages that are gone included.
func (l *loop) touched() []string {
	files := map[string]bool{}
	for _, f := range l.state.touched {
		files[f] = true
	}
	failed := failures(l.state.Messages)
	for _, m := range l.state.Messages {
		for _, c := range m.Calls() {
			i, ok := slices.BinarySearch(l.names, c.Name)
			if !ok || failed[c.ID] || c.Invalid != "" {
				continue
			}
			access, _ := accessOf(l.cfg.Tools[i], c)
			for _, a := range access {
				if a.Op == OpWrite && a.Path != "" && a.Path != "." {
					files[a.Path] = true
				}
			}
		}
	}
	out := make([]string, 0, len(files))
	for f := range files {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}
