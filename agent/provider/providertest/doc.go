// Package providertest is a model server that plays a script, and the suite
// that every provider must pass against it.
//
// One script serves every wire format: the server chooses the format by
// the path of a request.
//
//	POST /v1/messages          Anthropic, server-sent events
//	POST /v1/chat/completions  OpenAI and what is compatible with it, server-sent events
//	POST /api/chat             Ollama, one JSON value a line
//
// What always holds:
//
//   - Requests take the turns of the script in their order. A request past the
//     last turn is answered by status 500 with a text that says so.
//   - Nothing waits on a clock. A turn that must wait waits on a channel.
//   - What was sent to the server is kept and can be looked at.
//
// A whole task in two turns:
//
//	srv := providertest.New(
//		providertest.Turn{providertest.Text("Let me look."), providertest.Use("c1", "read", `{"path":"main.go"}`)},
//		providertest.Turn{providertest.Text("Done.")},
//	)
//	defer srv.Close()
//	// give srv.URL to the provider as its base URL
package providertest
