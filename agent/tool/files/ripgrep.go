package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// minRipgrep is the number of files from which starting a process pays.
const minRipgrep = 200

// maxArgs is how many bytes of file names one process is given; every system
// takes as much.
const maxArgs = 100 << 10

// ripgrep returns those of the files that may match, in their order. What it
// names is searched again here, and the answer is the same without it: its
// part is to pass over the many files without a match, at its speed. The
// expression it gets therefore matches whatever ours does, or more.
func ripgrep(ctx context.Context, rg, dir string, q *query, names []string) ([]string, error) {
	pattern, err := rust(q.tree)
	if err != nil {
		return nil, err
	}
	hit := map[string]bool{}
	for len(names) > 0 {
		n, size := 0, 0
		for n < len(names) && size < maxArgs {
			size += len(names[n]) + 1
			n++
		}
		if err := ripgrepBatch(ctx, rg, dir, pattern, names[:n], hit); err != nil {
			return nil, err
		}
		names = names[n:]
	}
	return slices.Sorted(maps.Keys(hit)), nil
}

func ripgrepBatch(ctx context.Context, rg, dir, pattern string, names []string, hit map[string]bool) error {
	args := append([]string{"--no-config", "--no-messages", "--color=never", "--files-with-matches", "--null",
		"--text", "--no-ignore", "--hidden", "--regexp=" + pattern, "--"}, names...)
	cmd := exec.CommandContext(ctx, rg, args...)
	cmd.Dir, cmd.Env = dir, []string{"LC_ALL=C"}
	out, err := cmd.Output()
	var exit *exec.ExitError
	// 1 is "no match". 2 is also given when one file could not be read, and then
	// we cannot know which.
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return fmt.Errorf("run %s: %w", rg, err)
	}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		if len(name) > 0 {
			hit[string(name)] = true
		}
	}
	return nil
}

// rust writes an expression in the dialect of ripgrep. It matches at
// least the lines that ours matches. Every character is written by its number
// and every class by its ranges: nothing depends on how either dialect
// understands a letter. Bytes that are not UTF-8, which our library takes for
// U+FFFD, are added to every class that holds it.
func rust(re *syntax.Regexp) (string, error) {
	var b strings.Builder
	err := writeRust(&b, re)
	return b.String(), err
}

func writeRust(b *strings.Builder, re *syntax.Regexp) error {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpNoWordBoundary:
		b.WriteString("(?:)") // the latter can match between the bytes of a character, which rg refuses
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			writeClass(b, orbit(r, re.Flags&syntax.FoldCase != 0))
		}
	case syntax.OpCharClass:
		if len(re.Rune) == 0 {
			return errors.New("the class is empty")
		}
		writeClass(b, re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		writeClass(b, []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune})
	case syntax.OpBeginLine, syntax.OpBeginText:
		// The byte order mark is not part of our first line.
		b.WriteString(`(?m:^)(?-u:\xEF\xBB\xBF)?`)
	case syntax.OpEndLine, syntax.OpEndText:
		b.WriteString(`\r?(?m:$)`)
	case syntax.OpWordBoundary:
		b.WriteString(`(?-u:\b)`)
	case syntax.OpCapture:
		return writeGroup(b, re.Sub, "", "")
	case syntax.OpStar:
		return writeGroup(b, re.Sub, "", "*")
	case syntax.OpPlus:
		return writeGroup(b, re.Sub, "", "+")
	case syntax.OpQuest:
		return writeGroup(b, re.Sub, "", "?")
	case syntax.OpRepeat:
		most := ""
		if re.Max >= 0 {
			most = fmt.Sprint(re.Max)
		}
		return writeGroup(b, re.Sub, "", fmt.Sprintf("{%d,%s}", re.Min, most))
	case syntax.OpConcat:
		return writeGroup(b, re.Sub, "", "")
	case syntax.OpAlternate:
		return writeGroup(b, re.Sub, "|", "")
	default:
		return fmt.Errorf("%v has no equal", re.Op)
	}
	return nil
}

func writeGroup(b *strings.Builder, subs []*syntax.Regexp, between, after string) error {
	b.WriteString("(?:")
	for i, sub := range subs {
		if i > 0 {
			b.WriteString(between)
		}
		if err := writeRust(b, sub); err != nil {
			return err
		}
	}
	b.WriteString(")" + after)
	return nil
}

// writeClass writes a class from pairs of first and last rune.
func writeClass(b *strings.Builder, ranges []rune) {
	invalid := false
	if len(ranges) == 2 && ranges[0] == ranges[1] && ranges[0] != unicode.ReplacementChar {
		fmt.Fprintf(b, `\x{%X}`, ranges[0])
		return
	}
	b.WriteString("(?:[")
	for i := 0; i+1 < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		invalid = invalid || lo <= unicode.ReplacementChar && unicode.ReplacementChar <= hi
		// Surrogates are no characters in that dialect.
		if lo < 0xD800 && hi > 0xDFFF {
			fmt.Fprintf(b, `\x{%X}-\x{D7FF}\x{E000}-\x{%X}`, lo, hi)
			continue
		}
		if lo >= 0xD800 && lo <= 0xDFFF {
			lo = 0xE000
		}
		if hi >= 0xD800 && hi <= 0xDFFF {
			hi = 0xD7FF
		}
		if lo <= hi {
			fmt.Fprintf(b, `\x{%X}-\x{%X}`, lo, hi)
		}
	}
	b.WriteByte(']')
	if invalid {
		b.WriteString(`|(?-u:[\x80-\xFF])`)
	}
	b.WriteByte(')')
}

// orbit is the class of a rune and, when case counts for nothing, of those that
// our library takes for the same.
func orbit(r rune, fold bool) []rune {
	class := []rune{r, r}
	for f := unicode.SimpleFold(r); fold && f != r; f = unicode.SimpleFold(f) {
		class = append(class, f, f)
	}
	return class
}
