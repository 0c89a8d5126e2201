package graph

import "sync"

// accepts tells whether a parameter takes a value of a type. text is the
// parameter's type as it is written: a single letter is a type variable.
func (b *builder) accepts(param typ, text string, arg typ) fit {
	name, value := b.externals.name(param), b.externals.name(arg)
	into, primitive := box(name)
	plain := param.wraps == 0
	primitive = primitive && plain
	switch {
	case arg.form == formNone || arg.form == formValue && arg.id < 0 && arg.wraps == 0:
		return fitMaybe
	case value == "null" && arg.wraps == 0:
		return yesOrNo(!primitive)
	case (param.form == formNone || param.form == formValue && param.id < 0 && plain) && !isVariable(text):
		return fitMaybe
	}
	if from, is := box(value); is && arg.wraps == 0 {
		switch {
		case param.form == formNone || plain && param.form == formExternal && jdkSupers()[boxes[from].class][name]:
			return fitBoxed
		case primitive:
			return yesOrNo(widens(from, into))
		case plain && param.form == formExternal && name == "":
			return fitMaybe
		}
		return fitNo
	}
	switch {
	case param.form == formNone || plain && name == "Object":
		return fitYes
	case primitive:
		if from, _ := box(value); from >= 0 && arg.wraps == 0 && widens(from, into) {
			return fitBoxed
		}
		return maybeOrNo(value == "" && arg.form == formExternal && arg.wraps == 0)
	case param.wraps != 0 || arg.wraps != 0:
		return b.acceptsMany(param, arg, name, value)
	case param.form == formValue && arg.form == formValue:
		return b.inheritsFrom(arg.id, func(t typ) fit { return yesOrNo(t.form == formValue && t.wraps == 0 && t.id == param.id) })
	case param.form == formValue:
		return maybeOrNo(value == "") // nothing outside extends what is inside
	case arg.form == formValue:
		return b.inheritsFrom(arg.id, func(t typ) fit {
			if t.form == formExternal && t.wraps == 0 {
				return acceptsExternal(b.externals.name(t), name)
			}
			return fitNo
		})
	}
	return acceptsExternal(value, name)
}

// acceptsMany is accepts where one of the two is a list, array or map.
func (b *builder) acceptsMany(param, arg typ, name, value string) fit {
	switch {
	case arg.wraps == 0 && arg.form == formValue:
		return b.inheritsFrom(arg.id, func(t typ) fit { return maybeOrNo(t.wraps != 0) })
	case arg.wraps == 0:
		return maybeOrNo(value == "" || jdkSupers()[value] == nil || jdkSupers()[value]["Iterable"])
	case param.wraps == 0:
		if arg.outer() == wrapFunc && param.form == formValue { // of a functional interface
			return maybeOrNo(b.types[param.id].abstract())
		}
		return maybeOrNo(param.form == formExternal && !final(name) && (jdkSupers()[name] == nil || jdkSupers()[name]["Iterable"]))
	case param.outer() != arg.outer():
		return fitNo
	}
	_, p := box(name)
	_, q := box(value)
	switch {
	case p != q || p && name != value:
		return fitNo
	case param == arg && name+value != "" || param == arg && param.form == formValue && param.id >= 0:
		return fitYes
	}
	return fitMaybe
}

// inheritsFrom reports whether a type, or one that it inherits from, satisfies is.
// A base that is not known may do so.
func (b *builder) inheritsFrom(id int32, is func(typ) fit) fit {
	best := fitNo
	queue := []int32{id}
	w := worker{b: b}
	if f := is(typ{form: formValue, id: id}); f == fitYes {
		return f
	}
	for at := 0; at < len(queue) && at < maxBases; at++ {
		i := &b.types[queue[at]]
		if i.unknownBases {
			best = fitMaybe
		}
		for _, t := range i.bases {
			if f := is(t); f == fitYes {
				return f
			} else if f != fitNo {
				best = fitMaybe
			}
			w.inherit(t, &queue)
		}
	}
	return best
}

// acceptsExternal tells whether a value of one type outside of the repository is of
// another.
func acceptsExternal(value, name string) fit {
	supers := jdkSupers()[value]
	switch {
	case value == "" || name == "":
		return fitMaybe
	case value == name || supers[name]:
		return fitYes
	case supers != nil || final(name):
		return fitNo
	}
	return fitMaybe
}

func yesOrNo(is bool) fit {
	if is {
		return fitYes
	}
	return fitNo
}

func maybeOrNo(may bool) fit {
	if may {
		return fitMaybe
	}
	return fitNo
}

// isVariable tells whether a type is named as type variables are.
func isVariable(text string) bool {
	return len(text) == 1 || len(text) == 2 && text[1] >= '0' && text[1] <= '9'
}

// externals number the names of types that lie outside of the repository. The
// numbers depend on the order of the work and decide nothing: they are only
// compared with each other.
type externals struct {
	mu    sync.RWMutex
	ids   map[string]int32
	names []string
}

// id is the number of a name, from 1.
func (e *externals) id(name string) int32 {
	e.mu.RLock()
	id := e.ids[name]
	e.mu.RUnlock()
	if id > 0 {
		return id
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if id = e.ids[name]; id > 0 {
		return id
	}
	if e.ids == nil {
		e.ids = map[string]int32{}
	}
	e.names = append(e.names, name)
	e.ids[name] = int32(len(e.names))
	return e.ids[name]
}

// name is the name of a type outside, or of the element of a container of such;
// "" when it is not known.
func (e *externals) name(t typ) string {
	if t.form != formExternal || t.id <= 0 {
		return ""
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.names[t.id-1]
}
