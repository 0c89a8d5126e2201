package mcp

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed prompts/*.md
var promptTexts embed.FS

// Prompt is a task that a user picks in the client.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Args        []PromptArg
	Text        string // in which {{name}} is replaced by an argument
}

// PromptArg is a value that the user fills in.
type PromptArg struct {
	Name        string
	Description string
	Default     string // empty makes the argument required
}

// Prompts are the prompts for a code base, sorted by name.
func Prompts() []Prompt {
	list := []Prompt{
		{Name: "explore", Title: "Explore a code base", Description: "Find out what a code base is, how it is laid out and where to start reading",
			Args: []PromptArg{{"focus", "What you care about most, such as: how requests are handled", "the whole"}}},
		{Name: "find_fix", Title: "Find where to fix it", Description: "Find the code that a bug report or a wish is about, and what a change there would touch",
			Args: []PromptArg{{"report", "The bug report or the wish", ""}}},
		{Name: "review_change", Title: "Review a change", Description: "Review what changed since a commit: what it may break, which tests to run, what is missing",
			Args: []PromptArg{{"since", "The commit to compare with", "HEAD"}}},
		{Name: "tidy", Title: "Find what to tidy up", Description: "Pick the few places where tidying up pays most, and say how",
			Args: []PromptArg{{"path", "Only this part of the code base", "the whole repository"}}},
	}
	for i, p := range list {
		text, err := promptTexts.ReadFile("prompts/" + p.Name + ".md")
		if err != nil {
			panic(err) // a file of this package
		}
		list[i].Text = string(text)
	}
	return list
}

func (p Prompt) sdk() *mcp.Prompt {
	out := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Args {
		out.Arguments = append(out.Arguments, &mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Default == ""})
	}
	return out
}

// maxArg bounds an argument of a prompt, in bytes.
const maxArg = 100_000

func (p Prompt) get(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	var pairs []string
	for _, a := range p.Args {
		v := strings.TrimSpace(req.Params.Arguments[a.Name])
		if v == "" {
			v = a.Default
		}
		if v == "" {
			return nil, badArg("prompt %s: the argument %s is missing: %s", p.Name, a.Name, a.Description)
		}
		if len(v) > maxArg {
			return nil, badArg("prompt %s: the argument %s is longer than %d bytes", p.Name, a.Name, maxArg)
		}
		pairs = append(pairs, "{{"+a.Name+"}}", v)
	}
	text := strings.NewReplacer(pairs...).Replace(p.Text)
	return &mcp.GetPromptResult{Description: p.Description, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
}

func badArg(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
