// Prints where the calls of TypeScript or JavaScript sources lead, as the compiler's type
// checker resolves them.
//
// usage: node calls.js ROOT TSCONFIG ts|js FOLDER…
//
// {"Files": […], "Calls": [[path, line, to path, to line, to name]], "Unclear": [[path, line, name]]}
const fs = require('fs')
const path = require('path')
const ts = require('typescript')

const [given, config, kind, ...folders] = process.argv.slice(2)
const root = fs.realpathSync(given)
const read = ts.readConfigFile(path.join(root, config), ts.sys.readFile)
const options = ts.parseJsonConfigFileContent(read.config || {}, ts.sys, root).options
const wanted = kind === 'js' ? /\.[cm]?js$/ : /\.tsx?$/
const sources = []
for (const folder of folders) walk(path.resolve(folder))

function walk(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const full = path.join(dir, e.name)
    if (e.isDirectory() && e.name !== 'node_modules' && e.name !== 'dist') walk(full)
    else if (wanted.test(e.name) && !e.name.endsWith('.d.ts')) sources.push(fs.realpathSync(full))
  }
}

const program = ts.createProgram(sources, { ...options, noEmit: true, skipLibCheck: true, ...(kind === 'js' && { allowJs: true, checkJs: true }) })
const checker = program.getTypeChecker()
const files = [], calls = [], unclear = []
const relative = f => path.relative(root, f).split(path.sep).join('/')
const lineOf = (file, pos) => file.getLineAndCharacterOfPosition(pos).line + 1

// body is the function that a declaration gives a body to.
function body(d) {
  if (ts.isFunctionDeclaration(d) || ts.isMethodDeclaration(d) || ts.isConstructorDeclaration(d) || ts.isGetAccessor(d)) return d.body && d
  const init = (ts.isVariableDeclaration(d) || ts.isPropertyAssignment(d) || ts.isPropertyDeclaration(d)) && d.initializer
  if (init && (ts.isArrowFunction(init) || ts.isFunctionExpression(init))) return d
}

// made is what "new C" runs: the constructor of the class or of a base.
function made(c, depth = 0) {
  const own = c.members.find(m => ts.isConstructorDeclaration(m) && m.body)
  if (own) return { at: own, name: 'constructor' }
  const found = depth < 8 && inherited(c, depth)
  if (found && found.name === 'constructor') return found
  return { at: c, name: c.name ? c.name.text : '' }
}

// inherited is what the base class of a class runs when it is made.
function inherited(c, depth = 0) {
  const clause = (c.heritageClauses || []).find(h => h.token === ts.SyntaxKind.ExtendsKeyword)
  const base = clause && symbolOf(clause.types[0].expression)
  const d = base && (base.declarations || []).find(ts.isClassDeclaration)
  return d && made(d, depth + 1)
}

function symbolOf(e) {
  let s = checker.getSymbolAtLocation(ts.isPropertyAccessExpression(e) ? e.name : e)
  if (s && s.flags & ts.SymbolFlags.Alias) s = checker.getAliasedSymbol(s)
  return s
}

// targets are the declarations that a callee leads to, undefined when that is
// not known before it runs, empty when it lies outside.
function targets(e) {
  const s = symbolOf(e)
  const all = (s && s.declarations) || []
  if (all.length === 0) return undefined
  const out = []
  for (const d of all) {
    if (ts.isClassDeclaration(d)) out.push(made(d))
    else if (body(d)) out.push({ at: d, name: s.name })
  }
  if (out.length) return out
  return all.every(d => relative(d.getSourceFile().fileName).startsWith('..') || /node_modules/.test(d.getSourceFile().fileName)) ? [] : undefined
}

function visit(file, rel, node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    let callee = node.expression
    while (ts.isParenthesizedExpression(callee) || ts.isNonNullExpression(callee)) callee = callee.expression
    if (callee.kind === ts.SyntaxKind.SuperKeyword) {
      let c = node
      while (c && !ts.isClassLike(c)) c = c.parent
      const found = c && inherited(c)
      const line = lineOf(file, callee.getStart())
      if (found) {
        const f = found.at.getSourceFile()
        calls.push([rel, line, relative(f.fileName), lineOf(f, (found.at.name || found.at).getStart()), found.name])
      }
    } else if (ts.isIdentifier(callee) || ts.isPropertyAccessExpression(callee)) {
      const name = ts.isIdentifier(callee) ? callee : callee.name
      const line = lineOf(file, name.getStart())
      const found = targets(callee)
      if (!found) unclear.push([rel, line, name.text])
      for (const t of found || []) {
        const f = t.at.getSourceFile()
        calls.push([rel, line, relative(f.fileName), lineOf(f, (t.at.name || t.at).getStart()), t.name])
      }
    }
  }
  ts.forEachChild(node, child => visit(file, rel, child))
}

for (const name of sources) {
  const file = program.getSourceFile(name)
  files.push(relative(name))
  visit(file, relative(name), file)
}
process.stdout.write(JSON.stringify({ Files: files, Calls: calls, Unclear: unclear }))
