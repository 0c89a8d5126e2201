package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/topo-dev/topo/agent"
)

// Bounds of a log, which anybody may have written.
const (
	maxLine = 64 << 20 // bytes; a call's input is 8 MiB at most
	maxLog  = 4 << 30  // bytes
)

// Read calls got for each event of a session, in order. It stops at the first
// error that got returns. A last line that was cut short is passed over.
func (s *Store) Read(id string, got func(agent.Event) error) error {
	f, err := s.open(id, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := scan(f, got); err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	return nil
}

// Events returns the events of a session.
func (s *Store) Events(id string) (events []agent.Event, err error) {
	err = s.Read(id, func(e agent.Event) error { events = append(events, e); return nil })
	return events, err
}

// scan reads a log and returns where its last whole line ends. Whatever follows
// was cut short by a crash: an append is not seen in parts otherwise.
func scan(f *os.File, got func(agent.Event) error) (end int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() > maxLog {
		return 0, fmt.Errorf("the log has %d bytes, and the most is %d; begin a new session", info.Size(), int64(maxLog))
	}
	r := bufio.NewReaderSize(io.LimitReader(f, info.Size()), 1<<16)
	for n := int64(1); ; n++ {
		line, err := readLine(r)
		if errors.Is(err, io.EOF) {
			if n == 1 {
				return 0, errors.New("the log is empty; remove it and begin a new session")
			}
			return end, nil
		} else if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		e, err := parse(line, n)
		if err != nil && n > 1 && end+int64(len(line)) == info.Size() && !json.Valid(line) {
			return end, nil // the disk got the length of the line and not all of its blocks
		} else if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		if err := got(e); err != nil {
			return 0, err
		}
		end += int64(len(line))
	}
}

// readLine returns the next line with its end; io.EOF for the last without one.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		}
		line = append(line, part...)
		if err == nil || !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// parse reads line n of a log.
func parse(line []byte, n int64) (e agent.Event, err error) {
	if err := json.Unmarshal(bytes.TrimSpace(line), &e); err != nil {
		return e, fmt.Errorf("no event: %w; the log is damaged", err)
	}
	switch {
	case e.Event == "":
		return e, errors.New("no event; the log is damaged")
	case e.Seq != n:
		return e, fmt.Errorf("event %d stands where event %d belongs; the log is damaged", e.Seq, n)
	case n == 1 && e.Event != agent.EventSession:
		return e, fmt.Errorf("the first event is %q and not %q; this is no session", e.Event, agent.EventSession)
	case e.Event == agent.EventSession && e.Version > agent.LogVersion:
		return e, fmt.Errorf("the log has version %d, and this topo reads up to %d; update topo", e.Version, agent.LogVersion)
	case e.Event == agent.EventSession && e.Version < 1:
		return e, errors.New("the log has no version; it is damaged")
	}
	return e, nil
}
