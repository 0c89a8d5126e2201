package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// toolCalls are one call of each code tool, on the tree that is the default.
var toolCalls = []struct{ name, input string }{
	{"search", `{"query":"evict pods under node memory pressure"}`},
	{"retrieve", `{"task":"evict pods under node memory pressure"}`},
	{"render_context", `{"task":"evict pods under node memory pressure"}`},
	{"outline", `{"path":"pkg/kubelet/eviction/eviction_manager.go"}`},
	{"symbol", `{"name":"managerImpl.synchronize","source":true}`},
	{"query_graph", `{"ask":"callers","of":"Close"}`},
	{"query_graph", `{"ask":"most_complex"}`},
	{"trace_dependencies", `{"from":"managerImpl.synchronize"}`},
	{"analyze_impact", `{"of":"managerImpl.synchronize"}`},
	{"run_detectors", `{}`},
	{"get_findings", `{"path":"pkg/kubelet"}`},
}

const (
	toolBar     = 0.1 // seconds that a code tool may take
	toolRounds  = 15
	toolPause   = 150 * time.Millisecond // each call then checks the tree again
	manyClients = 50
	clientCalls = 20 // of each client
)

// mcpServer is a running topo mcp.
type mcpServer struct {
	cmd        *exec.Cmd
	url, token string
}

// serve starts topo mcp on the tree, with its index in place.
func (b *bench) serve() (*mcpServer, error) {
	cache, err := b.fresh("mcp")
	if err != nil {
		return nil, err
	}
	if _, err := b.topoCommand(b.tree, cache, "index", "--deep").measure(b.ctx); err != nil {
		return nil, err
	}
	s := &mcpServer{cmd: exec.CommandContext(b.ctx, b.topo, "mcp", "--wait", "--http=127.0.0.1:0")}
	s.cmd.Dir = b.tree
	s.cmd.Env = append(os.Environ(), "TOPO_CACHE_DIR="+cache, "TOPO_ROOT=")
	said, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	in := bufio.NewScanner(said)
	for s.token == "" && in.Scan() {
		if u, ok := strings.CutPrefix(in.Text(), "topo: serving at "); ok {
			s.url = u
		}
		if k, ok := strings.CutPrefix(in.Text(), "topo: token: "); ok {
			s.token = k
		}
	}
	if s.token == "" {
		return nil, errors.Join(errors.New("topo mcp did not start"), s.cmd.Wait())
	}
	go io.Copy(io.Discard, said)
	return s, nil
}

func (s *mcpServer) stop() {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
}

// cpu is the time that the server has used the processors, in seconds; 0 where
// the system does not tell.
func (s *mcpServer) cpu() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	const ticks = 100 // a second, on every Linux that Go runs on
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / ticks
}

// call calls a tool and returns how long the answer took.
func (s *mcpServer) call(client *http.Client, tool, input string) (time.Duration, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, input)
	req, err := http.NewRequest(http.MethodPost, s.url, bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, err
	}
	for k, v := range map[string]string{"Authorization": "Bearer " + s.token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool} {
		req.Header.Set(k, v)
	}
	start := time.Now()
	res, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	took := time.Since(start)
	var answer struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	switch {
	case err != nil:
		return 0, err
	case json.Unmarshal(text, &answer) != nil || len(answer.Result.Content) == 0 || answer.Result.IsError || len(answer.Result.Content[0].Text) < 20:
		return 0, fmt.Errorf("%s %s: %s: %.300s", tool, input, res.Status, text)
	}
	return took, nil
}

// tools measures each code tool by itself, then many clients at once.
func (b *bench) tools(work string) ([]row, error) {
	s, err := b.serve()
	if err != nil {
		return nil, err
	}
	defer s.stop()
	var out []row
	for _, c := range toolCalls {
		before := s.cpu()
		samples, err := s.oneClient(c.name, c.input)
		if err != nil {
			return out, err
		}
		f := summarize(samples)
		note := fmt.Sprintf("%s; %.0f ms of CPU a call", c.input, 1000*(s.cpu()-before)/(toolRounds+1))
		out = append(out, row{Work: "code tool " + c.name, State: "warm", Topo: f, Notes: []string{note}}.judge(f.Seconds, "s", toolBar))
	}
	before := s.cpu()
	many, err := s.manyClients()
	if err != nil {
		return out, err
	}
	p := func(share float64) float64 { return many[min(int(share*float64(len(many))), len(many)-1)].Seconds() }
	out = append(out, row{Work: fmt.Sprintf("%d MCP clients at once, p99 of a call", manyClients), State: "warm",
		Topo: figure{Seconds: p(0.99), MinMax: [2]float64{many[0].Seconds(), many[len(many)-1].Seconds()}}, Notes: []string{fmt.Sprintf("median %.3f s of %d calls; %.0f ms of CPU a call", p(0.5), len(many), 1000*(s.cpu()-before)/float64(len(many)))}}.judge(p(0.99), "s", 0))
	return out, nil
}

func (s *mcpServer) oneClient(tool, input string) ([]sample, error) {
	if _, err := s.call(http.DefaultClient, tool, input); err != nil {
		return nil, err
	}
	var samples []sample
	for range toolRounds {
		time.Sleep(toolPause)
		took, err := s.call(http.DefaultClient, tool, input)
		if err != nil {
			return nil, err
		}
		samples = append(samples, sample{wall: took})
	}
	return samples, nil
}

// manyClients lets clients with connections of their own call all tools in turn,
// each beginning with another, and returns the times in ascending order.
func (s *mcpServer) manyClients() ([]time.Duration, error) {
	var mu sync.Mutex
	var all []time.Duration
	var failed error
	var wg sync.WaitGroup
	for i := range manyClients {
		wg.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			for n := range clientCalls {
				c := toolCalls[(i+n)%len(toolCalls)]
				took, err := s.call(client, c.name, c.input)
				mu.Lock()
				all, failed = append(all, took), errors.Join(failed, err)
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	slices.Sort(all)
	return all, failed
}
