package topo_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo"
)

// project makes a small project in a temporary folder.
func project() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "topo-example-")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{
		"auth/session.go":      "package auth\n\n// Expired reports whether a session has ended.\nfunc Expired(s Session) bool { return s.End.Before(now()) }\n",
		"auth/login.go":        "package auth\n\n// Login starts a session.\nfunc Login(user, password string) (Session, error) { return start(user) }\n",
		"store/store.go":       "package store\n\n// Save writes a record to the disk.\nfunc Save(r Record) error { return write(r) }\n",
		"docs/sessions.md":     "# Sessions\n\nA session ends after an hour.\n",
		".topo/features.yaml":  "features:\n  auth:\n    include: [\"auth/**\"]\n",
		"store/testdata/x.txt": "x\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	return dir, func() { os.RemoveAll(dir) }
}

// Find the files that a task is about.
func ExampleRepo_Quick() {
	dir, remove := project()
	defer remove()
	ctx := context.Background()

	repo, err := topo.Open(ctx, dir, topo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	found, _, err := repo.Quick(ctx, "session expired", topo.QuickOptions{Select: topo.SelectOptions{Budget: topo.Budget{Top: 2}}})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range found.Files() {
		fmt.Println(f.Path)
	}
	// Output:
	// auth/session.go
}

// Print the code of a task for a model, within a budget.
func ExampleRepo_Render() {
	dir, remove := project()
	defer remove()
	ctx := context.Background()

	repo, err := topo.Open(ctx, dir, topo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	found, _, err := repo.Quick(ctx, "save a record", topo.QuickOptions{Select: topo.SelectOptions{Budget: topo.Budget{Top: 1}}})
	if err != nil {
		log.Fatal(err)
	}
	var out strings.Builder
	if err := repo.Render(ctx, &out, found, topo.RenderOptions{Format: "paths"}); err != nil {
		log.Fatal(err)
	}
	fmt.Print(out.String())
	// Output:
	// store/store.go
}

// Say why a file ranks where it does.
func ExampleRepo_Explain() {
	dir, remove := project()
	defer remove()
	ctx := context.Background()

	repo, err := topo.Open(ctx, dir, topo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	list, err := repo.Explain(ctx, "login password", topo.ExplainOptions{Query: topo.QueryOptions{}, Top: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range list {
		fmt.Println(e.Path)
		for _, r := range e.Reasons {
			fmt.Printf("  %s: %s\n", r.Kind, r.Text)
		}
	}
	// Output:
	// auth/login.go
	//   words: 2 of the task's 2: login 2×, password 1×
	//   defines: Login, lines 3-4
	//   path: its path names login
}

// Open a folder below the root: answers are narrowed to it.
func ExampleOpen() {
	dir, remove := project()
	defer remove()
	ctx := context.Background()

	repo, err := topo.Open(ctx, filepath.Join(dir, "store"), topo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	found, _, err := repo.Quick(ctx, "session record", topo.QuickOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("in", repo.Dir())
	for _, f := range found.Files() {
		fmt.Println(f.Path)
	}
	// Output:
	// in store
	// store/store.go
}

// The kind of an error tells whose fault it is.
func ExampleKindOf() {
	_, err := topo.Open(context.Background(), "no/such/folder", topo.Options{})
	fmt.Println(topo.KindOf(err) == topo.Usage)
	fmt.Println(err)
	// Output:
	// true
	// root no/such/folder: no such directory; give an existing one with --root
}
