package graph

var csharpRules = &rules{
	family: "csharp",
	names:  nameRules{unit: unitSpace, implicit: true},
	calls:  callRules{ctors: []string{"."}},
}
