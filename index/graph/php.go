package graph

var phpRules = &rules{
	family: "php",
	names:  nameRules{unit: unitSpace},
	calls:  callRules{ctors: []string{"__construct"}},
}
