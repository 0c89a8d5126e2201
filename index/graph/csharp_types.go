package graph

import "strings"

// csharpTypes are the types that come with C# and are final, with the class of
// each. The numbers come first, the narrower ones before the wider ones.
var csharpTypes = [...]struct{ keyword, class string }{
	{"sbyte", "SByte"}, {"byte", "Byte"}, {"short", "Int16"}, {"ushort", "UInt16"}, {"int", "Int32"}, {"uint", "UInt32"},
	{"long", "Int64"}, {"ulong", "UInt64"}, {"float", "Single"}, {"double", "Double"}, {"decimal", "Decimal"},
	{"char", "Char"}, {"bool", "Boolean"}, {"string", "String"}, {"object", "Object"}, {"void", "Void"}, {"dynamic", ""},
}

const (
	csharpSigned  = 1<<0 | 1<<2 | 1<<4 | 1<<6
	csharpReal    = 8 // the first of csharpTypes that is no whole number
	csharpDecimal = 10
	csharpNumbers = 11
	csharpChar    = 11
	csharpBool    = 12
	csharpString  = 13
	csharpObject  = 14
)

// csharpType is the number of a type in csharpTypes, −1 for none.
func csharpType(name string) int {
	for i := range csharpTypes {
		if csharpTypes[i].keyword == name || csharpTypes[i].class == name && name != "" {
			return i
		}
	}
	return -1
}

func csharpKeywordType(name string) bool {
	i := csharpType(name)
	return i >= 0 && csharpTypes[i].keyword == name
}

// csharpWidens tells whether a number goes into another type of numbers by itself.
func csharpWidens(from, to int) bool {
	signed := func(i int) bool { return csharpSigned>>i&1 == 1 }
	switch {
	case from == to:
		return true
	case from == csharpChar:
		return to >= 3 && to < csharpNumbers
	case from >= csharpNumbers || to >= csharpNumbers || from >= csharpReal && (to == csharpDecimal || from > to) || from == csharpDecimal:
		return false
	case to >= csharpReal:
		return true
	}
	return from/2 < to/2 && (!signed(from) || signed(to))
}

// acceptsCSharp tells whether a parameter takes a value of a type. fitBoxed is a
// conversion that any other function is preferred to.
func acceptsCSharp(b *builder, param typ, text string, arg typ) fit {
	name, value := b.externals.name(param), b.externals.name(arg)
	into, from := csharpType(name), csharpType(value)
	plain, single := param.wraps == 0, arg.wraps == 0
	switch {
	case arg.form == formNone || arg.form == formValue && arg.id < 0 && single:
		return fitMaybe
	case value == "null" && single:
		return yesOrNo(!plain || into < 0 || into == csharpString || into == csharpObject)
	case param.form == formNone && plain: // a type parameter
		return fitBoxed
	case plain && into == csharpObject:
		return yesOrBoxed(from < 0 || from == csharpString || from == csharpObject || !single)
	case arg.outer() == wrapFunc:
		return b.csharpTakesLambda(param, into)
	case plain && single && strings.HasSuffix(name, "?"):
		return csharpNullable(name, value)
	case plain && single && from >= 0:
		return csharpFromKeyword(param, into, from, name)
	case plain && single && into >= 0:
		return maybeOrNo(arg.form == formExternal && value == "")
	case !plain || !single:
		return b.csharpMany(param, arg, name)
	case param.form == formValue && arg.form == formValue:
		return b.inheritsFrom(arg.id, func(t typ) fit { return yesOrNo(t.form == formValue && t.wraps == 0 && t.id == param.id) })
	case param.form == formValue:
		return maybeOrNo(value == "") // nothing outside extends what is inside
	case arg.form == formValue:
		return b.inheritsFrom(arg.id, func(t typ) fit {
			if t.form != formExternal || t.wraps != 0 {
				return fitNo
			}
			if b.externals.name(t) == name && name != "" {
				return fitYes
			}
			return fitMaybe
		})
	case value == name && value != "":
		return fitYes
	}
	return fitMaybe
}

// csharpFromKeyword is acceptsCSharp for a value of a type that has a keyword.
func csharpFromKeyword(param typ, into, from int, name string) fit {
	switch {
	case into >= 0 && csharpWidens(from, into):
		return fitYes
	case into >= 0: // a constant goes into a narrower type
		if from == 4 && into < csharpReal {
			return fitBoxed
		}
		return fitNo
	case param.form == formExternal && strings.HasPrefix(name, "I") || name == "":
		return maybeOrNo(param.form == formExternal)
	case param.form == formExternal:
		return maybeOrNo(name == "ValueType" || name == "Enum")
	}
	return fitNo // but for conversions that a type defines
}

// csharpNullable is acceptsCSharp for a parameter that may be null: int?.
func csharpNullable(name, value string) fit {
	if name == value {
		return fitYes
	}
	name, value = strings.TrimSuffix(name, "?"), strings.TrimSuffix(value, "?")
	into, from := csharpType(name), csharpType(value)
	if name == value || into >= 0 && from >= 0 && csharpWidens(from, into) {
		return fitBoxed
	}
	return maybeOrNo(value == "")
}

// csharpTakesLambda tells whether a parameter may be a delegate.
func (b *builder) csharpTakesLambda(param typ, into int) fit {
	switch {
	case param.wraps != 0 || into >= 0:
		return fitNo
	case param.form == formValue && param.id >= 0:
		return maybeOrNo(b.types[param.id].kind == "delegate")
	}
	return fitMaybe
}

// csharpMany is acceptsCSharp where one of the two is a list, array or map.
func (b *builder) csharpMany(param, arg typ, name string) fit {
	switch {
	case param.wraps == 0:
		return maybeOrNo(param.form == formExternal && csharpType(name) < 0)
	case arg.wraps == 0 && arg.form == formValue:
		return b.inheritsFrom(arg.id, func(t typ) fit {
			return maybeOrNo(t.wraps != 0 || t.form == formExternal && csharpMayEnumerate(b.externals.name(t)))
		})
	case arg.wraps == 0:
		return maybeOrNo(csharpType(b.externals.name(arg)) < 0 || csharpType(b.externals.name(arg)) == csharpString)
	case param.outer() != arg.outer():
		return maybeOrNo(param.outer() == wrapList && arg.outer() == wrapMap)
	case param == arg && param.id > 0:
		return fitYes
	}
	p, a := b.externals.name(param), b.externals.name(arg)
	if param.form == formExternal && arg.form == formExternal && csharpType(p) >= 0 && csharpType(a) >= 0 && csharpType(p) != csharpObject {
		return yesOrNo(csharpType(p) == csharpType(a))
	}
	return fitMaybe
}

// csharpMayEnumerate tells whether a type from outside may be a collection: an
// interface that is none says so by its name.
func csharpMayEnumerate(name string) bool {
	isInterface := len(name) > 1 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z'
	return !isInterface || strings.Contains(name, "Enumerable") || strings.Contains(name, "Collection") || strings.HasSuffix(name, "List") || strings.HasSuffix(name, "Set") || strings.HasSuffix(name, "Dictionary")
}

func yesOrBoxed(yes bool) fit {
	if yes {
		return fitYes
	}
	return fitBoxed
}
