package scan

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// benchTree is the tree that TOPO_BENCH_ROOT names, or one of 4,000 small files.
func benchTree(b *testing.B) string {
	if dir := os.Getenv("TOPO_BENCH_ROOT"); dir != "" {
		return dir
	}
	dir := b.TempDir()
	text := strings.Repeat("package x // some text\n", 100)
	for i := range 4000 {
		write(b, dir, "d"+strconv.Itoa(i%40)+"/e"+strconv.Itoa(i%400)+"/f"+strconv.Itoa(i)+".go", text)
	}
	write(b, dir, ".gitignore", "*.o\n/build/\nnode_modules/\n")
	return dir
}

func benchScan(b *testing.B, o Options) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(context.Background(), o); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScanCold(b *testing.B) { benchScan(b, Options{Root: benchTree(b)}) }

func BenchmarkScanWarm(b *testing.B) {
	o := Options{Root: benchTree(b), StatCache: filepath.Join(b.TempDir(), "stat")}
	if _, err := Run(context.Background(), o); err != nil {
		b.Fatal(err)
	}
	benchScan(b, o)
}

func BenchmarkGitIndex(b *testing.B) {
	home, dir := b.TempDir(), b.TempDir()
	needGit(b)
	git(b, home, dir, "init", "-q")
	for i := range 2000 {
		write(b, dir, "d"+strconv.Itoa(i%40)+"/f"+strconv.Itoa(i)+".go", "x")
	}
	git(b, home, dir, "add", ".")
	data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseGitIndex(data, 20); err != nil {
			b.Fatal(err)
		}
	}
}
