package chunk

import "strings"

// What generic types are to a chain, in any of the languages.
var (
	listTypes = words("list List Sequence Iterable Iterator Set set frozenset FrozenSet tuple Tuple Collection MutableSequence Deque deque Generator AsyncIterator AsyncIterable Array ReadonlyArray ReadonlySet ArrayList LinkedList HashSet TreeSet Queue Stream Vec VecDeque BTreeSet vector std::vector std::set std::list std::array std::deque std::span")
	mapTypes  = words("dict Dict Mapping MutableMapping defaultdict OrderedDict Map ReadonlyMap Record HashMap TreeMap ConcurrentHashMap ConcurrentMap LinkedHashMap BTreeMap IndexMap map std::map std::unordered_map")
	wrapTypes = words("Optional Awaitable Coroutine Promise Final ClassVar Annotated Required Readonly Partial NonNullable Box Rc Arc RefCell Cell Mutex RwLock Option Result Pin Cow Ref CompletableFuture Supplier Provider unique_ptr shared_ptr std::unique_ptr std::shared_ptr std::optional std::reference_wrapper")
	typeWords = words("const mut dyn impl struct class enum union unsigned signed static final readonly volatile typename register abstract keyof typeof inline constexpr extern in out")
)

// generics is what a language adds to the types that all have in common.
type generics struct {
	lists, maps, wraps map[string]bool // further types of that sort, by their last name
	lifetimes          bool            // a quote starts one, and closes nothing
	plain              bool            // there are no unions: a | is not part of a type
	sizes              bool            // brackets hold sizes of arrays, and no type arguments
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// cleanType is a type's text as [Facts] has it, "" when it is no name or
// container of one.
func cleanType(of *generics, text string) string {
	if len(text) > maxName {
		return ""
	}
	return cleanTypeAt(of, text, 0)
}

func cleanTypeAt(of *generics, text string, depth int) string {
	if depth > 8 {
		return ""
	}
	cut := " \t\r\n:&*?;'\""
	if of.lifetimes {
		cut = " \t\r\n:&*?;" // a quote starts a lifetime
	}
	nullable := of.sizes && strings.HasSuffix(text, "?")
	text = strings.Trim(text, cut)
	if nullable && csharpValues[text] {
		return text + "?"
	}
	for {
		word, rest, ok := strings.Cut(text, " ")
		if !ok || (!typeWords[word] && !strings.HasPrefix(word, "'") && !strings.HasPrefix(word, "@")) {
			break
		}
		text = strings.TrimLeft(rest, " \t\n&*")
	}
	if !of.plain {
		if parts := splitTop(text, '|'); len(parts) > 1 {
			return cleanUnion(of, parts, depth)
		}
	}
	if inner, ok := strings.CutSuffix(text, "[]"); ok {
		return element("[]", cleanTypeAt(of, inner, depth+1))
	}
	if i := strings.LastIndexByte(text, '['); of.sizes && i > 0 && text[len(text)-1] == ']' {
		return element("[]", cleanTypeAt(of, text[:i], depth+1))
	}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") { // Rust: [T], [T; n]
		inner, _, _ := strings.Cut(text[1:len(text)-1], ";")
		return element("[]", cleanTypeAt(of, inner, depth+1))
	}
	head, args := text, ""
	if i := strings.IndexAny(text, "<["); i > 0 {
		head, args = strings.TrimSpace(text[:i]), strings.TrimRight(text[i+1:], ">] \t&*")
	}
	head = strings.TrimSpace(strings.TrimRight(head, "*& \t"))
	last := head[strings.LastIndexAny(head, ".:")+1:]
	parts := splitTop(args, ',')
	switch {
	case args == "" || len(parts) == 0:
	case listTypes[last] || listTypes[head] || of.lists[last]:
		return element("[]", cleanTypeAt(of, parts[0], depth+1))
	case mapTypes[last] || mapTypes[head] || of.maps[last]:
		return element("map[]", cleanTypeAt(of, parts[len(parts)-1], depth+1))
	case last == "Nullable" && of.sizes && csharpValues[strings.TrimSpace(parts[0])]:
		return strings.TrimSpace(parts[0]) + "?"
	case wrapTypes[last] || wrapTypes[head] || of.wraps[last]:
		return cleanTypeAt(of, parts[0], depth+1)
	}
	head = strings.TrimPrefix(strings.ReplaceAll(head, "::", "."), ".")
	for _, part := range strings.Split(head, ".") {
		if !isIdent(part) {
			return ""
		}
	}
	return head
}

func element(container, of string) string {
	if of == "" {
		return ""
	}
	return container + of
}

// cleanUnion is the one type of a union that is not the absence of one.
func cleanUnion(of *generics, parts []string, depth int) string {
	found := ""
	for _, p := range parts {
		switch p = strings.TrimSpace(p); p {
		case "None", "null", "undefined", "":
			continue
		}
		if found != "" {
			return ""
		}
		found = p
	}
	return cleanTypeAt(of, found, depth+1)
}

// splitTop splits text at the separators that no bracket holds.
func splitTop(text string, sep byte) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	level, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; c {
		case '<', '[', '(', '{':
			level++
		case '>', ']', ')', '}':
			level--
		case sep:
			if level == 0 {
				out = append(out, text[from:i])
				from = i + 1
			}
		}
	}
	return append(out, text[from:])
}
