package agent

import "encoding/json"

// Role says who speaks.
type Role string

// The two roles of a transcript. The system prompt is part of [Request].
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// BlockKind is the kind of a part of a message.
type BlockKind string

// Kinds of blocks.
const (
	BlockText     BlockKind = "text"
	BlockThinking BlockKind = "thinking" // kept with its signature and sent back unchanged
	BlockRedacted BlockKind = "redacted" // thinking the provider encrypted; Signature holds its data
	BlockCall     BlockKind = "call"     // the model asks for a tool; assistant messages only
	BlockResult   BlockKind = "result"   // the answer to a call; user messages only
)

// Block is one part of a message. Kind says which of the other fields count.
//
//	{"Kind":"call","Call":{"ID":"toolu_1","Name":"read","Input":{"path":"main.go"}}}
type Block struct {
	Kind      BlockKind
	Text      string      `json:",omitempty"` // text and thinking
	Signature string      `json:",omitempty"` // thinking: opaque proof; redacted: the data itself
	Call      *Call       `json:",omitempty"`
	Result    *CallResult `json:",omitempty"`
}

// Message is one turn of the transcript.
type Message struct {
	Role   Role
	Blocks []Block
}

// Call is a request of the model to run a tool.
type Call struct {
	// ID is unique within the transcript. A provider that sends none, or one
	// twice, is given a fresh one by its adapter.
	ID   string
	Name string
	// Input is a JSON object. When what the model sent is no JSON object, Input
	// is {} and Invalid says what was wrong: such a call is answered with an
	// error and never run.
	Input   json.RawMessage
	Invalid string `json:",omitempty"`
}

// CallResult answers the call with the same ID.
type CallResult struct {
	ID      string
	Content string   // what the model reads, already capped
	IsError bool     `json:",omitempty"`
	Handle  string   `json:",omitempty"` // where the whole output is kept, readable by the tools; empty when Content is all
	Hints   []string `json:",omitempty"` // next steps; already part of what the model reads
}

// Calls returns the tool calls of the message in their order.
func (m Message) Calls() (calls []Call) {
	for _, b := range m.Blocks {
		if b.Kind == BlockCall && b.Call != nil {
			calls = append(calls, *b.Call)
		}
	}
	return calls
}

// Text returns the text blocks of the message, joined.
func (m Message) Text() (s string) {
	for _, b := range m.Blocks {
		if b.Kind == BlockText {
			s += b.Text
		}
	}
	return s
}

// UserText makes a user message of one text block.
func UserText(s string) Message {
	return Message{Role: User, Blocks: []Block{{Kind: BlockText, Text: s}}}
}
