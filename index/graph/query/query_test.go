package query

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

// shop is a small graph that the table below asks about.
func shop() *graphtest.Graph {
	g := &graphtest.Graph{}
	file := g.File("net/server.go")
	server := g.Add(graph.Node{Kind: graph.NodeType, Name: "Server", Path: "net/server.go", Language: "go", Line: 3, EndLine: 9})
	serve := g.Add(graph.Node{Kind: graph.NodeMethod, Name: "Server.Serve", Path: "net/server.go", Language: "go", Line: 11, EndLine: 30, Metrics: graph.Metrics{Cyclomatic: 7, Params: 1}, FanIn: 2})
	shut := g.Add(graph.Node{Kind: graph.NodeMethod, Name: "Server.Close", Path: "net/server.go", Language: "go", Line: 32, EndLine: 40, Metrics: graph.Metrics{Cyclomatic: 2}})
	main := g.Func("main.go", "main")
	test := g.Func("net/server_test.go", "TestServe")
	fmt := g.Add(graph.Node{Kind: graph.NodeExternal, Name: "fmt"})
	for _, n := range []int{server, serve, shut} {
		g.Link(graph.EdgeContains, file, n, graph.Resolved)
	}
	g.Link(graph.EdgeCalls, main, serve, graph.KnownType)
	g.Link(graph.EdgeCalls, serve, shut, graph.NameOnly)
	g.Link(graph.EdgeTests, test, serve, graph.Resolved)
	g.Link(graph.EdgeImports, file, fmt, graph.Resolved)
	return g
}

// answers holds queries and their rows in JSON.
var answers = []struct{ query, want string }{
	{"MATCH (f:Method) RETURN f.name", `[["Server.Serve"],["Server.Close"]]`},
	{"match (f:Method {short: 'Close'}) return f.name, f.cyclomatic AS c", `[["Server.Close",2]]`},
	{"MATCH (f {name: $n}) RETURN f.line;", `[[11]]`},
	{"MATCH (a)-[r:CALLS]->(b) RETURN a.short, b.short, r.confidence, r.reason ORDER BY r.confidence", `[["Serve","Close",0.3,"name match only"],["main","Serve",0.9,"known receiver type"]]`},
	{"MATCH (a {name:'main'})-[:CALLS*1..3]->(b) RETURN b.short", `[["Serve"],["Close"]]`},
	{"MATCH p = (a {name:'main'})-[r:CALLS*2]->() WHERE any(e IN r WHERE e.confidence < 0.5) RETURN length(p), size(r)", `[[2,2]]`},
	{"MATCH p=(:Function)-[:TESTS]->() RETURN [n IN nodes(p) WHERE true]", ""},
	{"MATCH (f:Method) WHERE NOT (f)<-[:TESTS]-() RETURN f.name", `[["Server.Close"]]`},
	{"MATCH (f:Function|Method) WHERE exists((f)-[:CALLS]->()) RETURN f.short ORDER BY f.short DESC", `[["main"],["Serve"]]`},
	{"MATCH (f) RETURN f.kind AS k, count(*) AS n, avg(f.cyclomatic) ORDER BY n DESC, k LIMIT 2", `[["function",2,0],["method",2,4.5]]`},
	{"MATCH (f:File)-[:CONTAINS]->(x) RETURN f.name, collect(x.short)", `[["net/server.go",["Server","Serve","Close"]]]`},
	{"MATCH (f:Var) RETURN count(f), sum(f.lines), max(f.name), collect(f.name)", `[[0,0,null,[]]]`},
	{"MATCH (m:External) RETURN m.path, m.path IS NULL, m.cyclomatic", `[[null,true,null]]`},
	{"MATCH (f:Method) WHERE f.path STARTS WITH 'net/' AND f.name ENDS WITH 'e' AND f.name CONTAINS 'Cl' RETURN f.endLine - f.line", `[[8]]`},
	{"MATCH (f) WHERE f.name =~ 'Server\\\\..*' RETURN count(*)", `[[2]]`},
	{"MATCH (f:Method) WHERE f.name =~ 'Server' RETURN f", `[]`},
	{"MATCH (f:Function) WHERE f.name IN ['main', 'x'] RETURN labels(f), id(f), toUpper(f.name)", `[[["Function"],4,"MAIN"]]`},
	{"MATCH (a:Type), (b:External) RETURN a.name, b.name", `[["Server","fmt"]]`},
	{"MATCH (a:Type) MATCH (a)<-[:CONTAINS]-(f) RETURN f.name", `[["net/server.go"]]`},
	{"MATCH (a:Type)--(f) RETURN DISTINCT f.language", `[["go"]]`},
	{"MATCH (t:Type) RETURN t", `[[{"ID":1,"Kind":"type","Name":"Server","Path":"net/server.go","Line":3,"EndLine":9}]]`},
	{"MATCH ()-[r:TESTS]->() RETURN r", `[[{"From":5,"To":2,"Kind":"tests","Confidence":1,"Reason":"resolved"}]]`},
	{"MATCH (t:Type) RETURN 1 + 2 * 3 - 4 % 3, 7 / 2, 7 / 2.0, -t.line, 'a' + \"b\", [1, 2] + [3]", `[[6,3,3.5,-3,"ab",[1,2,3]]]`},
	{"MATCH (t:Type) RETURN 1 = 1.0, 1 < 2 < 3, 1 < 'a', null = null, NOT null, true XOR true, null OR true, 'a' IN [null]", `[[true,true,null,null,null,false,true,null]]`},
	{"MATCH (t:Type) RETURN coalesce(null, 2), head([]), last([1,2]), abs(-3), round(2.5), split('a,b', ','), replace('aa','a','b'), substring('hello',1,3), toInteger('4'), toInteger('x'), size('日本')", `[[2,null,2,3,3,["a","b"],"bb","ell",4,null,2]]`},
	{"MATCH (t:Type) RETURN all(x IN [] WHERE false), none(x IN [1] WHERE x = 1), single(x IN [1, 2] WHERE x > 1), any(x IN [null] WHERE x = 1)", `[[true,false,true,null]]`},
	{"MATCH (f:Method) RETURN f.short AS s, count(*) + 1 AS n ORDER BY s SKIP 1", `[["Serve",2]]`},
	{"MATCH (`f`:Method) WHERE f:Method /* and */ RETURN count(*) // all", `[[2]]`},
	{"MATCH (f:Method) RETURN f.name LIMIT 0", `[]`},
	{"MATCH p=(:Function {name:'main'})-->() RETURN p", `[[{"Nodes":[{"ID":4,"Kind":"function","Name":"main","Path":"main.go","Line":5,"EndLine":5},{"ID":2,"Kind":"method","Name":"Server.Serve","Path":"net/server.go","Line":11,"EndLine":30}],"Edges":[{"From":4,"To":2,"Kind":"calls","Confidence":0.9,"Reason":"known receiver type"}]}]]`},
}

func TestAnswers(t *testing.T) {
	for _, c := range answers {
		res, err := Run(context.Background(), shop(), c.query, Options{Params: map[string]any{"n": "Server.Serve"}})
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: no error", c.query)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if got, _ := json.Marshal(res.Rows); string(got) != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.query, got, c.want)
		}
	}
}

// refused holds queries and what their error says.
var refused = []struct{ query, where, says string }{
	{"CREATE (n)", "1:1", "CREATE is outside"},
	{"MATCH (n) DETACH DELETE n", "1:11", "DETACH DELETE is outside"},
	{"MATCH (n)\nSET n.name = 'x' RETURN n", "2:1", "SET is outside"},
	{"MATCH (n) MERGE (m) RETURN n", "1:11", "MERGE is outside"},
	{"OPTIONAL MATCH (n) RETURN n", "1:1", "OPTIONAL MATCH is outside"},
	{"MATCH (n) WITH n RETURN n", "1:11", "WITH is outside"},
	{"UNWIND [1] AS x RETURN x", "1:1", "UNWIND is outside"},
	{"CALL db.labels()", "1:1", "CALL is outside"},
	{"MATCH (n) RETURN n UNION MATCH (m) RETURN m", "1:20", "UNION is outside"},
	{"MATCH (n) RETURN CASE WHEN true THEN 1 END", "1:18", "CASE is outside"},
	{"MATCH (n) RETURN [x IN [1] | x]", "1:18", "a list comprehension is outside"},
	{"MATCH (n) RETURN n {.name}", "1:20", "a map projection is outside"},
	{"MATCH (n) RETURN {a: 1}", "1:18", "a map is outside"},
	{"MATCH (n) RETURN labels(n)[0]", "1:27", "access by [ ] is outside"},
	{"MATCH (n) WHERE EXISTS { (n)-->() } RETURN n", "1:17", "EXISTS { } is outside"},
	{"MATCH p = shortestPath((a)-[*..3]->(b)) RETURN p", "1:11", "shortestPath is outside"},
	{"MATCH (a)-[:CALLS*]->(b) RETURN b", "1:18", "a path without an upper bound is outside"},
	{"MATCH (a)-[:CALLS*..99]->(b) RETURN b", "1:21", "at most 32"},
	{"MATCH (n:function) RETURN n", "1:10", "did you mean Function?"},
	{"MATCH ()-[:USES]->() RETURN 1", "1:12", "unknown relationship type"},
	{"MATCH (n) RETURN n.Name", "1:20", "did you mean name?"},
	{"MATCH (n) RETURN m", "1:18", "unknown variable \"m\"; there are n"},
	{"MATCH ()-[r]->() RETURN r.name", "1:27", "unknown property of a relationship"},
	{"MATCH ()-[r*1..2]->() RETURN r.kind", "1:30", "is a list"},
	{"MATCH (n) WHERE count(n) > 1 RETURN n", "1:17", "aggregates belong to RETURN"},
	{"MATCH (n) RETURN n.line + count(*)", "1:18", "is used next to an aggregate"},
	{"MATCH (n) RETURN DISTINCT n.name ORDER BY n.line", "1:43", "sees only the returned columns"},
	{"MATCH (n) RETURN n.name, n.name", "1:26", "two columns named"},
	{"MATCH (n) RETURN foo(n)", "1:18", "unknown function foo()"},
	{"MATCH (n) RETURN size()", "1:18", "takes 1 argument"},
	{"MATCH (n) WHERE (n)-->(m) RETURN n", "1:23", "brings no new names"},
	{"MATCH (n) WHERE n.name = 'x RETURN n", "1:26", "without its closing quote"},
	{"MATCH (n) RETURN n LIMIT -1", "1:26", "not negative"},
	{"MATCH (n) RETURN n.name != 'x'", "1:25", "write <>"},
	{"MATCH (a)-[r]->(b)-[r]->(c) RETURN r", "1:19", "cannot be named here"},
	{"MATCH (n RETURN n", "1:10", "expected )"},
	{"", "1:1", "starts with MATCH"},
}

func TestRefusals(t *testing.T) {
	for _, c := range refused {
		_, err := Compile(c.query)
		var e *SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if !strings.HasPrefix(e.Error(), "query:"+c.where+": ") || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%s\ngot  %v\nwant query:%s: … %s", c.query, e, c.where, c.says)
		}
		if strings.Contains(c.says, "outside") && e.Construct == "" {
			t.Errorf("%s: the construct is not named", c.query)
		}
	}
}

func TestErrorsOfRows(t *testing.T) {
	for q, says := range map[string]string{
		"MATCH (n) RETURN 1 / 0":                      "division by zero",
		"MATCH (n) RETURN 9223372036854775807 + 1":    "does not fit",
		"MATCH (n) RETURN n.name * 2":                 "cannot calculate",
		"MATCH (n) WHERE n.name RETURN n":             "expected true or false",
		"MATCH (n) WHERE n.name =~ '(' RETURN n":      "RE2",
		"MATCH (n) WHERE n.name IN 3 RETURN n":        "needs a list",
		"MATCH (n) RETURN $gone":                      "no value given",
		"MATCH (n) RETURN n LIMIT $text":              "whole number",
		"MATCH (n) RETURN type(n)":                    "cannot take a node",
		"MATCH (n) RETURN replace($long, 'x', $long)": "longer than",
		"MATCH (n) RETURN sum(n.name)":                "adds numbers",
	} {
		_, err := Run(context.Background(), shop(), q, Options{Params: map[string]any{"text": "x", "long": strings.Repeat("x", 5000)}})
		var e *EvalError
		if !errors.As(err, &e) || !strings.Contains(e.Error(), says) {
			t.Errorf("%s: %v", q, err)
		}
	}
}

func TestLimits(t *testing.T) {
	g := &graphtest.Graph{}
	for range 300 {
		g.Func("a.go", "f")
	}
	const product = "MATCH (a), (b), (c), (d) RETURN "
	for name, c := range map[string]struct {
		query string
		o     Options
		cut   string // of a result, or of the error when fail
		fail  bool
	}{
		"rows":          {product + "id(a)", Options{Rows: 10}, "rows", false},
		"steps":         {product + "DISTINCT id(a)", Options{Steps: 5000}, "steps", false},
		"time":          {product + "DISTINCT id(a)", Options{Timeout: time.Millisecond}, "time", false},
		"memory":        {product + "id(a), id(b)", Options{Memory: 10_000, Rows: 1 << 30}, "memory", false},
		"counted steps": {product + "count(*)", Options{Steps: 5000}, "steps", true},
		"sorted memory": {product + "id(a) ORDER BY id(d)", Options{Memory: 10_000}, "memory", true},
		"collected":     {product + "collect(a)", Options{Memory: 10_000}, "memory", true},
	} {
		res, err := Run(context.Background(), g, c.query, c.o)
		var limit *LimitError
		switch {
		case c.fail && (!errors.As(err, &limit) || limit.Limit != c.cut):
			t.Errorf("%s: %v", name, err)
		case !c.fail && (err != nil || res.Truncated != c.cut || len(res.Rows) == 0):
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	res, err := Run(context.Background(), g, "MATCH (a), (b) RETURN id(a) AS x, id(b) ORDER BY x DESC LIMIT 2", Options{Memory: 1 << 20})
	if err != nil || len(res.Rows) != 2 || res.Rows[0][0] != int64(299) || res.Rows[0][1] != int64(0) || res.Truncated != "" {
		t.Errorf("sorting with LIMIT holds few rows: %+v, %v", res, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, g, product+"id(a)", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	for _, q := range []string{
		"MATCH (n) RETURN " + strings.Repeat("(", 9000) + "1",
		"MATCH (n) RETURN " + strings.Repeat("-", 9000) + "1",
		"MATCH (n) RETURN " + strings.Repeat("[", 9000),
		"MATCH (n) WHERE " + strings.Repeat("(n {name: ", 5000) + "1 RETURN n",
		"MATCH (n)" + strings.Repeat("-->()", 100) + " RETURN n",
		strings.Repeat("x", maxText+1),
	} {
		var e *SyntaxError
		if _, err := Compile(q); !errors.As(err, &e) {
			t.Errorf("%.40s…: %v", q, err)
		}
	}
}

// lookups counts the nodes a query reads.
type lookups struct {
	*graphtest.Graph
	read int
}

func (l *lookups) Node(id int) (graph.Node, error) { l.read++; return l.Graph.Node(id) }

func TestANameIsLookedUp(t *testing.T) {
	g := &graphtest.Graph{}
	for range 1000 {
		g.Func("a.go", "f")
	}
	g.Call(0, g.Func("a.go", "rare"))
	for _, q := range []string{
		"MATCH (a:Function)-[:CALLS]->(b {name: 'rare'}) RETURN a.name",
		"MATCH (a:Function)-[:CALLS]->(b) WHERE b.short IN ['rare'] AND a <> b RETURN a.name",
		"MATCH (a)-->(b) WHERE 1000 = id(b) RETURN a.name",
	} {
		l := &lookups{Graph: g}
		res, err := Run(context.Background(), l, q, Options{})
		if err != nil || len(res.Rows) != 1 || l.read > 10 {
			t.Errorf("%s: read %d nodes; %+v, %v", q, l.read, res, err)
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, c := range answers {
		f.Add(c.query)
	}
	for _, c := range refused {
		f.Add(c.query)
	}
	g := shop()
	f.Fuzz(func(t *testing.T, src string) {
		q, err := Compile(src)
		if err != nil {
			var e *SyntaxError
			if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 {
				t.Fatalf("%q: %v", src, err)
			}
			return
		}
		o := Options{Steps: 20_000, Timeout: time.Second, Memory: 1 << 20, Params: map[string]any{"n": 1}}
		res, err := q.Run(context.Background(), g, o)
		var eval *EvalError
		var limit *LimitError
		if err != nil && !errors.As(err, &eval) && !errors.As(err, &limit) {
			t.Fatalf("%q: %v", src, err)
		}
		if err == nil {
			if _, err := json.Marshal(res); err != nil {
				t.Fatalf("%q: %v", src, err)
			}
		}
	})
}

func TestOneQueryRunsManyTimesAtOnce(t *testing.T) {
	q, err := Compile("MATCH (f:Method)<-[:CALLS*1..3]-(c) WHERE NOT (f)<-[:TESTS {confidence: $c}]-() AND f.name =~ '.*Close' RETURN DISTINCT c.short AS s ORDER BY s")
	if err != nil {
		t.Fatal(err)
	}
	g := shop()
	done := make(chan string)
	for range 8 {
		go func() {
			res, err := q.Run(context.Background(), g, Options{Params: map[string]any{"c": 1.0}})
			if err != nil {
				done <- err.Error()
				return
			}
			b, _ := json.Marshal(res.Rows)
			done <- string(b)
		}()
	}
	for range 8 {
		if got := <-done; got != `[["Serve"],["main"]]` {
			t.Errorf("got %s", got)
		}
	}
}
