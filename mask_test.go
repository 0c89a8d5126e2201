package topo_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo"
)

// TestSecretsAreMasked: what is printed of a file holds no credential, in any
// format, whole or in parts, and says how many there are.
func TestSecretsAreMasked(t *testing.T) {
	dir := t.TempDir()
	key := randomKey()
	text := "package deploy\n\n// Token authorises the deployment.\nconst Token = \"" + key + "\"\n\nfunc deploy(token string) string { return \"" + key + "\" + token }\n"
	long := text + strings.Repeat("// filler of the deployment\n", 800)
	for name, content := range map[string]string{"deploy.go": text, "long.go": long, "wide.go": "package deploy\n\nfunc deployToken" + strings.Repeat("Again", 14) + "() string { return \"" + key + "\" } // deploy token\n",
		"notes.txt": "deploy with\ntoken: " + key + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	var notes []string
	repo, err := topo.Open(ctx, dir, topo.Options{Report: topo.Report{Note: func(s string) { notes = append(notes, s) }}})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	for _, budget := range []topo.Budget{{}, {MaxTokens: 1500, Tokenizer: "bytes"}} {
		for _, format := range []string{"markdown", "xml", "json", "jsonl"} {
			s, _, err := repo.Quick(ctx, "deploy token", topo.QuickOptions{Select: topo.SelectOptions{Budget: budget}})
			if err != nil {
				t.Fatal(err)
			}
			var stream, out, shown bytes.Buffer
			if err := s.Write(&stream); err != nil {
				t.Fatal(err)
			}
			if err := repo.Render(ctx, &out, s, topo.RenderOptions{Format: format, Budget: budget}); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(stream.String()+out.String(), key) || !strings.Contains(out.String(), "[secret: ") || !strings.Contains(strings.ToLower(out.String()), "masked") {
				t.Errorf("%s, %+v: %s", format, budget, out.String()[:min(out.Len(), 1500)])
			}
			if err := repo.Render(ctx, &shown, s, topo.RenderOptions{Format: format, Budget: budget, ShowSecrets: true}); err != nil || !strings.Contains(shown.String(), key) {
				t.Errorf("%s, %+v: not shown though asked for: %v", format, budget, err)
			}
		}
	}
	if !strings.Contains(strings.Join(notes, "\n"), "masked; --show-secrets prints them") {
		t.Errorf("nothing is said of it: %q", notes)
	}
	list, err := repo.Explain(ctx, "deploy token", topo.ExplainOptions{Query: topo.QueryOptions{}, Top: 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		for _, r := range e.Reasons {
			for _, l := range r.Lines {
				if strings.Contains(l.Text, key[:12]) {
					t.Errorf("explain shows the key: %s", l.Text)
				}
			}
		}
	}
}

// randomKey is a token of GitHub's form. It is made when the test runs, since
// hosting services refuse what looks like one.
func randomKey() string {
	key := "ghp_"
	for i, seed := 0, uint32(7); i < 36; i++ {
		seed = seed*1664525 + 1013904223
		key += string("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[(seed>>8)%62])
	}
	return key
}
