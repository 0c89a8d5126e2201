package render

func loadBPE(name string) (Counter, error) { return Bytes{}, nil }
