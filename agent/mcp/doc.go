// Package mcp lets other programs use topo's tools by the Model Context
// Protocol, and gives the agent the tools of other programs' servers.
//
// What always holds of the server:
//
//   - It offers tools that change something only when it is configured to, and says of
//     each tool what it may do.
//   - A call answers with an error result, never with a broken connection: also
//     when the input is wrong, the tool fails, panics or takes too long.
//   - Over HTTP nothing is answered without the token. The Host and the Origin of
//     a request must be those of the server: no web page can reach it
//     through the user's browser. Bodies, sessions and calls at a time are
//     bounded.
//
// What always holds of the client:
//
//   - Servers come from the user's own configuration, never from a repository's.
//   - What a server says of its tools is not believed: each call is one that runs
//     something, and permissions decide.
//   - A server that is slow, dead or wrong makes error results, never more.
//   - A server process gets no environment but the usual and what its
//     configuration sets.
//
// The wire is the official SDK's; this package imports no stage.
package mcp
