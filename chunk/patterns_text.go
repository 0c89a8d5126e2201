package chunk

// textPatterns are build files, documents, configuration and assembly.
func textPatterns() map[string]*patterns {
	m := map[string]patterns{
		"makefile": {endWords: `endef\b`, defs: []pattern{
			{Function, `^define\s+([\w.-]+)`, byKeyword},
			{Function, `^([A-Za-z0-9_./%$(){}-][^:=#\t]*?)\s*::?(?:[^=]|$)`, byIndent},
			{Var, `^(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(?:[:?+!]|::)?=`, byLine},
		}, imports: []string{`^-?s?include\s+(\S+)`}},
		"assembly": {defs: []pattern{
			{Function, `^(?:TEXT|GLOBL|DATA)\s+([^\s(,]+)`, byNext},
			{Function, `^\s*(?:\.macro|%macro)\s+(\w+)`, byNext},
			{Function, `^([A-Za-z_$?@][\w$?@.]*):`, byNext},
		}, imports: []string{`^\s*[#.%]?include\s+["<]?([^">\s]+)`}},
		"llvm": {defs: []pattern{
			{Function, `^(?:define|declare)\s.*@("?[\w.$-]+"?)\(`, byBrace}, {Type, `^(%[\w."-]+)\s*=\s*type`, byLine}, {Var, `^(@[\w."-]+)\s*=`, byLine},
		}},
		"restructuredtext": {defs: []pattern{
			{Section, `^\.\.\s+_([^:]+):\s*$`, byNext}, {Function, `^\.\.\s+(?:[\w-]+:)?(?:function|method|class|option|attribute|data|module)::\s*([\w.~-]+)`, byIndent},
		}},
		"asciidoc":        {defs: []pattern{{Section, `^=\s+(.+)`, byNext}, {Section, `^={2}\s+(.+)`, byNext}, {Section, `^={3}\s+(.+)`, byNext}, {Section, `^={4,6}\s+(.+)`, byNext}}, imports: []string{`^include::([^\[]+)`}},
		"org":             {defs: []pattern{{Section, `^\*\s+(.+)`, byNext}, {Section, `^\*{2}\s+(.+)`, byNext}, {Section, `^\*{3,}\s+(.+)`, byNext}}},
		"latex":           {defs: []pattern{{Section, `^\s*\\(?:part|chapter)\*?(?:\[[^\]]*\])?\{([^}]+)`, byNext}, {Section, `^\s*\\section\*?(?:\[[^\]]*\])?\{([^}]+)`, byNext}, {Section, `^\s*\\subsection\*?(?:\[[^\]]*\])?\{([^}]+)`, byNext}, {Function, `^\s*\\(?:(?:re)?newcommand|def|newenvironment)\*?\{?\\?(\w+)`, byBrace}}, imports: []string{`\\(?:usepackage|input|include|RequirePackage)(?:\[[^\]]*\])?\{([^},]+)`}},
		"typst":           {defs: []pattern{{Section, `^=\s+(.+)`, byNext}, {Section, `^={2,}\s+(.+)`, byNext}, {Function, `^\s*#?let\s+([\w-]+)`, byBrace}}, imports: []string{`^\s*#?(?:import|include)\s+"([^"]+)"`}},
		"ini":             {defs: []pattern{{Section, `^\s*\[([^\]]+)\]`, byNext}}},
		"systemd":         {defs: []pattern{{Section, `^\s*\[([^\]]+)\]`, byNext}}},
		"git-config":      {defs: []pattern{{Section, `^\s*\[([^\]]+)\]`, byNext}}, imports: []string{`^\s*path\s*=\s*(\S+)`}},
		"editorconfig":    {defs: []pattern{{Section, `^\s*\[([^\]]+)\]`, byNext}}},
		"bibtex":          {defs: []pattern{{Section, `^\s*@\w+\{([^,\s]+)`, byBrace}}},
		"meson":           {defs: []pattern{{Other, `^\s*(?:\w+\s*=\s*)?(?:executable|library|static_library|shared_library|custom_target|test|project)\(\s*'([^']+)'`, byParen}, {Var, `^(\w+)\s*=`, byLine}}, imports: []string{`^\s*subdir\('([^']+)'`}},
		"gn":              {defs: []pattern{{Other, `^\s*\w+\("([^"]+)"\)\s*\{`, byBrace}}, imports: []string{`^\s*import\("([^"]+)"`}},
		"soong":           {defs: []pattern{{Other, `^(\w+)\s*\{`, byBrace}}},
		"ninja":           {defs: []pattern{{Function, `^(?:rule|pool)\s+(\S+)`, byIndent}, {Other, `^build\s+([^:]+):`, byIndent}}, imports: []string{`^(?:include|subninja)\s+(\S+)`}},
		"yacc":            {defs: []pattern{{Function, `^([a-zA-Z_]\w*)\s*:?\s*$`, byIndent}, {Function, `^([a-zA-Z_]\w*)\s*:`, byIndent}}},
		"bison":           {defs: []pattern{{Function, `^([a-zA-Z_][\w.]*)\s*:?\s*$`, byIndent}, {Function, `^([a-zA-Z_][\w.]*)\s*:`, byIndent}}},
		"antlr":           {defs: []pattern{{Function, `^(?:fragment\s+)?([a-zA-Z_]\w*)\s*:?\s*$`, byIndent}, {Function, `^(?:fragment\s+)?([a-zA-Z_]\w*)\s*:`, byIndent}}, imports: []string{`^import\s+(\w+)`}},
		"ebnf":            {defs: []pattern{{Function, `^([\w-]+)\s*(?:::?=|=)`, byIndent}}},
		"go-module":       {defs: []pattern{{Other, `^module\s+(\S+)`, byLine}}, imports: []string{`^\s*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+v\d`}},
		"batch":           {folded: true, defs: []pattern{{Function, `^\s*:([\w-]+)`, byNext}}},
		"java-properties": {defs: []pattern{}},
		"nginx":           {defs: []pattern{{Section, `^\s*((?:server|http|events|stream|upstream|location|map)\b[^{;]*)\{`, byBrace}}, imports: []string{`^\s*include\s+([^;]+)`}},
		"caddyfile":       {defs: []pattern{{Section, `^([^\s{#][^{]*?)\s*\{\s*$`, byBrace}}, imports: []string{`^\s*import\s+(\S+)`}},
		"apacheconf":      {endWords: `</`, defs: []pattern{{Section, `^\s*<(\w+[^>]*)>`, byKeyword}}, imports: []string{`^\s*Include(?:Optional)?\s+(\S+)`}},
		"less":            {defs: []pattern{{Function, `^\s*([.#][\w-]+)\s*\([^)]*\)\s*(?:when[^{]*)?\{`, byBrace}, {Var, `^(@[\w-]+)\s*:`, byLine}, {Section, `^([.#\w:@&][^;{]*?)\s*\{\s*$`, byBrace}}, imports: []string{`^\s*@import\s+(?:\([^)]*\)\s*)?["']([^"']+)`}},
		"sass":            {defs: []pattern{{Function, `^\s*(?:@mixin|@function|=)\s*([\w-]+)`, byIndent}, {Var, `^(\$[\w-]+)\s*:`, byLine}, {Section, `^([.#\w&][^:]*)$`, byIndent}}, imports: []string{`^\s*@(?:import|use|forward)\s+["']([^"']+)`}},
		"http":            {defs: []pattern{{Function, `^###\s*(.+)`, byNext}, {Function, `^((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+\S+)`, byBlank}}},
		"plantuml":        {defs: []pattern{{Type, `^\s*(?:abstract\s+)?(?:class|interface|enum|entity|component|package)\s+"?([\w.]+)`, byBrace}}},
		"rpm-spec":        {defs: []pattern{{Section, `^%(prep|build|install|check|files|changelog|description|package|post|pre|postun|preun)\b`, byNext}}},
		"pip":             {imports: []string{`^([A-Za-z][\w.-]*)`, `^-r\s+(\S+)`}},
		"diff":            {defs: []pattern{{Section, `^diff --git a/(\S+)`, byNext}}},
		"roff":            {defs: []pattern{{Section, `^\.S[Hh]\s+"?([^"]+)`, byNext}, {Section, `^\.S[Ss]\s+"?([^"]+)`, byNext}}},
		"pod":             {defs: []pattern{{Section, `^=head1\s+(.+)`, byNext}, {Section, `^=head[2-6]\s+(.+)`, byNext}}},
		"proto-text":      {defs: []pattern{{Section, `^(\w+)\s*:?\s*\{`, byBrace}}},
	}
	out := map[string]*patterns{}
	for name, p := range m {
		out[name] = withMatcher(p)
	}
	return out
}

// patternLanguages is every table by language.
func patternLanguages() map[string]*patterns {
	all := bracePatterns()
	for _, more := range []map[string]*patterns{wordPatterns(), textPatterns()} {
		for name, p := range more {
			all[name] = p
		}
	}
	return all
}
