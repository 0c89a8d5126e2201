package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/topo-dev/topo/agent"
)

// Body writes a request as JSON, in the form that [Canonical] describes.
func (c *Client) Body(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, &agent.ProviderError{Provider: c.Name, Kind: agent.ErrRequest, Message: "a request that is no JSON: " + err.Error(), Err: err}
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Bearer is the header of a request whose key, if there is one, goes as RFC 6750
// has it. Accept is the requested media type.
func (c *Client) Bearer(accept string) http.Header {
	h := http.Header{"Accept": {accept}}
	if !c.Key.Empty() {
		h.Set("Authorization", "Bearer "+c.Key.Reveal())
	}
	return h
}

// Post sends a body of JSON to a path below the base URL, with the header and
// what every request has. It does not change the header: one can be sent
// several times.
func (c *Client) Post(ctx context.Context, path string, body []byte, header http.Header) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL.String()+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	if c.Agent != "" {
		r.Header.Set("User-Agent", c.Agent)
	}
	return c.HTTP.Do(r)
}
