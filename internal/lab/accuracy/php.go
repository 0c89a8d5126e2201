package main

import (
	"context"
	"embed"
	"os"
	"path/filepath"
)

//go:embed oracle/php
var phpScripts embed.FS

// askPHPParser asks PHP-Parser, of imports and calls, about the folders that the
// patterns src name.
func askPHPParser(ctx context.Context, root, src, temp string) (*oracleAnswer, error) {
	dir := filepath.Join(temp, "php")
	if err := os.RemoveAll(dir); err != nil { // CopyFS overwrites nothing
		return nil, err
	}
	if err := os.CopyFS(dir, phpScripts); err != nil {
		return nil, err
	}
	folders, err := foldersLike(root, src)
	if err != nil {
		return nil, err
	}
	args := append([]string{filepath.Join(dir, "oracle", "php", "calls.php"), root}, folders...)
	return ask(ctx, root, "PHP-Parser", "apt-get install php-cli php-parser", "php", nil, args...)
}
