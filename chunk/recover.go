package chunk

var cRecovery patterns

func cPrepare(src []byte) []byte    { return src }
func rustPrepare(src []byte) []byte { return src }
