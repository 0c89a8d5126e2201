package backoff

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longest bounds what a header can say; beyond it a wait has no meaning here.
const longest = 30 * 24 * time.Hour

// After reads how long a server wants a client to wait: retry-after-ms, or
// Retry-After in seconds or as a date (RFC 9110 §10.2.3). A date is taken
// relative to the answer's own Date, so a wrong clock on either side does
// not matter, else to now. It returns 0 when there is no usable header.
func After(h http.Header, now time.Time) time.Duration {
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	v := h.Get("Retry-After")
	if d, ok := number(v, time.Second); ok {
		return d
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	if sent, err := http.ParseTime(h.Get("Date")); err == nil {
		now = sent
	}
	return min(max(0, at.Sub(now)), longest)
}

// number reads a count of units, which may have a fraction.
func number(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || f != f {
		return 0, false
	}
	f *= float64(unit)
	switch {
	case f <= 0:
		return 0, true
	case f >= float64(longest):
		return longest, true
	}
	return time.Duration(f), true
}
