package replay

import (
	"bytes"
	"embed"
	_ "embed"
	"io/fs"
)

//go:embed demo/session.jsonl
var demoSession []byte

//go:embed demo/repo
var demoFiles embed.FS

// Demo is the recording that ships with the program: it repairs the tiny
// repository of [DemoFiles]. It was written by hand and continues only while the
// tools really do what it says.
func Demo() Recording {
	rec, err := Read(bytes.NewReader(demoSession))
	if err != nil {
		panic(err) // the file is part of the binary, and a test reads it
	}
	return rec
}

// DemoFiles is the repository that [Demo] works on, to be written to a folder of
// its own.
func DemoFiles() fs.FS {
	sub, err := fs.Sub(demoFiles, "demo/repo")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return sub
}
