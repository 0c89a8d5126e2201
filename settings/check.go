package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Check reports what is wrong with a value.
func (s Setting) Check(v string) error {
	switch s.Kind {
	case Choice:
		if !slices.Contains(s.Values, v) {
			return fmt.Errorf("unknown %s %q; one of %s", s.Name, v, strings.Join(s.Values, ", "))
		}
	case Count:
		n, err := strconv.ParseInt(v, 10, 32)
		if err != nil {
			return fmt.Errorf("%q is not a number", v)
		}
		if n < 0 {
			return fmt.Errorf("%d is negative; give 0 for no limit", n)
		}
	case Amount:
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || n != n {
			return fmt.Errorf("%q is not a number", v)
		}
		if n < 0 {
			return fmt.Errorf("%s is negative; give 0 for no limit", v)
		}
	case ByteSize:
		var size Size
		return size.Set(v)
	}
	return nil
}
