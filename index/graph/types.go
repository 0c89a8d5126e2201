package graph

import "strings"

// form is the kind of value that a typ describes.
type form uint8

const (
	formNone     form = iota // nothing is known
	formExternal             // it comes from outside of the repository
	formValue                // a value of a named type, behind the wraps
	formType                 // the named type itself
	formUnit                 // a package, module or file
	formSpace                // a namespace that types may be looked up in
	formFunc                 // a function or method: id is its node
)

// wrap is one container around a named type. Wraps take four bits each,
// the outermost lowest.
type wrap uint32

const (
	wrapList wrap = iota + 1
	wrapMap
	wrapChan
	wrapFunc
)

const maxWraps = 8

// typ is what is known of an expression.
type typ struct {
	form  form
	wraps uint32
	// id is a type, unit or node, by form; −1 when the wraps hold nothing known;
	// of an external type its number among the externals, 0 when it has none.
	id int32
}

func (t typ) outer() wrap { return wrap(t.wraps & 15) }

func (t typ) unwrap() typ {
	t.wraps >>= 4
	if t.wraps == 0 && t.id < 0 && t.form == formValue {
		return typ{}
	}
	return t
}

func (t typ) wrapped(w wrap) typ {
	if t.wraps>>(4*(maxWraps-1)) != 0 {
		return typ{}
	}
	if t.form == formNone {
		t.form, t.id = formValue, -1
	}
	t.wraps = t.wraps<<4 | uint32(w)
	return t
}

// splitType takes the containers off the text of a type.
func splitType(text string) (wraps []wrap, base string) {
	for len(wraps) < maxWraps {
		switch {
		case strings.HasPrefix(text, "[]"):
			wraps, text = append(wraps, wrapList), text[2:]
		case strings.HasPrefix(text, "map[]"):
			wraps, text = append(wraps, wrapMap), text[5:]
		case strings.HasPrefix(text, "chan "):
			wraps, text = append(wraps, wrapChan), text[5:]
		case strings.HasPrefix(text, "func("):
			_, text = splitParams(text)
			if wraps = append(wraps, wrapFunc); text == "" {
				return wraps, ""
			}
		case text == "func":
			return append(wraps, wrapFunc), ""
		default:
			return wraps, text
		}
	}
	return wraps, ""
}

// splitParams takes "func(A,B)T" apart into its parameters and its result.
func splitParams(text string) (params []string, result string) {
	text = strings.TrimPrefix(text, "func(")
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case (c == ')' || c == ',') && depth == 0:
			if i > from || c == ',' {
				params = append(params, text[from:i])
			}
			if from = i + 1; c == ')' {
				return params, text[from:]
			}
		}
	}
	return nil, ""
}

// typeInfo is one type of the repository, all its declarations taken together.
type typeInfo struct {
	node         int32 // of its first declaration
	file         int32
	kind         string
	bases        []typ
	fields       []field
	methods      []method // sorted by name
	underlying   typ      // what a named type or alias stands for
	unknownBases bool     // it has bases that are not known
	several      bool     // it is declared more than once
	expected     bool     // what is known of it is what Kotlin expects of each platform
	companion    typ      // whose members are members of the type itself

	// implementers are the types that have the methods of an interface, and
	// subtypes those that name it as their base; both ascending.
	implementers []int32
	subtypes     []int32
}

type field struct {
	name string
	t    typ
	sign int32 // of a method of a Go interface: its place among the signatures, from 1
}

type method struct {
	name string
	node int32
}

// abstract tells whether a call through the type may reach other types.
func (i *typeInfo) abstract() bool {
	return i.kind == "interface" || i.kind == "trait" || i.kind == "protocol"
}
