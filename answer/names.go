package answer

// The names of the records of answers, which [stream.Marshal] writes. Those of the
// answers themselves are in their [Head].

// RecordKind implements [stream.Named].
func (SymbolRecord) RecordKind() string { return "symbol" }

// RecordKind implements [stream.Named].
func (EdgeRecord) RecordKind() string { return "edge" }

// RecordKind implements [stream.Named].
func (RowRecord) RecordKind() string { return "row" }

// RecordKind implements [stream.Named].
func (CycleRecord) RecordKind() string { return "cycle" }

// RecordKind implements [stream.Named].
func (CommunityRecord) RecordKind() string { return "community" }

// RecordKind implements [stream.Named].
func (StatsRecord) RecordKind() string { return "stats" }

// RecordKind implements [stream.Named].
func (HotspotRecord) RecordKind() string { return "hotspot" }

// RecordKind implements [stream.Named].
func (OutlineFile) RecordKind() string { return "outline-file" }

// RecordKind implements [stream.Named].
func (OutlineEntry) RecordKind() string { return "definition" }

// RecordKind implements [stream.Named].
func (Folder) RecordKind() string { return "folder" }
