// Package term is the face of the agent on a plain terminal: it shows the events of a
// run line by line and asks for permissions.
//
// What always holds: text of models, tools and the repository cannot steer the
// terminal, and a question is never pushed out of sight.
package term
