package chunk

import "sync"

// recovery tables find the plain definitions of a language after an error of
// its grammar: an unknown new syntax would else hide the rest of the file.
var (
	recoverTypescript = recoverWith(patterns{defs: []pattern{
		{Type, `^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|interface|enum|const\s+enum)\s+([\w$]+)`, byBrace},
		{Type, `^\s*(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)(?:<.*>)?\s*=`, byIndent},
		{Function, `^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)`, byBrace},
		{Function, `^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)`, byBrace},
	}})
	recoverJava = recoverWith(patterns{defs: []pattern{
		{Type, `^\s*(?:@\w+\s+)*(?:(?:public|private|protected|static|final|abstract|sealed|strictfp)\s+)*(?:class|@?interface|enum|record)\s+(\w+)`, byBrace},
		{Method, `^\s+(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|protected|static|final|abstract|synchronized|native|default)\s+)+(?:<[^>]+>\s+)?(?:[\w<>\[\]., ?]+\s+)?(\w+)\s*\(`, byBrace},
	}})
	recoverRust = recoverWith(patterns{defs: []pattern{
		{Function, `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+(?:"[^"]*"\s+)?)?fn\s+(\w+)`, byBrace},
		{Type, `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|union|type)\s+(\w+)`, byBrace},
		{Impl, `^\s*(?:unsafe\s+)?impl(?:<[^>]*>)?\s+(?:.*\s+for\s+)?&?(?:\w+::)*(\w+)`, byBrace},
	}})
	recoverPython = recoverWith(patterns{defs: []pattern{
		{Function, `^\s*(?:async\s+)?def\s+(\w+)`, byIndent},
		{Type, `^\s*class\s+(\w+)`, byIndent},
	}})
	recoverRuby = recoverWith(patterns{endWords: `end\b`, defs: []pattern{
		{Function, `^\s*(?:private\s+|public\s+|protected\s+)?def\s+(?:self\.|\w+\.)?([\w?!=]+)`, byKeyword},
		{Type, `^\s*(?:class|module)\s+(?:\w+::)*(\w+)`, byKeyword},
	}})
	recoverKotlin = recoverWith(patterns{defs: []pattern{
		{Type, `^\s*(?:@\w+\s+)*(?:(?:public|private|protected|internal|open|abstract|sealed|data|inner|enum|annotation|value|inline|fun)\s+)*(?:class|interface|object)\s+(\w+)`, byBrace},
		{Function, "^\\s*(?:@\\w+\\s+)*(?:(?:public|private|protected|internal|open|abstract|override|suspend|inline|operator|infix|tailrec|final|actual|expect)\\s+)*fun\\s+(?:<[^>]+>\\s+)?(?:[\\w<>?, ]+\\.)?([\\w`]+)", byBrace},
	}})
	recoverSwift = recoverWith(patterns{defs: []pattern{
		{Type, `^\s*(?:@\w+\s+)*(?:(?:public|private|fileprivate|internal|open|final|indirect)\s+)*(?:class|struct|enum|protocol|actor)\s+(\w+)`, byBrace},
		{Impl, `^\s*(?:(?:public|private|fileprivate|internal)\s+)*extension\s+([\w.]+)`, byBrace},
		{Function, `^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|fileprivate|internal|open|final|static|class|override|mutating|nonisolated)\s+)*func\s+([\w+*/<>=!-]+)`, byBrace},
	}})
	recoverScala = recoverWith(patterns{defs: []pattern{
		{Type, `^\s*(?:(?:private|protected|final|sealed|abstract|implicit|case|lazy|open)(?:\[\w+\])?\s+)*(?:class|trait|object|enum)\s+(\w+)`, byBrace},
		{Function, `^\s*(?:(?:private|protected|final|override|implicit|inline|transparent)(?:\[\w+\])?\s+)*def\s+([\w+*/<>=!-]+)`, byIndent},
	}})
	recoverBash = recoverWith(patterns{defs: []pattern{
		{Function, `^\s*(?:function\s+)?([\w:.-]+)\s*\(\s*\)`, byBrace},
		{Function, `^\s*function\s+([\w:.-]+)`, byBrace},
	}})
	recoverSQL = recoverWith(patterns{folded: true, defs: []pattern{
		{Type, "^\\s*create\\s+(?:or\\s+\\w+\\s+)?(?:global\\s+|local\\s+|temp(?:orary)?\\s+|unlogged\\s+|virtual\\s+)*(?:table|(?:materialized\\s+)?view|type|domain)\\s+(?:if\\s+not\\s+exists\\s+)?([\\w.\"`\\[\\]]+)", byStatement},
		{Function, "^\\s*create\\s+(?:or\\s+\\w+\\s+)?(?:definer\\s*=\\s*\\S+\\s+)?(?:function|procedure|proc|trigger|package(?:\\s+body)?)\\s+([\\w.\"`\\[\\]]+)", byStatement},
	}})
)

// recoverWith makes a recovery of a table.
func recoverWith(p patterns) func(*builder, []byte) {
	table := sync.OnceValue(func() *patterns { return withMatcher(p) })
	return func(b *builder, _ []byte) { table().fill(b) }
}
