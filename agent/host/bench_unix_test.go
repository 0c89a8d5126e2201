//go:build unix

package host

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
)

// repeated is a model that makes the calls of each of n steps, and takes no time.
type repeated struct {
	script
	n     int
	calls func(step int) []agent.Call
}

func (m *repeated) Stream(ctx context.Context, q agent.Request, emit func(agent.Delta)) (agent.Response, error) {
	if len(m.steps) < m.n {
		m.steps = append(m.steps, m.calls(len(m.steps)+1))
	}
	return m.script.Stream(ctx, q, emit)
}

// BenchmarkAgentStep is what a step of topo agent takes besides the model: the
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
			needGit(b)
			h, rights := open(b, optionsOf(b, demoTree(b))), rightsOf(b, Yes)
			model := Model{Client: &repeated{n: b.N, calls: calls}, Name: "m", Window: 1 << 40}
			before := cpuTime(b)
			b.ResetTimer()
			end, err := h.Run(b.Context(), Task{Prompt: "go", Model: model, Rights: rights}, silent{})
			b.StopTimer()
			b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			if err != nil || end.Outcome != agent.OutcomeDone || end.Steps != b.N+1 {
				b.Fatalf("%+v, %v", end, err)
			}
		})
	}
}

// silent is a face that shows nothing.
type silent struct{}

func (silent) Emit(agent.Event) error { return nil }

func (silent) Ask(context.Context, agent.Question) (agent.Answer, error) {
	return agent.Answer{}, agent.ErrNobody
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
