package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
)

var update = flag.Bool("update", false, "write the golden files anew")

var at = time.Date(2026, 11, 21, 9, 10, 0, 0, time.UTC)

// sample is the events of a session of two steps.
func sample(id string) []agent.Event {
	prompt := agent.UserText("fix the login\nsoon")
	usd := 0.5
	ask := agent.Message{Role: agent.Assistant, Blocks: []agent.Block{
		{Kind: agent.BlockThinking, Text: "hm", Signature: "s"},
		{Kind: agent.BlockText, Text: "Looking."},
		{Kind: agent.BlockCall, Call: &agent.Call{ID: "a", Name: "read", Input: json.RawMessage(`{"path":"x"}`)}}}}
	result := &agent.CallResult{ID: "a", Content: "```\ncode <b>\n```"}
	results := agent.Message{Role: agent.User, Blocks: []agent.Block{{Kind: agent.BlockResult, Result: result}}}
	done := agent.Message{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockText, Text: "Done."}}}
	usage := &agent.Usage{Input: 10, Output: 2, USD: &usd}
	events := []agent.Event{
		{Event: agent.EventSession, Version: agent.LogVersion, Model: "m", Provider: "p"},
		{Event: agent.EventPrompt, Message: &prompt},
		{Event: agent.EventStep, Step: 1},
		{Event: agent.EventMessage, Step: 1, Message: &ask, Stop: agent.StopCalls, Usage: usage},
		{Event: agent.EventPermission, Step: 1, Call: ask.Blocks[2].Call, Verdict: agent.Allow, Rules: []string{"allow read"}, Text: "by the user"},
		{Event: agent.EventCallStart, Step: 1, Call: ask.Blocks[2].Call},
		{Event: agent.EventCallEnd, Step: 1, Result: result},
		{Event: agent.EventResults, Step: 1, Message: &results},
		{Event: agent.EventStep, Step: 2},
		{Event: agent.EventMessage, Step: 2, Message: &done, Stop: agent.StopEnd, Usage: usage},
		{Event: agent.EventEnd, Step: 2, Outcome: agent.OutcomeDone, Text: "Done.", Usage: usage},
	}
	for i := range events {
		events[i].Session, events[i].Seq, events[i].Time = id, int64(i+1), at.Add(time.Duration(i)*time.Second)
	}
	return events
}

// written is a store with one session of the events.
func written(t *testing.T, id string, events []agent.Event) *Store {
	t.Helper()
	s := Open(filepath.Join(t.TempDir(), "cache", "sessions"))
	log, err := s.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := log.Emit(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRoundTrip(t *testing.T) {
	want := sample("s1")
	s := written(t, "s1", want)
	got, err := s.Events("s1")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if !bytes.Equal(a, b) {
		t.Errorf("read\n%s\nwritten\n%s", b, a)
	}
	info, err := os.Stat(filepath.Join(s.dir, "s1.jsonl"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; others must not read a session", info.Mode(), err)
	}
}

func TestLiveEventsAreNotStored(t *testing.T) {
	s := written(t, "s1", append(sample("s1"), agent.Event{Event: agent.EventText, Text: "piece"}))
	if events, err := s.Events("s1"); err != nil || len(events) != len(sample("s1")) {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// TestTornLine cuts the log at every byte: what is left is read up to the last
// whole event, and the session can be continued.
func TestTornLine(t *testing.T) {
	events := sample("s1")
	s := written(t, "s1", events)
	path := filepath.Join(s.dir, "s1.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(whole, '\n') + 1
	for cut := first; cut < len(whole); cut += 7 {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		want := bytes.Count(whole[:cut], []byte("\n"))
		log, state, err := s.Resume("s1")
		if err != nil || state.Seq != int64(want) {
			t.Fatalf("cut at %d: %v, event %d, want %d", cut, err, state.Seq, want)
		}
		if err := log.Emit(agent.Event{Event: agent.EventNote, Session: "s1", Seq: state.Seq + 1}); err != nil {
			t.Fatal(err)
		}
		log.Close()
		if got, err := s.Events("s1"); err != nil || len(got) != want+1 {
			t.Fatalf("cut at %d and continued: %d events, %v", cut, len(got), err)
		}
	}
	// The disk got the length of the last line, and not its contents.
	if err := os.WriteFile(path, append(slices.Clone(whole), "\x00\x00\x00\x00\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	log, state, err := s.Resume("s1")
	if err != nil || state.Seq != int64(len(events)) {
		t.Fatalf("zeros at the end: %v", err)
	}
	log.Close()
}

func TestDamage(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"empty":       {"", "empty"},
		"newer":       {`{"Event":"session","Version":2,"Seq":1}` + "\n", "update topo"},
		"no version":  {`{"Event":"session","Seq":1}` + "\n", "no version"},
		"no session":  {`{"Event":"prompt","Seq":1}` + "\n", "no session"},
		"first line":  {"rubbish\n", "line 1"},
		"middle line": {`{"Event":"session","Version":1,"Seq":1}` + "\nrubbish\n" + `{"Event":"note","Seq":3}` + "\n", "line 2"},
		"a gap":       {`{"Event":"session","Version":1,"Seq":1}` + "\n" + `{"Event":"note","Seq":3}` + "\n", "event 3 stands where event 2"},
		"no kind":     {`{"Event":"session","Version":1,"Seq":1}` + "\n{}\n", "damaged"},
		"impossible":  {`{"Event":"session","Version":1,"Seq":1}` + "\n" + `{"Event":"message","Seq":2}` + "\n", "message"},
	} {
		s := Open(t.TempDir())
		if err := os.WriteFile(filepath.Join(s.dir, "x.jsonl"), []byte(c.log), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := s.Resume("x")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if got, _ := os.ReadFile(filepath.Join(s.dir, "x.jsonl")); string(got) != c.log {
			t.Errorf("%s: the log was changed", name)
		}
		list, err := s.List()
		if err != nil || len(list) != 1 || (list[0].Problem == "") != (name == "impossible") {
			t.Errorf("%s: list %+v, %v", name, list, err)
		}
	}
}

func TestLock(t *testing.T) {
	s := written(t, "s1", sample("s1"))
	log, _, err := s.Resume("s1")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Resume("s1"); !errors.Is(err, ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	if i := s.Info("s1"); i.State() != "running" {
		t.Errorf("state %q while it is written", i.State())
	}
	log.Close()
	if i := s.Info("s1"); i.State() != "done" {
		t.Errorf("state %q", i.State())
	}
}

func TestNames(t *testing.T) {
	s := written(t, "20261121-0910-7f3a", sample("20261121-0910-7f3a"))
	if _, err := s.Create("20261121-0911-7f3b"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"last": "20261121-0911-7f3b", "20261121-0910": "20261121-0910-7f3a", "20261121-0910-7f3a": "20261121-0910-7f3a"} {
		if got, err := s.Resolve(name); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"2026", "", "x", "../x", "/etc/passwd"} {
		if got, err := s.Resolve(name); err == nil {
			t.Errorf("%q stands for %q", name, got)
		}
	}
	for _, id := range []string{"", "..", "../x", "a/b", "A", "a.b", strings.Repeat("a", 65), "-a", "a\x00"} {
		if _, err := s.Create(id); err == nil {
			t.Errorf("%q was made", id)
		}
		if _, err := s.Events(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := s.Create("20261121-0911-7f3b"); err == nil {
		t.Error("a session was made twice")
	}
	if id := NewID(at, 0x7f3a); id != "20261121-0910-7f3a" || !validID().MatchString(id) {
		t.Errorf("ID %q", id)
	}
}

// TestLinks: what a repository puts in the place of a log is not opened.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(`{"Event":"session","Version":1,"Seq":1}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Open(filepath.Join(dir, "sessions"))
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(s.dir, "x.jsonl")); err != nil {
		t.Skip("this file system has no links")
	}
	if _, _, err := s.Resume("x"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link as a log: %v", err)
	}
	if _, err := s.Create("x"); err == nil {
		t.Error("a link was overwritten")
	}
	if ids, _ := s.IDs(); len(ids) != 0 {
		t.Errorf("a link is listed: %v", ids)
	}
	linked := Open(filepath.Join(dir, "linked"))
	if err := os.Symlink(dir, linked.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := linked.Create("y"); err == nil {
		t.Error("a link as the folder was followed")
	}
}

func TestFork(t *testing.T) {
	events := sample("s1")
	s := written(t, "s1", events)
	if err := os.MkdirAll(s.Outputs("s1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Outputs("s1"), "out"), []byte("long"), 0o600); err != nil {
		t.Fatal(err)
	}
	for step, want := range map[int]int{0: len(events), 1: 8, 2: 10} {
		id := fmt.Sprint("f", step)
		log, state, err := s.Fork("s1", id, step)
		if err != nil {
			t.Fatal(err)
		}
		log.Close()
		got, err := s.Events(id)
		if err != nil || len(got) != want || state.Seq != int64(want) || state.Session != id || state.Parent != "s1" {
			t.Errorf("fork at step %d: %d events, %+v, %v", step, len(got), state, err)
		}
		if out, err := os.ReadFile(filepath.Join(s.Outputs(id), "out")); string(out) != "long" {
			t.Errorf("fork at step %d: outputs %q, %v", step, out, err)
		}
	}
	if _, _, err := s.Fork("s1", "f9", 9); err == nil || !strings.Contains(err.Error(), "the last is 2") {
		t.Errorf("a step that is not there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "f9.jsonl")); err == nil {
		t.Error("a failed fork left a log behind")
	}
	if _, _, err := s.Fork("nothing", "f8", 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestDiscard(t *testing.T) {
	s := written(t, "s1", sample("s1"))
	if _, err := s.Create("s2"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"s1", "s2", "s3", "../s1"} {
		s.Discard(id)
	}
	if ids, err := s.IDs(); err != nil || len(ids) != 1 || ids[0] != "s1" {
		t.Errorf("left: %v, %v", ids, err)
	}
}

func TestInfo(t *testing.T) {
	i := written(t, "s1", sample("s1")).Info("s1")
	if i.Task != "fix the login" || i.Steps != 2 || i.Outcome != agent.OutcomeDone || i.Usage.Total() != 24 || *i.Usage.USD != 1 ||
		!i.Started.Equal(at) || i.Updated.Sub(i.Started) != 10*time.Second {
		t.Errorf("%+v", i)
	}
	if i := written(t, "s1", sample("s1")[:9]).Info("s1"); i.State() != "interrupted" {
		t.Errorf("a session that did not end is %q", i.State())
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, sample("s1")); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/session.md")
	if *update {
		want, err = b.Bytes(), os.WriteFile("testdata/session.md", b.Bytes(), 0o644)
	}
	if err != nil || b.String() != string(want) {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestGrants(t *testing.T) {
	g := Grants{filepath.Join(t.TempDir(), "grants")}
	if r, err := g.Rules("s1", "/r"); err != nil || r != nil {
		t.Errorf("%v, %v", r, err)
	}
	for _, r := range []string{"allow bash(go test:*)", "allow write(docs/**)", "two\nlines"} {
		if err := g.Add("s1", "/r", []string{r}); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := g.Rules("s1", "/r"); err != nil || strings.Join(r, "|") != "allow bash(go test:*)|allow write(docs/**)" {
		t.Errorf("%q, %v", r, err)
	}
	if err := g.Copy("s1", "s2", "/r"); err != nil {
		t.Fatal(err)
	}
	if r, err := g.Rules("s2", "/r"); err != nil || len(r) != 2 {
		t.Errorf("a copy: %q, %v", r, err)
	}
	if r, err := g.Rules("s1", "/other"); err != nil || r != nil {
		t.Errorf("the rules of another tree: %q, %v", r, err)
	}
	if _, err := g.Rules("../s1", "/r"); err == nil {
		t.Error("a path as an ID")
	}
}

func FuzzLog(f *testing.F) {
	for _, e := range [][]agent.Event{sample("x"), sample("x")[:5]} {
		var b bytes.Buffer
		for _, e := range e {
			line, _ := json.Marshal(e)
			b.Write(append(line, '\n'))
		}
		f.Add(b.Bytes())
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := Open(dir)
		if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = s.Info("x")
		log, state, err := s.Resume("x")
		if err != nil {
			return
		}
		defer log.Close()
		if err := agent.ValidTranscript(state.Messages); err != nil {
			t.Fatal(err)
		}
		events, err := s.Events("x")
		if err != nil || int64(len(events)) != state.Seq {
			t.Fatalf("%d events, %d applied, %v", len(events), state.Seq, err)
		}
		if err := Markdown(&bytes.Buffer{}, events); err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkEmit is what the log costs an event that must be on the disk, and
// one that need not.
func BenchmarkEmit(b *testing.B) {
	for _, kind := range []agent.EventKind{agent.EventCallEnd, agent.EventCallStart} {
		b.Run(string(kind), func(b *testing.B) {
			log, err := Open(filepath.Join(b.TempDir(), "s")).Create("x")
			if err != nil {
				b.Fatal(err)
			}
			defer log.Close()
			e := agent.Event{Event: kind, Session: "x", Result: &agent.CallResult{Content: strings.Repeat("line of text\n", 200)}}
			for b.Loop() {
				if err := log.Emit(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
