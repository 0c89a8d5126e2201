// Package host assembles runs of the agent: session, permissions, tools, sandbox,
// snapshots, MCP servers and the provider of the model. A command line, an editor,
// a terminal interface, a workflow engine and a server over HTTP start runs here;
// each brings a [Face] and nothing else.
//
// What always holds:
//
//   - The package parses no flags and prints nothing. Events and questions go to
//     the [Face], progress of the index to Options.Note.
//   - It reads no environment: variables come in through Options. Programs (git,
//     rg, bash) are looked up on the PATH of the process.
//   - Rights are a value. Reading them, stored rules included, changes nothing.
//   - What belongs to the user (sessions, snapshots, granted rules) is in the state
//     folder of the user, never in the tree.
//   - A Host may start several runs at a time. Each has its own tools.
package host
