// Package wire is what the adapters of all model servers share: the key, the
// connection and its watchdog, the readers of streams, the classes of errors,
// and the draft of a message that is still being received.
//
// What always holds:
//
//   - A server is not trusted: what it sends is bounded in size, in the length of
//     a line and in the time between two bytes, and its words are cleaned before a
//     person reads them.
//   - A key goes to the configured server alone: no redirect is followed, and
//     none is sent over a connection that others could read. It prints as
//     "[redacted]" whatever it is printed with, and is cut out of errors.
//   - The package reads no environment and keeps no state between requests but
//     open connections.
package wire
