// Package agent is the loop between a model and the tools: it sends a
// transcript to a [Provider], streams what comes back, runs the tool calls in
// it and sends their results, until the model is done or a limit is hit.
//
// What always holds:
//
//   - A transcript is valid at every moment it is stored: each tool call of an
//     assistant message is answered by exactly one result in the message after
//     it, also when the call was refused, failed or cancelled.
//   - A call whose input is not valid JSON of its schema is never run.
//   - Everything that happened is an [Event]; what is printed, stored and shown
//     in any face is made of events alone.
//   - The package knows providers, tools, permissions and snapshots by the
//     interfaces below and imports no stage.
//   - No key, and no value of a secret variable, is part of an event.
package agent
