package signal

// Signals of definitions by their place in chunkKnown.
const (
	cText = iota
	cTextBest
	cBody
	cCode
	cSignature
	cDoc
	cOwn
	cOwnTitle
	cShare
	cShareTitle
	cShareTitleBest
	cPlaceByText
	cPlaceByOwn
	cPairs
	cRun
	cNameCovered
	cNameHolds
	cNamed
	cNamedTitle
	cCalled
	cMember
	cHolder
	cHolderCovered
	cHolderNamed
	cFrame
	cPrivate
	cSpecial
	cMaker
	cLines
	cMethod
	cType
	cValue
	cAmong
)

// chunkKnown lists the signals of definitions; relative ones are over the
// largest of the file.
var chunkKnown = []Known{
	cText:           {"Text", "BM25 of text and names, as a share of what the query weighs", "text", plain},
	cTextBest:       {"TextBest", "the same over the file's best", "text", relative},
	cBody:           {"Body", "BM25 of the text without the definition's own names", "text", relative},
	cCode:           {"Code", "BM25 of the code without comments and strings", "text", relative},
	cSignature:      {"Signature", "BM25 of the signature", "text", relative},
	cDoc:            {"Doc", "BM25 of the doc comment", "text", relative},
	cOwn:            {"Own", "as TextBest, terms that few definitions of the file hold counting more", "text", relative},
	cOwnTitle:       {"OwnTitle", "as Own, terms of the title only", "text", relative},
	cShare:          {"Share", "share of the query's weight that the definition holds", "text", plain},
	cShareTitle:     {"ShareTitle", "share of the title that the definition holds", "text", plain},
	cShareTitleBest: {"ShareTitleBest", "the same over the file's best", "text", relative},
	cPlaceByText:    {"PlaceByText", "place in the file by Text", "text", plain},
	cPlaceByOwn:     {"PlaceByOwn", "place in the file by Own", "text", plain},
	cPairs:          {"Pairs", "adjacent words of the query that are adjacent in the definition", "text", relative},
	cRun:            {"LongestRun", "longest stretch of the query's words in the query's order", "text", relative},
	cNameCovered:    {"NameCovered", "share of the name's words that the query holds", "name", plain},
	cNameHolds:      {"NameHolds", "the name holds a word of the title or of code, or code in the query holds the name", "name", plain},
	cNamed:          {"Named", "the query names the definition as code, letter for letter", "name", plain},
	cNamedTitle:     {"NamedTitle", "the title names the definition", "name", plain},
	cCalled:         {"Called", "the query calls it: name(", "name", plain},
	cMember:         {"Member", "the query names it with what holds it: Server.Close", "name", plain},
	cHolder:         {"HolderText", "Text of the type that holds it", "holder", relative},
	cHolderCovered:  {"HolderCovered", "share of the words of its holder's name that the query holds", "holder", plain},
	cHolderNamed:    {"HolderNamed", "the query names the type that holds it", "holder", plain},
	cFrame:          {"Frame", "a stack trace in the query goes through it, the deepest frame counting most", "name", plain},
	cPrivate:        {"Private", "the name starts with _", "shape", plain},
	cSpecial:        {"Special", "the name starts with __", "shape", plain},
	cMaker:          {"Maker", "it is a constructor", "shape", plain},
	cLines:          {"Lines", "its length, as a logarithm", "shape", plain},
	cMethod:         {"Method", "it is a method", "shape", plain},
	cType:           {"Type", "it is a type", "shape", plain},
	cValue:          {"Value", "it is a constant or variable", "shape", plain},
	cAmong:          {"Among", "how many definitions the file has, as a logarithm", "shape", plain},
}

// chunkFileKnown are those that are the same for all definitions of a file.
var chunkFileKnown = []Known{
	{"FileScore", "the file's score", "file", plain},
	{"FileFirst", "one over the file's place", "file", plain},
	{"FilePlace", "the file's place, as a logarithm", "file", plain},
}

// ChunkSignals lists the signals of definitions, those of the file last.
func ChunkSignals() []Known { return append(append([]Known(nil), chunkKnown...), chunkFileKnown...) }
