package permission

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of a command that is looked into. Beyond them nothing is known of it.
const (
	maxCommand = 64 << 10
	maxSimple  = 500
	maxNesting = 6 // of sh -c within eval within …

	maxBrackets = 100 // open at a time, quoted or not: the parser is recursive
)

// word is one argument. What it will be is known only when it is static. A
// static word with a pattern of file names may become several.
type word struct {
	text   string
	static bool
	glob   bool
}

// risk is a reason why a rule on the first words of a command does not cover all
// of it. A rule that names the word itself does.
type risk struct {
	word, why string
	rule      string // the rule about a path that the word names
}

// simple is one command with its arguments, the name first.
type simple struct {
	args  []word
	risks []risk
	// needsNoRule is set for a command that only runs others, which
	// are judged in its place, or does nothing but print.
	needsNoRule bool
}

func (s simple) dynamic() bool {
	for _, w := range s.args {
		if !w.static {
			return true
		}
	}
	return false
}

// redirect is a file that a command opens.
type redirect struct {
	path  string
	write bool
}

// analysis is what is known of a command before it runs.
type analysis struct {
	simple    []simple
	redirects []redirect
	unknown   []string // reasons why not all of it is known
	moved     bool     // it changes the directory, so relative paths are unknown
}

func (a *analysis) addUnknown(format string, args ...any) {
	if len(a.unknown) < 20 {
		a.unknown = append(a.unknown, fmt.Sprintf(format, args...))
	}
}

// analyze parses a command the way bash does and lists all that it would run.
func analyze(command string) *analysis {
	a := &analysis{}
	a.parse(command, 0)
	return a
}

func (a *analysis) parse(command string, depth int) {
	switch {
	case depth > maxNesting:
		a.addUnknown("commands are nested too deep")
		return
	case len(command) > maxCommand:
		a.addUnknown("the command is too long to be judged")
		return
	case brackets(command) > maxBrackets:
		a.addUnknown("the command is nested too deep")
		return
	case differs(command):
		a.addUnknown("it continues a line within a word, a comment or at its end")
	case !utf8.ValidString(command) || strings.ContainsFunc(command, isControl):
		// Where a line or word ends could be another place for bash.
		a.addUnknown("the command holds control characters")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		a.addUnknown("the command cannot be parsed: %v", err)
		return
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if n != nil {
			a.node(n, depth)
		}
		return true
	})
}

// brackets is how many brackets are open at a time.
func brackets(s string) (most int) {
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '{':
			open++
			most = max(most, open)
		case ')', '}':
			open = max(open-1, 0)
		}
	}
	return most
}

// differs reports whether a backslash before a line end is where the parser
// and bash are known to differ: at the very end, in a comment, and within a word,
// where bash joins "$" and what follows to an expansion.
func differs(command string) bool {
	if strings.HasSuffix(command, `\`) {
		return true
	}
	for i := 0; ; i += 2 {
		n := strings.Index(command[i:], "\\\n")
		if n < 0 {
			return false
		}
		if i += n; i == 0 || command[i-1] != ' ' && command[i-1] != '\t' || strings.ContainsRune(command[:i], '#') {
			return true
		}
	}
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// node looks at one node of the tree; Walk goes into what is below it. What is
// not listed is not understood.
func (a *analysis) node(n syntax.Node, depth int) {
	switch n := n.(type) {
	case *syntax.CallExpr:
		a.assigns(n.Assigns)
		a.call(n.Args, depth)
	case *syntax.DeclClause:
		a.declare(n)
	case *syntax.Redirect:
		a.redirect(n)
	case *syntax.WordIter:
		a.variable(n.Name.Value)
	case *syntax.ParamExp:
		a.param(n)
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
		// A variable in arithmetic is evaluated again, and can hold a[$(command)].
		a.addUnknown("it calculates")
	case *syntax.UnaryTest:
		if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
			a.addUnknown("it evaluates the name of a variable")
		}
	case *syntax.BinaryTest:
		switch n.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			a.addUnknown("it calculates")
		}
	case *syntax.CoprocClause:
		a.addUnknown("it starts a coprocess") // bash separates its name and its command in another way
	case *syntax.FuncDecl:
		if len(n.Names) > 0 || n.Name == nil {
			a.addUnknown("it defines a function without one name")
		}
	case *syntax.File, *syntax.Stmt, *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause,
		*syntax.ForClause, *syntax.CaseClause, *syntax.CaseItem, *syntax.BinaryCmd, *syntax.TimeClause,
		*syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.Comment,
		*syntax.TestClause, *syntax.ParenTest, *syntax.ExtGlob, *syntax.BraceExp, *syntax.Assign, *syntax.ArrayExpr:
	case *syntax.ArrayElem:
		if n.Index != nil {
			a.addUnknown("it calculates an index")
		}
	default:
		a.addUnknown("it holds a construct that is not understood (%s)", strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax."))
	}
}

// param looks at the expansion of a variable. The word that holds it is not
// known; here only what does more than expand counts.
func (a *analysis) param(p *syntax.ParamExp) {
	switch {
	case p.Excl, p.Width, p.IsSet, p.Index != nil, p.Slice != nil, p.Names != 0, p.NestedParam != nil, len(p.Modifiers) > 0:
		a.addUnknown("it expands a variable in a way that can evaluate more")
	case p.Exp != nil:
		switch p.Exp.Op {
		case syntax.AssignUnset, syntax.AssignUnsetOrNull:
			if p.Param != nil {
				a.variable(p.Param.Value)
			}
		case syntax.OtherParamOps:
			a.addUnknown("it expands a variable in a way that can evaluate more") // ${x@P} runs commands
		}
	}
}

// call adds a command and what it runs itself.
func (a *analysis) call(words []*syntax.Word, depth int) {
	if len(words) == 0 {
		return
	}
	args := make([]word, len(words))
	for i, w := range words {
		args[i] = literal(w)
	}
	a.add(args, depth)
}

// add judges a command by its words.
func (a *analysis) add(args []word, depth int) {
	if len(args) == 0 {
		return
	}
	if len(a.simple) >= maxSimple || depth > maxNesting {
		a.addUnknown("it holds too many commands")
		return
	}
	s := simple{args: args}
	if !args[0].static || args[0].glob {
		a.addUnknown("the name of a command is known only when it runs")
		a.simple = append(a.simple, s)
		return
	}
	at := len(a.simple)
	a.simple = append(a.simple, s)
	a.addInner(&s, depth)
	s.risks = append(s.risks, argumentRisks(s.args)...)
	a.simple[at] = s
}

// redirect notes a file that is opened.
func (a *analysis) redirect(r *syntax.Redirect) {
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		a.variable(strings.Trim(r.N.Value, "{}"))
	}
	write := false
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	case syntax.RdrIn:
	case syntax.DplIn, syntax.DplOut:
		if w := literal(r.Word); w.static && strings.Trim(w.text, "0123456789-") == "" {
			return
		}
		write = true
	default:
		write = true
	}
	w := literal(r.Word)
	switch {
	case !w.static:
		a.addUnknown("the file of a redirection is known only when it runs")
	case w.text == "/dev/null", w.text == "/dev/stdin", w.text == "/dev/stdout", w.text == "/dev/stderr":
	default:
		a.redirects = append(a.redirects, redirect{w.text, write})
	}
}

// declare looks at export, declare, local and the like.
func (a *analysis) declare(d *syntax.DeclClause) {
	for _, as := range d.Args {
		if as.Naked {
			if as.Value != nil && !literal(as.Value).static {
				a.addUnknown("what it declares is known only when it runs")
			}
			if as.Value != nil && d.Variant.Value != "export" {
				a.addUnknown("it changes how a variable is understood") // declare -i, -n
			}
		}
	}
	a.assigns(d.Args)
}

func (a *analysis) assigns(list []*syntax.Assign) {
	for _, as := range list {
		if as.Index != nil {
			a.addUnknown("it calculates an index")
		}
		if as.Name != nil && !as.Naked {
			a.variable(as.Name.Value)
		}
	}
}

// variable marks a command as unknown when it sets a variable that makes the shell or
// programs behave otherwise: where commands are found, what is loaded into
// them, what they run.
func (a *analysis) variable(name string) {
	if !harmless(name) {
		a.addUnknown("it sets %s", name)
	}
}
