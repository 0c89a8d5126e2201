package main

import "github.com/topo-dev/topo/answer"

// The records of answers, as the reference of records lists them.
type (
	symbolRecord    = answer.SymbolRecord
	edgeRecord      = answer.EdgeRecord
	rowRecord       = answer.RowRecord
	cycleRecord     = answer.CycleRecord
	communityRecord = answer.CommunityRecord
	statsRecord     = answer.StatsRecord
	orderedObject   = answer.Object
)
