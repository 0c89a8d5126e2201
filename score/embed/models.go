package embed

import "strings"

// prefix is what a family of models was trained to find before its texts; the
// right one is worth several points of recall.
type prefix struct {
	model    string // part of the model's name, lower case
	document string
	query    string
}

// prefixes lists the families, the longer name before the shorter that it
// holds. The words are those of each model's own card.
var prefixes = []prefix{
	{"bge-m3", "", ""},
	{"bge-", "", "Represent this sentence for searching relevant passages: "},
	{"coderankembed", "", "Represent this query for searching relevant code: "},
	{"e5-", "passage: ", "query: "},
	{"embeddinggemma", "title: none | text: ", "task: search result | query: "},
	{"mxbai-embed", "", "Represent this sentence for searching relevant passages: "},
	{"nomic-embed-code", "", "Represent this query for searching relevant code: "},
	{"nomic-embed-text", "search_document: ", "search_query: "},
	{"qwen3-embedding", "", "Instruct: Given a task, find the source code that it is about\nQuery: "},
	{"snowflake-arctic-embed2", "", "query: "},
	{"snowflake-arctic-embed", "", "Represent this sentence for searching relevant passages: "},
}

// prefixed are the texts as the model wants them.
func prefixed(model string, texts []string, p Purpose) []string {
	name := strings.ToLower(model)
	for _, f := range prefixes {
		if !strings.Contains(name, f.model) {
			continue
		}
		before := f.document
		if p == Query {
			before = f.query
		}
		if before == "" {
			return texts
		}
		out := make([]string, len(texts))
		for i, t := range texts {
			out[i] = before + t
		}
		return out
	}
	return texts
}
