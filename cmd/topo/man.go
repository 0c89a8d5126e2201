package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// manPages are the manual pages in roff, by file name: one for topo and one a
// command.
func manPages(root *cobra.Command) map[string][]byte {
	pages := map[string][]byte{"topo.1": manPage(root)}
	for _, c := range documented(root) {
		if c.Name() != "help" && c.Name() != "completion" {
			pages[strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"] = manPage(c)
		}
	}
	return pages
}

func manPage(c *cobra.Command) []byte {
	var b bytes.Buffer
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"topo\" \"Topo Manual\"\n", roff(strings.ToUpper(name)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n", roff(name), roff(c.Short), roff(c.UseLine()))
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	b.WriteString(".SH DESCRIPTION\n.nf\n" + roff(text) + "\n.fi\n")
	manFlags(&b, "OPTIONS", flagInfos(c.LocalNonPersistentFlags()))
	manFlags(&b, "GLOBAL OPTIONS", flagInfos(c.Root().PersistentFlags()))
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range exitCodes {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", e.Code, roff(e.Meaning))
	}
	b.WriteString(".SH EXAMPLES\n.nf\n" + roff(c.Example) + "\n.fi\n")
	if !c.HasParent() {
		b.WriteString(".SH SEE ALSO\n")
		for _, sub := range c.Commands() {
			if !sub.Hidden && sub.Name() != "help" && sub.Name() != "completion" {
				fmt.Fprintf(&b, ".BR topo\\-%s (1)\n", roff(sub.Name()))
			}
		}
	} else {
		b.WriteString(".SH SEE ALSO\n.BR topo (1)\n")
	}
	return b.Bytes()
}

func manFlags(b *bytes.Buffer, title string, flags []flagInfo) {
	if len(flags) == 0 {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	for _, f := range flags {
		name := "--" + f.Name
		if f.Short != "" {
			name = "-" + f.Short + ", " + name
		}
		if f.Type != "bool" {
			name += " " + f.Type
		}
		doc := f.Doc
		if f.Default != "" && f.Default != "false" {
			doc += " (default " + f.Default + ")"
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(doc))
	}
}

// roff escapes text: a backslash, a hyphen that must stay one, and a line that
// would be taken for a request.
func roff(text string) string {
	text = strings.ReplaceAll(text, `\`, `\e`)
	text = strings.ReplaceAll(text, "-", `\-`)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
