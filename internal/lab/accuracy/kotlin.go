package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed oracle/KotlinCalls.java
var kotlinScript []byte

const kotlinInstall = "get kotlin-compiler-embeddable 1.9.25 and its dependencies from Maven Central, and set KOTLIN_JARS=<their folder>"

// askKotlin asks the Kotlin compiler, of imports and calls, about the folders
// that the patterns src name. The libraries are patterns of jars in the folder of
// the compiler, where the standard library always counts.
func askKotlin(ctx context.Context, root, src, libraries, temp string) (*oracleAnswer, error) {
	compiler := os.Getenv("KOTLIN_JARS")
	if compiler == "" {
		return nil, errors.New("kotlin: KOTLIN_JARS is not set: " + kotlinInstall)
	}
	dirs, err := foldersLike(root, src)
	if err != nil {
		return nil, err
	}
	var jars []string
	for _, p := range append([]string{"kotlin-stdlib-*.jar"}, strings.Fields(libraries)...) {
		list, err := filepath.Glob(filepath.Join(compiler, p))
		if err != nil || len(list) == 0 {
			return nil, fmt.Errorf("kotlin: no jar in %s is like %q (%w): %s", compiler, p, err, kotlinInstall)
		}
		jars = append(jars, list...)
	}
	script := filepath.Join(temp, "KotlinCalls.java") // java does not read a pipe
	if err := os.WriteFile(script, kotlinScript, 0o600); err != nil {
		return nil, err
	}
	args := append([]string{"-cp", filepath.Join(compiler, "*"), script, root, strings.Join(jars, string(os.PathListSeparator))}, dirs...)
	return ask(ctx, root, "kotlin", kotlinInstall, "java", nil, args...)
}
