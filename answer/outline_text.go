package answer

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/topo-dev/topo/internal/english"
)

// Limits of a text.
const (
	shownImports = 30
	hardToRead   = 15 // cognitive complexity above which SonarSource's rule complains
)

// Text lists the definitions by line, or the files, or the folders.
func (a *Outline) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	name := Visible(cmp.Or(a.Path, "the repository"))
	switch {
	case a.Denied:
		t.line("%s: not shown, a rule denies reading it.", name)
	case len(a.Folders) > 0:
		t.line("%s: %s", name, english.Count(a.TotalFiles, "file"))
		for _, f := range a.Folders {
			t.folder(f)
		}
	case len(a.Files) == 1 && a.Files[0].Path == a.Path:
		a.fileText(t, &a.Files[0])
	default:
		t.line("%s: %s", name, english.Count(a.TotalFiles, "file"))
		for i := range a.Files {
			f := &a.Files[i]
			t.line("%s  (%s)%s", Visible(f.Path), f.described(), f.mainText())
		}
	}
}

func (t *text) folder(f Folder) {
	if !strings.HasSuffix(f.Path, "/") {
		t.line("%s  (~%d tokens)", Visible(f.Path), f.Tokens)
		return
	}
	mostly := ""
	if f.Language != "" {
		mostly = ", mostly " + f.Language
	}
	t.line("%s  %s, ~%d tokens%s", Visible(f.Path), english.Count(f.Files, "file"), f.Tokens, mostly)
}

func (f *OutlineFile) described() string {
	what := string(f.Role)
	if f.Language != "" {
		what = f.Language + " " + what
	}
	return fmt.Sprintf("%s, ~%d tokens", what, f.Tokens)
}

func (f *OutlineFile) mainText() string {
	if len(f.Main) == 0 {
		return ""
	}
	names := make([]string, len(f.Main))
	for i, n := range f.Main {
		names[i] = Visible(n)
	}
	if f.Definitions > len(names) {
		names = append(names, fmt.Sprintf("… (%d definitions)", f.Definitions))
	}
	return ": " + strings.Join(names, ", ")
}

// fileText shows a file: what it imports, and its definitions, what is inside of
// others indented, with the complexity of those that are hard to read.
func (a *Outline) fileText(t *text, f *OutlineFile) {
	if f.Skipped != "" {
		t.line("%s: the content is not used (%s).", Visible(f.Path), f.Skipped)
		return
	}
	t.line("%s  (%s, %d lines)", Visible(f.Path), f.described(), a.Lines)
	if len(a.Imports) > 0 {
		var names []string
		for _, i := range a.Imports[:min(len(a.Imports), shownImports)] {
			names = append(names, Visible(i))
		}
		if more := len(a.Imports) - shownImports; more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		t.line("imports: %s", strings.Join(names, ", "))
	}
	for _, d := range a.Definitions {
		depth, note, what := 0, "", Visible(d.Signature)
		if d.Scope != "" {
			depth = 1 + strings.Count(d.Scope, ".")
		}
		if d.Cognitive > hardToRead {
			note = fmt.Sprintf("  [cognitive complexity %d]", d.Cognitive)
		}
		if what == "" || d.Kind == "section" {
			what = d.Kind + " " + Visible(d.Name)
		}
		t.line("%6d-%-6d%s%s%s", d.Line, d.EndLine, strings.Repeat("  ", min(depth, 6)), what, note)
	}
}
