module github.com/topo-dev/topo/internal/lab/accuracy

go 1.26.0

require github.com/topo-dev/topo v0.0.0

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/edsrzf/mmap-go v1.2.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/smacker/go-tree-sitter v0.0.0-20240827094217-dd81d9e9be82 // indirect
	golang.org/x/mod v0.39.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/tools v0.49.0
)

replace github.com/topo-dev/topo => ../../..
