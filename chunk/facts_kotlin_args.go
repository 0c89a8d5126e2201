package chunk

import (
	"bytes"
	"strings"
)

// kotlinSite says where a call is and what its arguments are.
func kotlinSite(w *factWalk, i int) (at uint32, args string, ok bool) {
	n := &w.t.nodes[i]
	switch w.t.typeOf(i) {
	case "infix_expression":
		op := w.kotlinOperator(i)
		if op < 0 {
			return 0, "", false
		}
		return w.t.nodes[op].start, w.kotlinArguments("(", w.child(i, ">"), -1), true
	case "constructor_invocation":
		if p := int(n.parent); p < 0 || w.t.typeOf(p) != "delegation_specifier" { // an annotation
			return 0, "", false
		}
		return n.start, w.kotlinArguments("(", -1, w.t.kid(i, "value_arguments")), true
	case "constructor_delegation_call", "enum_entry":
		list := w.t.kid(i, "value_arguments")
		return n.start, w.kotlinArguments("(", -1, list), list >= 0
	}
	if p := int(n.parent); p >= 0 && w.t.typeOf(p) == "call_expression" && w.kotlinOuter(p) == i {
		return 0, "", false // the call around it is recorded
	}
	name, on := w.kotlinCallee(i)
	lambda := w.child(i, ":call_suffix/:annotated_lambda")
	if lambda >= 0 && (name == "with" && on < 0 || on >= 0 && (name == "let" || name == "run" || kotlinReturns[name])) {
		return 0, "", false // of the standard library
	}
	call, open := i, "("
	if inner := w.kotlinOuter(i); inner >= 0 {
		call = inner
	}
	args = w.kotlinArguments(open, -1, w.child(call, ":call_suffix/:value_arguments"))
	if lambda >= 0 && args != "" {
		if args = strings.TrimSuffix(args, ")"); args != "(" {
			args += ","
		}
		args += "func{})"
	}
	f := w.child(call, "<")
	if f < 0 {
		return 0, "", false
	}
	if k := w.child(f, ":navigation_suffix/:simple_identifier"); k >= 0 {
		f = k
	}
	return w.t.nodes[f].start, args, true
}

// kotlinArguments writes the arguments that a list holds, or the one that is given;
// after one with a name, positions say nothing.
func (w *factWalk) kotlinArguments(open string, one, list int) string {
	b, known, named := append(make([]byte, 0, 64), open...), true, false
	add := func(text string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, text...)
		known = known && text != spread && len(b) < maxChain
	}
	if one >= 0 {
		add(w.kotlinArgument(one, 0))
	}
	if list >= 0 {
		w.t.kids(list, func(k int) bool {
			if w.t.typeOf(k) != "value_argument" {
				return true
			}
			value := w.child(k, ">")
			named = named || value > 0 && w.child(k, "<") != value && bytes.HasPrefix(bytes.TrimLeft(w.t.src[w.t.nodes[w.child(k, "<")].end:w.t.nodes[k].end], " \t\r\n"), []byte("="))
			switch text := w.t.text(k); {
			case strings.HasPrefix(text, "*"):
				add(spread)
			case named:
				add("?")
			case text == "null":
				add("null{}")
			case value < 0:
				add("?")
			default:
				add(w.kotlinArgument(value, 0))
			}
			return true
		})
	}
	if !known {
		return ""
	}
	return w.names.bytes(append(b, ')'))
}

// kotlinArgument is the chain of an argument, or "T{}" where its type T shows.
func (w *factWalk) kotlinArgument(i, depth int) string {
	if depth > maxDepth {
		return "?"
	}
	switch w.t.typeOf(i) {
	case "lambda_literal", "annotated_lambda", "anonymous_function", "callable_reference":
		return "func{}"
	case "comparison_expression", "equality_expression", "conjunction_expression", "disjunction_expression", "check_expression":
		return "boolean{}"
	case "prefix_expression":
		if k := w.child(i, ">"); k >= 0 {
			return w.kotlinArgument(k, depth+1)
		}
	case "additive_expression", "multiplicative_expression":
		x, y := w.child(i, "<"), w.child(i, ">")
		if x < 0 || y < 0 {
			return "?"
		}
		a, b := w.kotlinArgument(x, depth+1), w.kotlinArgument(y, depth+1)
		if a == b && a != "char{}" || a == "String{}" {
			return a
		}
		return "?"
	case "elvis_expression":
		if k := w.child(i, "<"); k >= 0 {
			return w.kotlinArgument(k, depth+1)
		}
	}
	if b := w.chain(i); len(b) > 0 && b[0] != '?' && bytes.IndexByte(b, ',') < 0 {
		return string(b)
	}
	return "?"
}
