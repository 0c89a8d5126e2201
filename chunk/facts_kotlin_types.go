package chunk

import "strings"

// kotlinTypes are types with another name in the facts: those that the JVM has as
// primitive types and arrays, and the type of everything.
var kotlinTypes = map[string]string{
	"Byte": "byte", "Short": "short", "Int": "int", "Long": "long", "Float": "float", "Double": "double", "Char": "char", "Boolean": "boolean",
	"ByteArray": "[]byte", "ShortArray": "[]short", "IntArray": "[]int", "LongArray": "[]long", "FloatArray": "[]float",
	"DoubleArray": "[]double", "CharArray": "[]char", "BooleanArray": "[]boolean", "Any": "Object",
}

// kotlinType is a type as [Facts] has it.
func kotlinType(of *generics, text string, depth int) string {
	if len(text) > maxName || depth > 8 {
		return ""
	}
	text = strings.Trim(text, " \t\r\n?")
	for {
		word, rest, ok := strings.Cut(text, " ")
		if !ok || word != "in" && word != "out" && word != "suspend" && word != "vararg" && !strings.HasPrefix(word, "@") {
			break
		}
		text = strings.TrimLeft(rest, " \t\r\n")
	}
	if i := topArrow(text); i >= 0 {
		return "func()" + kotlinType(of, text[i+2:], depth+1)
	}
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		return kotlinType(of, text[1:len(text)-1], depth+1)
	}
	if same := kotlinTypes[text]; same != "" {
		return same
	}
	return cleanType(of, text)
}

// topArrow is where the arrow of a function type is, -1 for none.
func topArrow(text string) int {
	level := 0
	for i := range len(text) {
		switch text[i] {
		case '<', '(':
			level++
		case ')':
			level--
		case '>':
			if i == 0 || text[i-1] != '-' {
				level--
			} else if level == 0 {
				return i - 1
			}
		}
	}
	return -1
}
