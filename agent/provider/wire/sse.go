package wire

import (
	"bytes"
	"io"
)

// Event is a server-sent event.
type Event struct {
	Name string // of the event field; empty when there was none
	Data []byte // the data lines joined by LF; valid until the next call
	// Cut means that the stream ended where the event's empty line should have
	// been: it may be half an event.
	Cut bool
}

// Events reads a stream of server-sent events (WHATWG HTML, "Server-sent
// events"). Comments, and the fields id and retry, mean nothing here.
type Events struct {
	lines *Lines
	max   int
	data  []byte
}

// NewEvents reads events whose lines and whose data have at most limit bytes.
func NewEvents(r io.Reader, limit int) *Events {
	return &Events{lines: NewLines(r, limit), max: limit}
}

// Next returns the next event that has data, or io.EOF.
func (e *Events) Next() (Event, error) {
	ev := Event{}
	e.data = e.data[:0]
	some := false
	for {
		line, err := e.lines.Next()
		switch {
		case err == io.EOF && some:
			ev.Data, ev.Cut = e.data, true
			return ev, nil
		case err != nil:
			return Event{}, err
		case len(line) == 0 && some:
			ev.Data = e.data
			return ev, nil
		case len(line) == 0:
			ev.Name = "" // an event without data is none
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			ev.Name = string(value)
		case "data":
			if some {
				e.data = append(e.data, '\n')
			}
			e.data, some = append(e.data, value...), true
			if len(e.data) > e.max {
				return Event{}, ErrLine
			}
		}
	}
}
