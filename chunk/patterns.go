package chunk

type patterns struct{}

func patternTable() map[string]*patterns     { return nil }
func (p *patterns) chunks(src []byte) Result { return Result{} }
