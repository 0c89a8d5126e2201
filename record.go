package topo

// RecordKind is the name of what [Repo.Inspect] returns, in JSON.
func (*IndexInfo) RecordKind() string { return "index" }

// RecordKind is the name of what [Repo.InspectFile] returns, in JSON.
func (*FileInfo) RecordKind() string { return "indexed-file" }
