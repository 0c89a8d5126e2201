// Package permission decides whether a call of a tool may run: it allows it,
// denies it, or says that a person must be asked.
//
// Rules are written one a line, a verdict, a tool and what it touches:
//
//	allow bash(git status:*)     commands that begin with these words
//	allow bash(make test)        this command with these arguments and no others
//	allow bash("a | b > c")      this very text
//	deny  write(vendor/**)       paths, relative to the root
//	ask   net(*.example.com)     hosts
//	allow mcp_tracker_*          tools by name
//
// read, write, bash (or exec) and net name the operation, whichever tool
// does it: write covers write, edit and what a command redirects into a file.
//
// What always holds:
//
//   - A denial wins over everything. Then what a person granted in this session
//     counts, then the rules that ask, then those that allow, then the preset.
//   - Of several things that a call touches, the strictest verdict counts.
//   - A command is judged by each command in it: of pipelines, lists, functions,
//     substitutions, and of what is handed to env, xargs, sh -c, find -exec and
//     the like. What cannot be known before it runs is never allowed by a rule.
//   - Rules that allow match exactly; rules that ask or deny match regardless of
//     case and by the last part of a command's name: another spelling
//     does not get past them.
//   - The rules of a repository can ask and deny. They never allow.
//   - A rule's written form parses to the same rule.
package permission
