package chunk

import (
	"bytes"
	"strings"
)

// spread is an argument that stands for an unknown number of them.
const spread = "*"

// argumentsOf writes the arguments of the call at node i as [Call.Args] has
// them, "" in languages where the name says all.
func (w *factWalk) argumentsOf(i int) string {
	list := -1
	if w.argument != nil {
		list = w.t.field(i, "arguments")
	}
	if list < 0 && w.argument != nil {
		list = w.t.kid(i, "argument_list")
	}
	if list < 0 && w.argument != nil && w.t.field(i, "initializer") >= 0 { // new T { … }
		return w.names.bytes([]byte("()"))
	}
	if list < 0 {
		return ""
	}
	b, known := append(make([]byte, 0, 64), '('), true
	w.t.kids(list, func(k int) bool {
		if strings.HasSuffix(w.t.typeOf(k), "comment") {
			return true
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		a := w.argument(w, k)
		b = append(b, a...)
		known = a != spread && len(b) < maxChain
		return known
	})
	if !known {
		return ""
	}
	return w.names.bytes(append(b, ')'))
}

// cppArgument only counts: the argument types that C++ source shows rarely
// distinguish overloads.
func cppArgument(w *factWalk, i int) string {
	if w.t.typeOf(i) == "parameter_pack_expansion" {
		return spread
	}
	return "?"
}

// javaLiterals are the types of what is no chain.
var javaLiterals = map[string]string{
	"character_literal": "char{}", "class_literal": "Class{}", "null_literal": "null{}", "instanceof_expression": "boolean{}",
	"hex_integer_literal": "int{}", "octal_integer_literal": "int{}", "binary_integer_literal": "int{}", "decimal_integer_literal": "int{}",
	"decimal_floating_point_literal": "double{}", "hex_floating_point_literal": "double{}",
}

// javaArgument is the chain of an argument, or "T{}" where its type T shows.
func javaArgument(w *factWalk, i int) string { return w.javaArgument(i, 0) }

func (w *factWalk) javaArgument(i, depth int) string {
	if depth > maxDepth {
		return "?"
	}
	what := w.t.typeOf(i)
	if text, ok := javaLiterals[what]; ok {
		return javaNumber(text, w.t.src[w.t.nodes[i].end-1])
	}
	pair := func(a, b string, merge func(x, y string) string) string {
		x, y := w.t.field(i, a), w.t.field(i, b)
		if x < 0 || y < 0 {
			return "?"
		}
		return merge(w.javaArgument(x, depth+1), w.javaArgument(y, depth+1))
	}
	switch what {
	case "array_creation_expression":
		if t := cleanType(&w.generics, w.t.text(max(i, w.t.field(i, "type")))); t != "" {
			return "[]" + t + "{}"
		}
		return "?"
	case "unary_expression":
		if k := w.t.field(i, "operand"); k >= 0 {
			return w.javaArgument(k, depth+1)
		}
	case "ternary_expression":
		return pair("consequence", "alternative", func(x, y string) string {
			if x == y && x != "null{}" {
				return x
			}
			return "?"
		})
	case "binary_expression":
		operator := w.between(w.t.field(i, "left"), w.t.field(i, "right"))
		return pair("left", "right", func(x, y string) string { return javaOperator(operator, x, y) })
	}
	if b := w.chain(i); len(b) > 0 && b[0] != '?' && bytes.IndexByte(b, ',') < 0 {
		return string(b)
	}
	return "?"
}

// between is the text between two nodes.
func (w *factWalk) between(a, b int) string {
	if a < 0 || b < 0 || w.t.nodes[a].end > w.t.nodes[b].start {
		return ""
	}
	return string(bytes.Trim(w.t.src[w.t.nodes[a].end:w.t.nodes[b].start], " \t\r\n()"))
}

// javaNumber is the type of a literal, by its last letter if that says it.
func javaNumber(text string, last byte) string {
	switch {
	case text == "int{}" && last|' ' == 'l':
		return "long{}"
	case text == "double{}" && last|' ' == 'f':
		return "float{}"
	}
	return text
}

// javaOperator is the type that an operator gives, of the types it takes.
func javaOperator(operator, x, y string) string {
	switch operator {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return "boolean{}"
	case "+":
		if x == "String{}" || y == "String{}" {
			return "String{}"
		}
	}
	if x != y || !strings.HasSuffix(x, "{}") || x == "char{}" {
		return "?"
	}
	return x
}
