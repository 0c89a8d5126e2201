package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Import takes over the snapshots of another store of the same tree. The folder is
// not trusted: git computes the name of each object from its content, and a
// snapshot counts only when its tree is among them.
func (s *Store) Import(ctx context.Context, dir string) error {
	entries, err := os.ReadDir(filepath.Join(dir, "refs", "trees"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if isID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.copyObjects(ctx, filepath.Join(dir, "objects")); err != nil {
		return err
	}
	out, err := s.git(ctx, strings.Join(ids, "\n")+"\n", "cat-file", "--batch-check=%(objectname) %(objecttype)")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		if id, ok := strings.CutSuffix(strings.TrimSpace(line), " tree"); ok {
			if err := s.writeRef(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyObjects packs the objects of a folder and unpacks them into the store under
// the names that follow from their contents. Only the objects of the folder are
// read, with the configuration of this store.
func (s *Store) copyObjects(ctx context.Context, objects string) error {
	env := append(s.storeEnv(), "GIT_OBJECT_DIRECTORY="+objects)
	list, err := runGit(ctx, s.root, env, nil, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
	if err != nil || len(list) == 0 {
		return err
	}
	pack, err := gitCommand(ctx, s.root, env, "pack-objects", "--stdout", "-q")
	if err != nil {
		return err
	}
	r, w := io.Pipe()
	pack.Stdin, pack.Stdout = strings.NewReader(string(list)), w
	packed := make(chan error, 1)
	go func() {
		err := pack.Run()
		w.CloseWithError(err)
		packed <- err
	}()
	_, err = runGit(ctx, s.root, s.storeEnv(), r, "index-pack", "--stdin", "--fix-thin")
	r.Close()
	if perr := <-packed; perr != nil {
		return fmt.Errorf("snapshot: git pack-objects: %w", perr)
	}
	return err
}
