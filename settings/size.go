package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes, written as "4096", "64k" or "1MiB". It is a pflag.Value.
// The units are powers of 1024.
type Size int64

// Set implements pflag.Value.
func (s *Size) Set(v string) error {
	text := strings.ToLower(strings.TrimSpace(v))
	digits := strings.TrimRight(text, "kmgibt ")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a size; write 4096, 64k or 1MiB", v)
	}
	if n < 0 {
		return fmt.Errorf("%q is negative", v)
	}
	shift, ok := sizeUnits[strings.TrimSpace(text[len(digits):])]
	if !ok {
		return fmt.Errorf("%q has an unknown unit; write 4096, 64k or 1MiB", v)
	}
	if n > math.MaxInt64>>shift {
		return fmt.Errorf("%q is too large", v)
	}
	*s = Size(n << shift)
	return nil
}

var sizeUnits = map[string]uint{
	"": 0, "b": 0, "k": 10, "kb": 10, "kib": 10, "m": 20, "mb": 20, "mib": 20, "g": 30, "gb": 30, "gib": 30,
}

// String implements pflag.Value.
func (s *Size) String() string {
	n := int64(*s)
	for _, u := range []struct {
		shift uint
		name  string
	}{{30, "GiB"}, {20, "MiB"}, {10, "KiB"}} {
		if n > 0 && n%(1<<u.shift) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// Type implements pflag.Value.
func (s *Size) Type() string { return "size" }
