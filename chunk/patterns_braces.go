package chunk

// modifiers before a definition in the languages of Java's and C's kind.
const modifiers = `(?:[a-z@][\w@.]*(?:\([^)]*\))?\s+)*`

// bracePatterns are the languages whose bodies are in braces.
func bracePatterns() map[string]*patterns {
	m := map[string]patterns{}
	m["perl"] = patterns{defs: []pattern{
		{Function, `^\s*(?:my\s+|async\s+)?(?:sub|method|fun)\s+([\w:']+)`, byBrace},
		{Other, `^\s*(?:package|class|role)\s+([\w:]+)\s*\{`, byBrace},
		{Other, `^\s*package\s+([\w:]+)`, byNext},
		{Const, `^\s*use\s+constant\s+([A-Z]\w*)`, byLine},
	}, imports: []string{`^\s*(?:use|require)\s+([A-Z][\w:]*|"[^"]+"|'[^']+')`}}
	m["raku"] = patterns{defs: []pattern{
		{Function, `^\s*(?:my\s+|our\s+|multi\s+|proto\s+|only\s+)*(?:sub|method|submethod|token|rule|regex)\s+([\w'-]+)`, byBrace},
		{Type, `^\s*(?:my\s+|our\s+|unit\s+)*(?:class|role|grammar|module|package|enum|subset)\s+([\w:'-]+)`, byBrace},
	}, imports: []string{`^\s*(?:use|need)\s+([A-Z][\w:-]*)`}}
	m["r"] = patterns{defs: []pattern{
		{Function, "^\\s*[`\"']?([\\w.]+)[`\"']?\\s*(?:<-|<<-|=)\\s*(?:function|\\\\)\\s*\\(", byBrace},
		{Type, `^\s*(?:[\w.]+\s*(?:<-|=)\s*)?(?:setClass|setRefClass|R6Class|setGeneric|new_class)\(\s*["'](\w[\w.]*)["']`, byParen},
		{Method, `^\s*setMethod\(\s*["']([\w.\[<-]+)["']`, byParen},
		{Var, `^([A-Z_][A-Z0-9_.]+)\s*(?:<-|=)`, byLine},
	}, imports: []string{`^\s*(?:library|require|requireNamespace)\(\s*["']?([\w.]+)`, `^\s*source\(\s*["']([^"']+)`}}
	m["dart"] = patterns{defs: []pattern{
		{Type, `^\s*(?:abstract\s+|base\s+|final\s+|sealed\s+|interface\s+|mixin\s+)*(?:class|mixin|enum|extension(?:\s+type)?)\s+(\w+)`, byBrace},
		{Type, `^\s*typedef\s+(?:[\w<>?, ]+\s+)?(\w+)\s*(?:<[^>]*>)?\s*[=(]`, byBrace},
		{Const, `^(?:const|final)\s+(?:[\w<>?, ]+\s+)?(\w+)\s*=`, byBrace},
		{Function, `^\s*(?:external\s+|static\s+|factory\s+|const\s+|late\s+|covariant\s+)*(?:[\w<>?,. \[\]]+\s+)?(?:get\s+|set\s+|operator\s*)?(\w[\w.]*|==|\[\]=?|[+*/<>-]=?)\s*(?:<[^>]*>)?\s*\([^;]*(?:\{|=>)`, byBrace},
		{Method, `^\s*(?:static\s+)?[\w<>?,. ]+\s+get\s+(\w+)\s*(?:\{|=>|async)`, byBrace},
	}, imports: []string{`^\s*(?:import|export|part(?:\s+of)?)\s+['"]([^'"]+)`}}
	m["zig"] = patterns{defs: []pattern{
		{Function, `^\s*(?:pub\s+|export\s+|extern\s+(?:"\w+"\s+)?|inline\s+|noinline\s+)*fn\s+(\w+)`, byBrace},
		{Type, `^\s*(?:pub\s+)?const\s+(\w+)\s*=\s*(?:extern\s+|packed\s+)?(?:struct|enum|union|error|opaque)\b`, byBrace},
		{Function, `^\s*test\s+"([^"]+)"`, byBrace},
		{Const, `^(?:pub\s+)?const\s+(\w+)`, byLine},
		{Var, `^(?:pub\s+)?(?:threadlocal\s+)?var\s+(\w+)`, byLine},
	}, imports: []string{`@(?:import|cImport|embedFile)\("([^"]+)"`}}
	m["powershell"] = patterns{folded: true, defs: []pattern{
		{Function, `^\s*(?:function|filter|workflow|configuration)\s+(?:global:|script:)?([\w-]+)`, byBrace},
		{Type, `^\s*(?:class|enum)\s+(\w+)`, byBrace},
		{Method, `^\s+(?:static\s+|hidden\s+)*(?:\[[\w.\[\]]+\]\s*)?(\w+)\s*\([^)]*\)\s*\{`, byBrace},
	}, imports: []string{`^\s*(?:Import-Module|using\s+module)\s+([\w./\\-]+)`}}
	objc := patterns{endWords: `@end\b`, defs: []pattern{
		{Type, `^\s*@(?:interface|implementation|protocol)\s+(\w+)(?:[^;]*[^;\s]|\s*)$`, byKeyword},
		{Method, `^\s*[-+]\s*\([^)]*\)\s*(\w+)`, byBrace},
		{Type, `^\s*(?:typedef\s+)?(?:struct|enum|union|NS_ENUM\(\w+,|NS_OPTIONS\(\w+,)\s*(\w+)\s*\)?[^;(]*\{?$`, byBrace},
		{Function, `^(?:[A-Za-z_][\w*<>]*\s+[\w*<> ]*?)\**(\w+)\s*\([^;]*\)?\s*\{?$`, byBrace},
	}, imports: []string{`^\s*#\s*(?:import|include)\s+(<[^>]+>)`, `^\s*#\s*(?:import|include)\s+"([^"]+)"`, `^\s*@import\s+([\w.]+)`}}
	m["objc"], m["objcpp"] = objc, objc
	m["solidity"] = patterns{defs: []pattern{
		{Type, `^\s*(?:abstract\s+)?(?:contract|interface|library|struct|enum)\s+(\w+)`, byBrace},
		{Function, `^\s*(?:function|modifier|event|error)\s+(\w+)`, byBrace},
		{Method, `^\s*(constructor|receive|fallback)\s*\(`, byBrace},
	}, imports: []string{`^\s*import\s+(?:[^"']*\s+from\s+)?["']([^"']+)`}}
	m["graphql"] = patterns{defs: []pattern{
		{Type, `^\s*(?:extend\s+)?(?:type|interface|input|enum|union|scalar)\s+(\w+)`, byBrace},
		{Function, `^\s*(?:query|mutation|subscription|fragment|directive)\s+@?(\w+)`, byBrace},
		{Type, `^\s*(schema)\s*\{`, byBrace},
	}, imports: []string{`^#\s*import\s+(?:.*\s+from\s+)?["']([^"']+)`}}
	m["thrift"] = patterns{defs: []pattern{
		{Type, `^\s*(?:struct|union|exception|enum|service|senum)\s+(\w+)`, byBrace},
		{Type, `^\s*typedef\s+.+\s+(\w+)\s*;?$`, byLine},
		{Const, `^\s*const\s+\S+\s+(\w+)`, byLine},
	}, imports: []string{`^\s*include\s+"([^"]+)"`}}
	return addCurly(m)
}

// addCurly adds the languages that differ in their keywords only.
func addCurly(m map[string]patterns) map[string]*patterns {
	type curly struct{ types, functions, imports string }
	for name, k := range map[string]curly{
		"actionscript": {"class interface", "function", `^\s*import\s+([\w.*]+)`},
		"ballerina":    {"class service type enum", "function", `^\s*import\s+([\w./]+)`},
		"capnp":        {"struct enum interface annotation", "", `import\s+"([^"]+)"`},
		"chapel":       {"class record module enum union", "proc iter", `^\s*(?:use|import)\s+([\w.]+)`},
		"flatbuffers":  {"table struct enum union rpc_service", "", `^\s*include\s+"([^"]+)"`},
		"gleam":        {"type", "fn", `^\s*import\s+([\w/]+)`},
		"hare":         {"type", "fn", `^\s*use\s+([\w:]+)`},
		"haxe":         {"class interface enum abstract typedef", "function", `^\s*(?:import|using)\s+([\w.*]+)`},
		"move":         {"module struct", "fun", `^\s*use\s+([\w:]+)`},
		"noir":         {"struct trait impl mod", "fn", `^\s*use\s+([\w:]+)`},
		"cairo":        {"struct trait impl mod enum", "fn", `^\s*use\s+([\w:]+)`},
		"prisma":       {"model enum type generator datasource", "", ``},
		"qml":          {"component", "function signal", `^\s*import\s+([\w.]+|"[^"]+")`},
		"reason":       {"module type", "let", `^\s*(?:open|include)\s+([\w.]+)`},
		"rescript":     {"module type", "let", `^\s*(?:open|include)\s+([\w.]+)`},
		"smithy":       {"structure service operation resource union enum list map", "", `^\s*use\s+([\w.#]+)`},
		"typespec":     {"model interface enum union namespace", "op", `^\s*import\s+"([^"]+)"`},
		"v":            {"struct interface enum type union", "fn", `^\s*import\s+([\w.]+)`},
		"wgsl":         {"struct", "fn", ``},
		"wit":          {"interface world record variant enum resource package", "", `^\s*(?:use|import)\s+([\w:./@-]+)`},
		"odin":         {"", "", `^\s*import\s+(?:\w+\s+)?"([^"]+)"`},
		"awk":          {"", "function func", `^\s*@include\s+"([^"]+)"`},
		"puppet":       {"class define node", "function", `^\s*include\s+([\w:]+)`},
		"zeek":         {"", "function event hook", `^\s*@load\s+(\S+)`},
		"zephir":       {"class interface", "function", `^\s*use\s+([\w\\]+)`},
		"wren":         {"class", "", `^\s*import\s+"([^"]+)"`},
		"vala":         {"class interface struct enum namespace delegate", "", `^\s*using\s+([\w.]+)`},
		"xtend":        {"class interface enum annotation", "def override", `^\s*import\s+(?:static\s+)?([\w.*]+)`},
		"d":            {"class interface struct enum union template", "", `^\s*(?:public\s+|static\s+)?import\s+([\w.]+)`},
		"yang":         {"module submodule container list grouping typedef rpc", "", `^\s*(?:import|include)\s+([\w-]+)`},
		"scss":         {"", "@mixin @function", `^\s*@(?:import|use|forward)\s+["']([^"']+)`},
		"stylus":       {"", "", `^\s*@(?:import|require)\s+["']([^"']+)`},
		"swig":         {"class struct", "", `^\s*%include\s+"?([\w./]+)`},
		"nextflow":     {"class", "process workflow def", `^\s*include\s*\{[^}]*\}\s*from\s*['"]([^'"]+)`},
		"bicep":        {"type", "func resource module", `^\s*(?:module\s+\w+|import)\s+'([^']+)'`},
	} {
		p := patterns{}
		if k.types != "" {
			p.defs = append(p.defs, pattern{Type, `^\s*` + modifiers + alternatives(k.types) + `\s+([\w:.-]+)`, byBrace})
		}
		if k.functions != "" {
			p.defs = append(p.defs, pattern{Function, `^\s*` + modifiers + alternatives(k.functions) + `\s+(?:\([^)]*\)\s*)?([\w.:-]+)`, byBrace})
		}
		if name == "vala" || name == "d" { // functions without a keyword
			p.defs = append(p.defs, pattern{Function, `^\s*` + modifiers + `[\w<>\[\].?*]+\s+(\w+)\s*\([^;]*$`, byBrace})
		}
		if name == "odin" {
			p.defs = append(p.defs, pattern{Function, `^\s*(\w+)\s*::\s*(?:#\w+\s+)*proc\b`, byBrace}, pattern{Type, `^\s*(\w+)\s*::\s*(?:struct|enum|union|distinct)\b`, byBrace})
		}
		if k.imports != "" {
			p.imports = []string{k.imports}
		}
		m[name] = p
	}
	out := map[string]*patterns{}
	for name, p := range m {
		out[name] = withMatcher(p)
	}
	return out
}
