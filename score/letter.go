package score

import (
	"errors"
	"path"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/stream"
)

// SignalName is the one signal of a query of single letters, such as "x" or "C".
// They are no terms of the index, where nearly every file would hold them.
const SignalName = "Name"

// What a letter is worth as the name of something. A file of that name is surely
// meant; of a language there are many files.
const (
	letterFile     = 1.0
	letterSymbol   = 0.9
	letterFolder   = 0.6
	letterLanguage = 0.4
)

// letterLanguages are languages whose names are a letter and signs.
var letterLanguages = map[string]string{"c++": "cpp", "c#": "csharp", "f#": "fsharp"}

// singleLetters are the words of one letter in a text that has no term. "a" and "I"
// count only when they are the whole text.
func singleLetters(text string) (letters []string) {
	var stops []string
	words := strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("+#", r) && token.IsCut(r) })
	for _, w := range words {
		_, named := letterLanguages[strings.ToLower(w)]
		switch {
		case !named && len(w) != 1 || w == "+" || w == "#":
		case strings.EqualFold(w, "a") || strings.EqualFold(w, "i"): // words of English
			stops = append(stops, w)
		default:
			letters = append(letters, w)
		}
	}
	if len(letters) == 0 && len(words) == 1 {
		return stops
	}
	return letters
}

// byLetters ranks by the names of files, folders, languages and, where there is a
// code graph, definitions.
func (r *run) byLetters() error {
	defined, err := r.definers()
	if err != nil {
		return err
	}
	values, order := make([]float64, len(r.files)), make([]float64, len(r.files))
	for i := range r.files {
		f := &r.files[i]
		for _, letter := range r.q.Letters {
			values[i] = max(values[i], letterValue(f, letter))
		}
		if defined[f.Path] {
			values[i] = max(values[i], letterSymbol)
		}
		order[i] = values[i] * quality(f)
	}
	r.add(SignalName, values, order)
	r.fuse()
	return nil
}

func letterValue(f *stream.File, letter string) float64 {
	name := path.Base(f.Path)
	if stem, _, _ := strings.Cut(name, "."); strings.EqualFold(stem, letter) {
		return letterFile
	}
	for _, folder := range strings.Split(path.Dir(f.Path), "/") {
		if strings.EqualFold(folder, letter) {
			return letterFolder
		}
	}
	lower := strings.ToLower(letter)
	if f.Language == lower || f.Language != "" && f.Language == letterLanguages[lower] {
		return letterLanguage
	}
	return 0
}

// definers are the files that define something of a letter's name, as it is written.
func (r *run) definers() (map[string]bool, error) {
	deep, ok := r.corpus.(*Deep)
	if !ok {
		return nil, nil
	}
	g, err := graph.Open(deep.Index)
	if errors.Is(err, graph.ErrNoGraph) || errors.Is(err, graph.ErrOtherVersion) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, letter := range r.q.Letters {
		ids, err := g.Named(letter)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			n, err := g.Node(id)
			if err != nil {
				return nil, err
			}
			out[n.Path] = true
		}
	}
	delete(out, "")
	return out, nil
}
