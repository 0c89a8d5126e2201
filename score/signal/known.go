package signal

import "sync"

// Signals lists every signal, by kind.
func Signals() []Known { return append([]Known(nil), known...) }

var byName = sync.OnceValue(func() map[string]Known {
	m := make(map[string]Known, len(known))
	for _, k := range known {
		m[k.Name] = k
	}
	return m
})

// place is that of each signal in known.
var place = sync.OnceValue(func() map[string]int {
	m := make(map[string]int, len(known))
	for i, k := range known {
		m[k.Name] = i
	}
	return m
})

var known = []Known{
	{"Body", "BM25 of the text, every term of the query by its weight", "text", relative},
	{"BodyUnweighted", "as Body, all terms with equal weight", "text", relative},
	{"BodyShortNorm", "as Body, long files paying less for their length", "text", relative},
	{"Fields", "BM25F over filename, symbols and text, weighted 5, 3, 1", "text", relative},
	{"BodyTitle", "as Body, terms of the title only", "text", relative},
	{"BodyCode", "as Body, terms in code only", "text", relative},
	{"BodyStemmed", "as Body, other forms of a word counting as the word", "text", relative},
	{"BodyLevel", "Body over the most that the query could give", "text", plain},
	{"Symbols", "BM25 of the names that the file defines", "text", relative},
	{"SymbolsShare", "share of the query's weight among the names defined", "text", plain},
	{"Path", "BM25 of the words of the path", "path", relative},
	{"PathTitle", "as Path, terms of the title only", "path", relative},
	{"Share", "share of the query's weight that the file holds", "text", plain},
	{"ShareTitle", "share of the title that the file holds", "text", plain},
	{"FormsInSymbols", "BM25 of the names defined for other forms of the terms: plural, -ing, -ed, -er, -ion", "text", relative},
	{"FormsInPath", "the same in the path", "path", relative},
	{"Compounds", "two adjacent terms of the query written as one word", "text", relative},
	{"CompoundsInPath", "the same in the path", "path", relative},
	{"Fuzzy", "terms that share trigrams with those that hardly any file holds", "text", relative},
	{"Stem", "share of the file's name that the query holds", "path", plain},
	{"StemInTitle", "share of the file's name that the title holds", "path", plain},
	{"Folder", "share of the folder's name that the query holds", "path", plain},
	{"TopicInPath", "what precedes the colon of the title, in the path", "path", plain},
	{"TopicInStem", "the same in the file's name", "path", plain},
	{"Named", "the query names the file by two segments or more of its path or module", "path", plain},
	{"NamedOften", "how many names in the query refer to the file", "path", relative},
	{"NamedBare", "the query names the file without a folder", "path", plain},
	{"History", "BM25 of the subjects of the commits that touched the file", "history", relative},
	{"LikeCommits", "commits like the query that touched the file, the likest counting most", "history", relative},
	{"LikeLateCommits", "as LikeCommits, late ones counting more", "history", relative},
	{"Churn", "commits that touched the file", "history", standard},
	{"LastTouched", "how few commits ago the file was last touched", "history", plain},
	{"Touched15", "commits that touched the file, halving about every 10", "history", plain},
	{"Touched60", "the same, halving about every 40", "history", plain},
	{"Touched250", "the same, halving about every 170", "history", plain},
	{"Touched1000", "the same, halving about every 700", "history", plain},
	{"FolderLike", "as LikeCommits, for commits that touched the file's folder", "history", relative},
	{"FolderLikeLate", "as LikeLateCommits, for commits that touched the file's folder", "history", relative},
	{"TopicHistory", "commits of the query's topic that touched the file, late ones counting more", "history", relative},
	{"TopicHistoryFolder", "the same for the file's folder", "history", relative},
	{"Depth", "folders above the file", "prior", standard},
	{"Size", "length of the file", "prior", standard},
	{"SymbolCount", "length of the names that the file defines", "prior", standard},
	{"FolderSize", "files in the folder", "prior", standard},
	{"PageRank", "PageRank over imports", "imports", standard},
	{"Importers", "files that import the file", "imports", standard},
	{"Auxiliary", "the file is in a folder such as docs, examples, scripts, vendor", "prior", plain},
	{"StandsForFolder", "the file is an __init__, index or mod", "prior", plain},
	{"Generated", "the file was made by a program", "prior", plain},
	{"Role", "tests, docs, config and what builds the project come after its code, unless the title asks for them", "prior", plain},
	{"TestByName", "the test named after the file matches the query", "tests", relative},
	{"TestByImport", "tests that import the file match the query", "tests", relative},
	{"FolderBest", "best of the other files in the folder", "path", relative},
	{"FolderSum", "sum of the files in the folder", "path", relative},
	{"NearStem", "best first-pass file by the words that the names share", "path", plain},
	{"Imports", "best of the files that the file imports", "imports", relative},
	{"ImportedBy", "best of the files that import the file", "imports", relative},
	{"Neighbours", "all of both", "imports", relative},
	{"Walk", "PageRank over imports that starts from the best first-pass files", "imports", relative},
	{"CoChange", "changed together with the best first-pass files", "history", relative},
	{"Code", "BM25 of the code without comments and strings", "read", relative},
	{"Comments", "BM25 of comments and documentation", "read", relative},
	{"Strings", "BM25 of string literals: an error message finds where it is raised", "read", relative},
	{"CodeTitle", "as Code, terms of the title only", "read", relative},
	{"CommentsTitle", "as Comments, terms of the title only", "read", relative},
	{"StringsTitle", "as Strings, terms of the title only", "read", relative},
	{"Pairs", "adjacent words of the query that are adjacent in the file, by rarity", "read", relative},
	{"PairsTitle", "the same for the title", "read", relative},
	{"IdentifiersTitle", "those in the title", "read", relative},
	{"IdentifiersCode", "those in code", "read", relative},
	{"DefinesTitle", "definitions of what the title names", "read", relative},
	{"DefinesCode", "definitions of what code in the query names", "read", relative},
	{"RareName", "rarity of the rarest compound name of the query that the file holds", "read", plain},
	{"RareNameTitle", "the same for names in the title", "read", plain},
	{"NamesShare", "share of the compound names of the query, by rarity", "read", plain},
	{"OnlyDefines", "defines what the query names, as few others do", "read", plain},
	{"OnlyDefinesTitle", "the same for what the title names", "read", plain},
	{"QueryLength", "how long the query is, the same for all files", "prior", plain},
	{"QueryNames", "how many compound names the query holds, the same for all files", "prior", plain},
	{"PassageShortNorm", "BM25 of the best single definition, long ones paying little for their length", "read", relative},
	{"PassageShare", "share of the query's weight in one definition", "read", plain},
	{"LongestRun", "longest stretch of the query's words in the query's order", "read", relative},
	{"Window", "most of the query's weight within 50 words", "read", relative},
	{"PreciseName", "most of the query's weight in one name, over its length", "read", relative},
	{togetherName, "boosted trees over the others: what these say in combination", "together", plain},
}
