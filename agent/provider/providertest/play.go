package providertest

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/topo-dev/topo/agent"
)

// format writes a turn in one wire format. Its methods return what to send.
type format interface {
	contentType() string
	begin(agent.Usage) string
	text(pieces []string) []string
	thinking(Thinking) []string
	redacted(data string) []string
	calls([]Call) []string
	ping() string
	unknown() string
	inline(Fault) string
	finish(agent.StopReason, agent.Usage) string
	fault(Fault) (status int, body string)
}

// formatOf returns the format spoken at a path, nil for none.
func formatOf(path string) func(model string) format {
	switch {
	case strings.HasSuffix(path, "/v1/messages"):
		return func(m string) format { return &anthropicFormat{model: m} }
	case strings.HasSuffix(path, "/chat/completions"):
		return func(m string) format { return &openaiFormat{model: m} }
	case strings.HasSuffix(path, "/api/chat"):
		return func(m string) format { return &ollamaFormat{model: m} }
	}
	return nil
}

func modelOf(body []byte) string {
	var req struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(body, &req)
	return req.Model
}

// player writes one turn.
type player struct {
	w       http.ResponseWriter
	r       *http.Request
	format  format
	style   Style
	usage   agent.Usage
	started bool
}

func (p *player) play(t Turn) {
	p.usage = DefaultUsage
	for _, s := range t {
		if s.Usage != nil {
			p.usage = *s.Usage
		}
	}
	stop := agent.StopEnd
	if t.hasCalls() {
		stop = agent.StopCalls
	}
	for _, s := range t {
		if p.step(s); s.ends() || p.r.Context().Err() != nil {
			return
		}
	}
	p.step(Stop(stop))
}

func (p *player) step(s Step) {
	switch {
	case s.HTTP != nil:
		p.fault(*s.HTTP)
	case s.Hold != nil:
		p.start()
		select {
		case <-s.Hold:
		case <-p.r.Context().Done():
		}
	case s.Reached != nil:
		close(s.Reached)
	case s.Reset:
		p.start()
		reset(p.w)
	default:
		p.start()
		p.send(p.pieces(s)...)
	}
}

// pieces are the bytes of a step that has some.
func (p *player) pieces(s Step) []string {
	switch {
	case s.Text != nil:
		return p.format.text(s.Text)
	case s.Thinking != nil:
		return p.format.thinking(*s.Thinking)
	case s.Redacted != "":
		return p.format.redacted(s.Redacted)
	case s.Call != nil:
		return p.format.calls([]Call{*s.Call})
	case s.Calls != nil:
		return p.format.calls(s.Calls)
	case s.Ping:
		return []string{p.format.ping()}
	case s.Unknown:
		return []string{p.format.unknown()}
	case s.Raw != "":
		return []string{s.Raw}
	case s.Error != nil:
		return []string{p.format.inline(*s.Error)}
	case s.Stop != "":
		return []string{p.format.finish(s.Stop, p.usage)}
	}
	return nil
}

// start sends the head of a stream once.
func (p *player) start() {
	if p.started {
		return
	}
	p.started = true
	p.w.Header().Set("Content-Type", p.format.contentType())
	p.w.WriteHeader(http.StatusOK)
	if p.style.BOM {
		p.write("\ufeff")
	}
	p.send(p.format.begin(p.usage))
}

func (p *player) send(pieces ...string) {
	for _, s := range pieces {
		if p.style.CRLF {
			s = strings.ReplaceAll(s, "\n", "\r\n")
		}
		if !p.style.Bytes {
			p.write(s)
			continue
		}
		for i := range len(s) {
			p.write(s[i : i+1])
		}
	}
}

func (p *player) write(s string) {
	_, _ = p.w.Write([]byte(s))
	_ = http.NewResponseController(p.w).Flush()
}

func (p *player) fault(f Fault) {
	for k, v := range f.Header {
		p.w.Header().Set(k, v)
	}
	status, body := p.format.fault(f)
	if f.Body != "" {
		body = f.Body
	} else if p.w.Header().Get("Content-Type") == "" {
		p.w.Header().Set("Content-Type", "application/json")
	}
	p.w.WriteHeader(status)
	p.write(body)
}
