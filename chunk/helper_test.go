package chunk

import "fmt"

func describe(c Chunk) string {
	return fmt.Sprintf("%s %s %d-%d bytes %d-%d sig %d doc %d-%d", c.Kind, c.Qualified(), c.StartLine, c.EndLine, c.StartByte, c.EndByte, c.SigEnd, c.DocStart, c.DocEnd)
}
