//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
)

// scripted is a model that makes the same calls in each of n steps, and takes
// no time for it.
type scripted struct {
	n, at int
	calls func(step int) []agent.Call
}

func (*scripted) Name() string { return "scripted" }

func (m *scripted) Stream(context.Context, agent.Request, func(agent.Delta)) (agent.Response, error) {
	msg := agent.Message{Role: agent.Assistant}
	if m.at == m.n {
		msg.Blocks = []agent.Block{{Kind: agent.BlockText, Text: "done"}}
		return agent.Response{Message: msg, Stop: agent.StopEnd}, nil
	}
	m.at++
	for i, c := range m.calls(m.at) {
		c.ID = fmt.Sprint(m.at, "-", i)
		msg.Blocks = append(msg.Blocks, agent.Block{Kind: agent.BlockCall, Call: &c})
	}
	return agent.Response{Message: msg, Stop: agent.StopCalls, Usage: agent.Usage{Input: 10, Output: 10}}, nil
}

// BenchmarkAgentStep is what a step of topo agent takes beside the model: the
// loop, the permissions, the log on the disk, and the tools themselves.
func BenchmarkAgentStep(b *testing.B) {
	call := func(name, format string, args ...any) agent.Call {
		return agent.Call{Name: name, Input: json.RawMessage(fmt.Sprintf(format, args...))}
	}
	for name, calls := range map[string]func(int) []agent.Call{
		"read": func(n int) []agent.Call {
			return []agent.Call{call("read", `{"path":"login.sh","limit":%d}`, n)}
		},
		"read, grep and glob": func(n int) []agent.Call {
			return []agent.Call{call("read", `{"path":"login.sh","limit":%d}`, n), call("grep", `{"pattern":"login|%d"}`, n), call("glob", `{"pattern":"*.{sh,%d}"}`, n)}
		},
		"write, with snapshots": func(n int) []agent.Call {
			return []agent.Call{call("write", `{"path":"new/f%d.txt","content":"%d\n"}`, n, n)}
		},
		"bash true, with snapshots": func(n int) []agent.Call {
			return []agent.Call{call("bash", `{"command":"true %d"}`, n)}
		},
	} {
		b.Run(name, func(b *testing.B) {
			need(b, "git", "bash")
			dir := demoRepo(b)
			f, _, _ := fake(map[string]string{"HOME": filepath.Dir(dir)})
			o := &agentOptions{f: f, Yes: true, Sandbox: "off"}
			p, err := f.agentPlace(dir)
			if err != nil {
				b.Fatal(err)
			}
			if err := p.prepare(); err != nil {
				b.Fatal(err)
			}
			log, err := p.sessions.Create("bench")
			if err != nil {
				b.Fatal(err)
			}
			defer log.Close()
			cfg := agent.Config{Provider: &scripted{n: b.N, calls: calls}, System: agent.SystemPrompt(), Sink: log, Window: 1 << 40}
			turn := agent.Turn{Session: agent.Event{Session: "bench"}, Prompt: "go"}
			w, err := o.work(b.Context(), p, "bench", &cfg, &turn)
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			before := cpuTime(b)
			b.ResetTimer()
			end, err := agent.Run(b.Context(), cfg, &agent.State{}, turn)
			b.StopTimer()
			b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			if err != nil || end.Outcome != agent.OutcomeDone || end.Steps != b.N+1 {
				b.Fatalf("%+v, %v", end, err)
			}
		})
	}
}

// cpuTime is what this process and those it waited for have computed so far. On
// a machine that others use too it says more than the clock.
func cpuTime(b *testing.B) (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}
