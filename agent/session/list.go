package session

import (
	"os"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/internal/flock"
)

// Info is what a list says of a session, and one line of it as JSON.
//
//	{"Record":"session","Session":"20261121-0910-7f3a","Started":"2026-11-21T09:10:04Z","Updated":"2026-11-21T09:12:40Z","Task":"fix the failing login","Outcome":"done","Steps":7,"Model":"m","Usage":{"Input":9120,"Output":811}}
type Info struct {
	Session  string
	Parent   string `json:",omitempty"` // forked from
	Started  time.Time
	Updated  time.Time
	Task     string // the first line of the first prompt
	Outcome  agent.Outcome
	Running  bool `json:",omitempty"` // another process writes it
	Steps    int
	Model    string
	Provider string
	Usage    agent.Usage
	Problem  string `json:",omitempty"` // why the log cannot be read
}

// RecordKind is the name of the records of sessions.
func (Info) RecordKind() string { return "session" }

// State is the outcome for a person: "running", "interrupted" for a run that
// did not come to its end, else the outcome.
func (i Info) State() string {
	switch {
	case i.Problem != "":
		return "damaged"
	case i.Running:
		return "running"
	case i.Outcome == "":
		return "interrupted"
	}
	return string(i.Outcome)
}

// List describes every session, the oldest first. A log that cannot be read is
// listed with its problem.
func (s *Store) List() ([]Info, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	out := make([]Info, 0, len(ids))
	for _, id := range ids {
		out = append(out, s.Info(id))
	}
	return out, nil
}

// Info describes a session.
func (s *Store) Info(id string) Info {
	i := Info{Session: id}
	err := s.Read(id, func(e agent.Event) error { i.add(e); return nil })
	if err != nil {
		i.Problem = err.Error()
		return i
	}
	i.Running = s.busy(id)
	return i
}

// maxTask is how much of a prompt a list shows, in characters.
const maxTask = 120

func (i *Info) add(e agent.Event) {
	if e.Seq == 1 {
		i.Started = e.Time
	}
	i.Updated = e.Time
	i.Steps = max(i.Steps, e.Step)
	switch e.Event {
	case agent.EventSession:
		i.Parent, i.Model, i.Provider, i.Outcome = e.Parent, e.Model, e.Provider, ""
	case agent.EventPrompt:
		if i.Task == "" && e.Message != nil {
			line, _, _ := strings.Cut(strings.TrimSpace(e.Message.Text()), "\n")
			if r := []rune(line); len(r) > maxTask {
				line = string(r[:maxTask-1]) + "…"
			}
			i.Task = line
		}
	case agent.EventMessage, agent.EventCompaction:
		if e.Usage != nil {
			i.Usage.Add(*e.Usage)
		}
	case agent.EventEnd:
		i.Outcome = e.Outcome
	}
}

// busy reports whether a process holds the lock of the session.
func (s *Store) busy(id string) bool {
	f, err := s.open(id, os.O_RDWR)
	if err != nil {
		return false
	}
	defer f.Close() // which gives the lock up
	ok, err := flock.Try(f)
	return err == nil && !ok
}
