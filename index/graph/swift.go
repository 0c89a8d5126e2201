package graph

var swiftRules = &rules{
	family: "swift",
	names:  nameRules{unit: unitAll, implicit: true},
	calls:  callRules{ctors: []string{"init"}},
}
