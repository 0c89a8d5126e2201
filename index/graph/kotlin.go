package graph

var kotlinRules = kotlinRulesOf("kotlin")

// kotlinRulesOf are those of a language of the JVM whose files hold functions
// and types of any name.
func kotlinRulesOf(language string) *rules {
	r := jvmRules(language)
	r.imports.anyFile = true
	return r
}
