package secret

import "bytes"

// maxRounds bounds how often Mask looks again at what it has masked. A mask can
// uncover a secret that touched another one; fuzzing has not seen three rounds.
const maxRounds = 8

// Mask returns content with each secret replaced by its kind in brackets, such as
// "[secret: github-pat]", and the number of replacements. What surrounds a secret
// stays, and so do all line ends. A content without secrets is returned as it is,
// not copied. Of a file that is shown in parts the whole must be masked: a part
// may lack what a secret is recognised by.
func Mask(content []byte) ([]byte, int) {
	total := 0
	for range maxRounds {
		found := Find(content)
		if len(found) == 0 {
			break
		}
		total += len(found)
		content = replace(content, found)
	}
	return content, total
}

func replace(content []byte, found []Finding) []byte {
	out := make([]byte, 0, len(content)+16*len(found))
	at := 0
	for _, f := range found {
		out = append(out, content[at:f.Start]...)
		out = appendMask(out, content[f.Start:f.End], f.Rule)
		at = f.End
	}
	return append(out, content[at:]...)
}

// appendMask writes the mask of one secret. Of a key it masks each line and keeps
// what surrounds the line in source code.
func appendMask(out, secret []byte, rule string) []byte {
	mask := "[secret: " + rule + "]"
	if bytes.IndexByte(secret, '\n') < 0 {
		return append(out, mask...)
	}
	for line := range bytes.Lines(secret) {
		from, to, _ := keyLine(line, 0)
		if from == to {
			out = append(out, line...)
			continue
		}
		tail := bytes.TrimRight(line, " \t\r\n\"'`,;+\\")
		tail = bytes.TrimSuffix(bytes.TrimSuffix(tail, []byte(`\n`)), []byte(`\r`))
		to = max(to, len(tail))
		out = append(append(append(out, line[:from]...), mask...), line[to:]...)
	}
	return out
}
