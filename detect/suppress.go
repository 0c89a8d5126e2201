package detect

import (
	"bytes"
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/scan/lang"
)

// ignoring matches the comment that suppresses findings: "topo:ignore ID[,ID…]
// reason" on the line of the finding or in the lines of comment right above,
// and "topo:ignore-file ID[,ID…] reason" in the first 30 lines of the file.
// Without an ID nothing is suppressed: that would hide detectors added later.
var ignoring = lazy.Regexp(`\btopo:ignore(-file)?[ \t]+([a-z0-9-]+(?:[ \t]*,[ \t]*[a-z0-9-]+)*)`)

const (
	headLines  = 30 // of a file that may hold topo:ignore-file
	aboveLines = 20 // looked at above a finding
)

// suppress leaves out the findings that a comment suppresses.
func suppress(c *Code, all []Finding) (*Result, error) {
	res := &Result{Findings: []Finding{}}
	var path string
	var lines [][]byte
	var language *lang.Language
	for _, f := range all {
		if file := c.byPath[f.Path]; file != nil && f.Path != path {
			content, err := c.Content(file)
			if err != nil {
				return nil, err
			}
			path, lines, language = f.Path, nil, lang.SyntaxOf(file.Language)
			if bytes.Contains(content, []byte("topo:ignore")) {
				lines = bytes.Split(content, []byte("\n"))
			}
		}
		if f.Path == path && lines != nil && suppressed(language, lines, f) {
			res.Suppressed++
			continue
		}
		res.Findings = append(res.Findings, f)
	}
	return res, nil
}

func suppressed(language *lang.Language, lines [][]byte, f Finding) bool {
	for _, l := range lines[:min(len(lines), headLines)] {
		if suppresses(l, true, f.Detector) {
			return true
		}
	}
	if f.Line < 1 || f.Line > len(lines) {
		return false
	}
	if suppresses(lines[f.Line-1], false, f.Detector) {
		return true
	}
	for i := f.Line - 2; i >= max(0, f.Line-1-aboveLines); i-- {
		if !comment(language, lines[i]) {
			return false
		}
		if suppresses(lines[i], false, f.Detector) {
			return true
		}
	}
	return false
}

// comment reports whether a line looks like one of a comment or a decorator.
func comment(language *lang.Language, line []byte) bool {
	s := strings.TrimSpace(string(line))
	return strings.HasPrefix(s, "@") || language.IsComment(s)
}

// suppresses reports whether a line suppresses the findings of a detector.
func suppresses(line []byte, wholeFile bool, detector string) bool {
	for _, m := range ignoring().FindAllSubmatch(line, 8) {
		if (len(m[1]) > 0) != wholeFile {
			continue
		}
		for id := range strings.SplitSeq(string(m[2]), ",") {
			if strings.TrimSpace(id) == detector {
				return true
			}
		}
	}
	return false
}
