package chunk

// Ruby writes a call without arguments like a variable: such calls of the
// receiver itself are not distinguished from locals and are not among the calls.
var rubyFacts = factSpec{
	chain: map[string]step{
		"identifier":               {leaf: true},
		"constant":                 {leaf: true},
		"self":                     {leaf: true},
		"super":                    {leaf: true},
		"instance_variable":        {leaf: true},
		"class_variable":           {leaf: true},
		"scope_resolution":         {base: "scope", name: "name", optional: true},
		"call":                     {base: "receiver", name: "method", add: "()", optional: true},
		"element_reference":        {base: "object", add: "[]"},
		"parenthesized_statements": {base: "<"},
		"string":                   {text: "String{}"},
		"integer":                  {text: "Integer{}"},
		"array":                    {text: "Array{}"},
		"hash":                     {text: "Hash{}"},
	},
	calls: []string{"call"},
	decls: map[string]decl{
		"assignment": {name: "left", value: "right", assigns: true},
	},
	params: map[string]decl{
		"identifier":           {name: "."},
		"optional_parameter":   {name: "name"},
		"splat_parameter":      {name: "name"},
		"hash_splat_parameter": {name: "name"},
		"keyword_parameter":    {name: "name"},
		"block_parameter":      {name: "name"},
	},
	funcs:  []string{"method", "singleton_method", "block", "do_block", "lambda"},
	types:  map[string]string{"class": "class", "module": "trait"},
	bases:  []string{"superclass"},
	values: []string{"argument_list", "assignment", "return", "pair", "array"},
	self:   "self",
	binds:  func(*factWalk, int) {},

	decisions: []string{"if", "elsif", "unless", "while", "until", "for", "when", "rescue", "if_modifier", "unless_modifier", "while_modifier", "until_modifier", "conditional"},
	logic:     []string{"binary"},
	nesting:   []string{"if", "unless", "while", "until", "for", "case", "rescue", "if_modifier", "unless_modifier", "while_modifier", "until_modifier", "conditional"},
	deeper:    []string{"block", "do_block", "lambda"},
	flat:      []string{"elsif", "else"},
	opts:      factOptions{implicit: true},
}
