package chunk

// wordPatterns are the languages whose bodies end with a word, by indentation,
// at a full stop or at the next definition.
func wordPatterns() map[string]*patterns {
	lisp := func(defs ...pattern) patterns {
		return patterns{defs: defs}
	}
	m := map[string]patterns{
		"haskell": {defs: []pattern{
			{Type, `^(?:data|newtype|type(?:\s+family|\s+instance)?)\s+(?:instance\s+)?(?:[^=]*=>\s*)?([A-Z][\w']*)`, byIndent},
			{Type, `^class\s+(?:.*=>\s*)?([A-Z][\w']*)`, byIndent},
			{Impl, `^instance\s+(?:.*=>\s*)?([A-Z][\w'.]*)`, byIndent},
			{Function, `^([a-z_][\w']*)\s*::`, byBlank},
		}, imports: []string{`^import\s+(?:safe\s+)?(?:qualified\s+)?([A-Z][\w.]*)`}},
		"purescript": {defs: []pattern{
			{Type, `^(?:data|newtype|type|class)\s+(?:.*<=\s*)?([A-Z][\w']*)`, byIndent},
			{Function, `^([a-z_][\w']*)\s*::`, byBlank},
		}, imports: []string{`^import\s+([A-Z][\w.]*)`}},
		"idris": {defs: []pattern{
			{Type, `^\s*(?:data|record|interface)\s+([A-Z][\w']*)`, byIndent},
			{Function, `^([a-z_][\w']*)\s*:\s`, byBlank},
		}, imports: []string{`^import\s+(?:public\s+)?([A-Z][\w.]*)`}},
		"lean": {defs: []pattern{
			{Function, `^\s*(?:@\[[^\]]*\]\s*)?(?:private\s+|protected\s+|noncomputable\s+|partial\s+|unsafe\s+)*(?:def|theorem|lemma|abbrev|instance|axiom|example)\s+([\w.']+)`, byBlank},
			{Type, `^\s*(?:structure|inductive|class)\s+([\w.']+)`, byBlank},
			{Other, `^\s*namespace\s+([\w.]+)`, byLine},
		}, imports: []string{`^import\s+([\w.]+)`}},
		"clojure": {defs: []pattern{
			{Function, `^\s*\((?:\w+/)?(?:defn-?|defmacro|defmulti|defmethod|deftest|defspec)\s+(?:\^\S+\s+)*([^\s()\[\]]+)`, byParen},
			{Type, `^\s*\((?:defprotocol|defrecord|deftype|definterface|defstruct)\s+(?:\^\S+\s+)*([^\s()\[\]]+)`, byParen},
			{Other, `^\s*\(ns\s+(?:\^\S+\s+)*([^\s()\[\]]+)`, byParen},
			{Var, `^\((?:def|defonce)\s+(?:\^\S+\s+)*([^\s()\[\]]+)`, byParen},
		}, imports: []string{`^\s*(?:\(:?(?:require|use|import)\s+)['\[(]*([\w.-]+)`}},
		"common-lisp": lisp(
			pattern{Function, `(?i)^\s*\((?:defun|defmacro|defgeneric|defmethod|defsetf|define-compiler-macro|deftest)\s+\(?([^\s()]+)`, byParen},
			pattern{Type, `(?i)^\s*\((?:defclass|defstruct|deftype|define-condition)\s+\(?([^\s()]+)`, byParen},
			pattern{Other, `(?i)^\s*\((?:defpackage|in-package)\s+[#:"']*([^\s()"]+)`, byParen},
			pattern{Var, `(?i)^\((?:defvar|defparameter|defconstant)\s+([^\s()]+)`, byParen}),
		"emacs-lisp": lisp(
			pattern{Function, `^\s*\((?:cl-)?(?:defun|defmacro|defsubst|defgeneric|defmethod|defadvice|define-minor-mode|define-derived-mode|ert-deftest)\*?\s+([^\s()]+)`, byParen},
			pattern{Type, `^\s*\((?:cl-)?(?:defstruct|defclass|deftype)\s+\(?([^\s()]+)`, byParen},
			pattern{Var, `^\((?:defvar|defcustom|defconst|defface|defgroup|defvar-local)\s+([^\s()]+)`, byParen}),
		"scheme": lisp(
			pattern{Function, `^\s*\((?:define|define-syntax|define-macro|define-inlinable|define\*|define-public)\s+\(?([^\s()]+)`, byParen},
			pattern{Type, `^\s*\((?:define-record-type|define-structure|define-class)\s+<?([^\s()>]+)`, byParen},
			pattern{Other, `^\s*\((?:define-library|library|module)\s+\(?([^()]+)`, byParen}),
		"racket": lisp(
			pattern{Function, `^\s*\((?:define|define-syntax|define-syntax-rule|define/contract|define/public|define/override)\s+\(*([^\s()]+)`, byParen},
			pattern{Type, `^\s*\((?:struct|define-struct)\s+\(?([^\s()]+)`, byParen},
			pattern{Other, `^\s*\(module\+?\*?\s+([^\s()]+)`, byParen}),
		"fennel": lisp(pattern{Function, `^\s*\((?:fn|lambda|λ|macro|local\s+fn)\s+([^\s()\[\]]+)`, byParen}),
		"janet":  {defs: []pattern{{Function, `^\s*\((?:defn-?|defmacro|varfn)\s+([^\s()\[\]]+)`, byParen}, {Var, `^\((?:def|var)\s+([^\s()\[\]]+)`, byParen}}},
		"wasm-text": lisp(
			pattern{Function, `^\s*\(func\s+(\$[^\s()]+)`, byParen}, pattern{Type, `^\s*\(type\s+(\$[^\s()]+)`, byParen}),
		"erlang": {defs: []pattern{
			{Type, `^-(?:record|type|opaque)\(?\s*(\w+)`, byDot},
			{Const, `^-define\(\s*(\w+)`, byDot},
			{Other, `^-module\(\s*(\w+)`, byDot},
			{Function, `^([a-z]\w*|'[^']+')\s*\(`, byDot},
		}, imports: []string{`^-(?:include|include_lib)\(\s*"([^"]+)"`, `^-import\(\s*(\w+)`}},
		"prolog": {defs: []pattern{
			{Other, `^:-\s*module\(\s*(\w+)`, byDot},
			{Function, `^([a-z]\w*)\s*(?:\(|:-|-->)`, byDot},
		}, imports: []string{`^:-\s*(?:use_module|ensure_loaded|consult|include)\(\s*([^),]+)`}},
		"julia": {endWords: `end\b`, defs: []pattern{
			{Function, `^\s*(?:@\w+\s+)*(?:function|macro)\s+(?:\w+\.)*([\w!]+|\([^)]*\))`, byKeyword},
			{Type, `^\s*(?:mutable\s+)?(?:struct|abstract\s+type|primitive\s+type)\s+(\w+)`, byKeyword},
			{Other, `^\s*(?:bare)?module\s+(\w+)`, byKeyword},
			{Function, `^\s*(?:@\w+\s+)*(?:\w+\.)*([\w!]+)\([^=]*\)(?:::\S+)?\s*=[^=]`, byLine},
			{Const, `^const\s+(\w+)`, byLine},
		}, imports: []string{`^\s*(?:using|import)\s+([\w.]+)`, `^\s*include\("([^"]+)"`}},
		"crystal": {endWords: `end\b`, defs: []pattern{
			{Type, `^\s*(?:private\s+|abstract\s+)*(?:class|struct|module|enum|lib|annotation)\s+([\w:]+)`, byKeyword},
			{Function, `^\s*(?:private\s+|protected\s+|abstract\s+)*(?:def|macro|fun)\s+(?:self\.)?([\w?!=+*/<>\[\]-]+)`, byKeyword},
			{Const, `^([A-Z]\w*)\s*=`, byLine},
		}, imports: []string{`^\s*require\s+"([^"]+)"`}},
		"nim": {defs: []pattern{
			{Function, "^\\s*(?:proc|func|method|iterator|template|macro|converter)\\s+[`]?([\\w+*/<>=!$-]+)", byIndent},
			{Type, `^\s+(\w+)\*?\s*(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\.\}\s*)?=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple|distinct|concept)\b`, byIndent},
			{Type, `^type\s+(\w+)`, byIndent},
			{Const, `^const\s+(\w+)`, byIndent},
		}, imports: []string{`^\s*(?:import|include|from)\s+([\w./]+)`}},
		"fortran": {folded: true, endWords: `end\b`, defs: []pattern{
			{Other, `^\s*(?:module|program|submodule\s*\([^)]*\))\s+(\w+)\s*$`, byKeyword},
			{Function, `^\s*(?:[\w()=*, ]+\s+)?(?:subroutine|function)\s+(\w+)`, byKeyword},
			{Type, `^\s*type\s*(?:,[^:]*)?(?:::)?\s*([a-z]\w*)\s*$`, byKeyword},
			{Other, `^\s*interface\s+(\w+)`, byKeyword},
		}, imports: []string{`^\s*use\s*(?:,\s*\w+\s*::)?\s*(\w+)`, `^\s*include\s+['"]([^'"]+)`}},
		"vim": {endWords: `endf|enddef|endclass`, defs: []pattern{
			{Function, `^\s*(?:export\s+)?(?:fu(?:nction)?!?|def!?)\s+([\w:#.<>]+)`, byKeyword},
			{Type, `^\s*(?:export\s+)?(?:abstract\s+)?class\s+(\w+)`, byKeyword},
			{Function, `^\s*com(?:mand)?!?\s+(?:-\S+\s+)*([A-Z]\w*)`, byLine},
			{Other, `^\s*aug(?:roup)?\s+(\w+)`, byLine},
		}, imports: []string{`^\s*(?:so(?:urce)?|ru(?:ntime)?!?|import)\s+['"]?([\w./]+)`}},
		"cmake": {folded: true, endWords: `end(?:function|macro)\b`, defs: []pattern{
			{Function, `^\s*(?:function|macro)\s*\(\s*([\w:.$-]+)`, byKeyword},
			{Other, `^\s*(?:add_executable|add_library|add_custom_target|project)\s*\(\s*([\w:.$-]+)`, byParen},
			{Other, `^\s*add_test\s*\(\s*(?:NAME\s+)?([\w:.$-]+)`, byParen},
			{Var, `^\s*(?:set|option)\s*\(\s*([\w-]+)`, byParen},
		}, imports: []string{`^\s*(?:include|add_subdirectory|find_package)\s*\(\s*([^\s()]+)`}},
		"pascal": {folded: true, endWords: `end\s*[;.]`, defs: []pattern{
			{Other, `^\s*(?:unit|program|library)\s+([\w.]+)`, byLine},
			{Type, `^\s*(\w+)(?:<[^>]*>)?\s*=\s*(?:packed\s+)?(?:class|record|interface|object)\b`, byKeyword},
			{Function, `^(?:class\s+)?(?:procedure|function|constructor|destructor|operator)\s+([\w.]+)`, byKeyword},
			{Method, `^\s+(?:class\s+)?(?:procedure|function|constructor|destructor)\s+([\w.]+)`, byLine},
		}, imports: []string{`^\s*uses\s+([\w.]+)`, `\{\$I(?:NCLUDE)?\s+([^}\s]+)`}},
		"ada": {folded: true, endWords: `end\b`, defs: []pattern{
			{Other, `^\s*package\s+(?:body\s+)?([\w.]+)`, byKeyword},
			{Function, `^\s*(?:overriding\s+|not\s+)*(?:procedure|function)\s+(\w+|"[^"]+")[^;]*$`, byKeyword},
			{Function, `^\s*(?:overriding\s+|not\s+)*(?:procedure|function)\s+(\w+|"[^"]+")`, byLine},
			{Type, `^\s*(?:type|subtype|task|protected)\s+(?:type\s+|body\s+)?(\w+)`, byIndent},
		}, imports: []string{`^\s*with\s+([\w.]+)`}},
		"vbnet": basic(), "vba": basic(), "vbscript": basic(), "basic": basic(),
		"fsharp": {defs: []pattern{
			{Other, `^\s*(?:module|namespace)\s+(?:rec\s+|internal\s+|private\s+|public\s+)*([\w.]+)`, byNext},
			{Type, "^\\s*(?:type|and|exception)\\s+(?:private\\s+|internal\\s+)?([A-Z][\\w`']*)", byIndent},
			{Method, `^\s+(?:static\s+|abstract\s+|override\s+|default\s+)*(?:member|abstract|override|default)\s+(?:inline\s+)?(?:\w+\.)?(\w+)`, byIndent},
			{Function, "^\\s*let\\s+(?:rec\\s+|inline\\s+|private\\s+|internal\\s+|mutable\\s+)*\\(?([\\w'|]+)", byIndent},
		}, imports: []string{`^\s*open\s+(?:type\s+)?([\w.]+)`, `^\s*#(?:load|r)\s+"([^"]+)"`}},
		"standard-ml": {defs: []pattern{
			{Function, `^\s*(?:fun|and)\s+(?:'\w+\s+)?([\w']+)`, byIndent},
			{Type, `^\s*(?:datatype|type|exception)\s+(?:'\w+\s+|\([^)]*\)\s+)?([\w']+)`, byIndent},
			{Other, `^\s*(?:structure|signature|functor)\s+(\w+)`, byIndent},
		}, imports: []string{`^\s*(?:open|use)\s+"?([\w.]+)`}},
		"coffeescript": {defs: []pattern{
			{Type, `^\s*(?:exports\.|module\.exports\s*=\s*)?class\s+([\w.@]+)`, byIndent},
			{Function, `^\s*@?([\w.$]+)\s*[:=]\s*(?:\([^)]*\))?\s*[-=]>`, byIndent},
		}, imports: []string{`require\s*\(?\s*['"]([^'"]+)`, `^\s*import\s+(?:.*from\s+)?['"]([^'"]+)`}},
		"gdscript": {defs: []pattern{
			{Function, `^\s*(?:static\s+)?func\s+(\w+)`, byIndent}, {Type, `^\s*(?:class|class_name|enum)\s+(\w+)`, byIndent},
			{Const, `^const\s+(\w+)`, byLine}, {Var, `^(?:@\w+(?:\([^)]*\))?\s+)*var\s+(\w+)`, byLine},
		}, imports: []string{`(?:preload|load)\("([^"]+)"`}},
		"mojo": pythonLike(), "vyper": pythonLike(), "bitbake": pythonLike(),
		"just":    {defs: []pattern{{Function, `^@?([A-Za-z_][\w-]*)[^:=]*:(?:[^=]|$)`, byIndent}}, imports: []string{`^(?:import|mod)\??\s+'([^']+)'`}},
		"robot":   {defs: []pattern{{Section, `^\*{3}\s*([^*]+?)\s*\*{3}`, byNext}, {Function, `^(\S[^|]*\S)\s*$`, byIndent}}, imports: []string{`^(?:Library|Resource|Variables)\s+(\S+)`}},
		"gherkin": {defs: []pattern{{Type, `^\s*Feature:\s*(.+)`, byNext}, {Function, `^\s*(?:Scenario(?: Outline)?|Background|Rule|Example):\s*(.*\S)`, byNext}}},
		"tcl": {defs: []pattern{
			{Function, `^\s*(?:proc|method|constructor)\s+([\w:]+)`, byBrace}, {Type, `^\s*(?:oo::class\s+create|namespace\s+eval|snit::type|itcl::class)\s+([\w:]+)`, byBrace},
		}, imports: []string{`^\s*(?:package\s+require|source)\s+(\S+)`}},
		"fish": {endWords: `end\b`, defs: []pattern{{Function, `^\s*function\s+([\w.:-]+)`, byKeyword}}, imports: []string{`^\s*(?:source|\.)\s+(\S+)`}},
		"nushell": {defs: []pattern{
			{Function, `^\s*(?:export\s+)?(?:def|extern)\s+(?:--\w+\s+)*["']?([\w -]+?)["']?\s*\[`, byBrace}, {Other, `^\s*(?:export\s+)?module\s+(\w+)`, byBrace},
		}, imports: []string{`^\s*(?:use|source)\s+(\S+)`}},
		"verilog": verilog(), "systemverilog": verilog(),
		"vhdl": {folded: true, endWords: `end\b`, defs: []pattern{
			{Type, `^\s*(?:entity|package(?:\s+body)?|component|configuration)\s+(\w+)\s+is`, byKeyword},
			{Impl, `^\s*architecture\s+(\w+)\s+of`, byKeyword},
			{Function, `^\s*(?:pure\s+|impure\s+)?(?:function|procedure)\s+(\w+)`, byKeyword},
			{Type, `^\s*(?:type|subtype)\s+(\w+)`, byLine},
		}, imports: []string{`^\s*use\s+([\w.]+)`}},
		"matlab": {endWords: `end\b`, defs: []pattern{
			{Function, `^\s*function\s+(?:[^=(]*=\s*)?([\w.]+)`, byKeyword}, {Type, `^\s*classdef\s+(?:\([^)]*\)\s*)?(\w+)`, byKeyword},
		}, imports: []string{`^\s*import\s+([\w.*]+)`}},
		"nix":       {defs: []pattern{{Function, `^\s{0,4}([\w'-]+)\s*=\s*[\w{][^;]*:\s*`, byIndent}, {Var, `^\s{0,4}([\w'-]+)\s*=\s*(?:rec\s+)?\{?\s*$`, byIndent}}, imports: []string{`import\s+([./<][^\s;)]*)`}},
		"jsonnet":   {defs: []pattern{{Function, `^\s*(?:local\s+)?(\w+)\([^)]*\)\s*(?:=|::?:?)`, byIndent}, {Var, `^local\s+(\w+)\s*=`, byIndent}}, imports: []string{`import(?:str)?\s+['"]([^'"]+)`}},
		"tla":       {defs: []pattern{{Function, `^(\w+)(?:\([^)]*\))?\s*==`, byBlank}}, imports: []string{`^EXTENDS\s+(\w+)`}},
		"rego":      {defs: []pattern{{Function, `^(?:default\s+)?([a-z_]\w*)(?:\(|\[|\s+(?:if|contains|:?=)|\s*\{)`, byBrace}, {Other, `^package\s+([\w.]+)`, byLine}}, imports: []string{`^import\s+([\w.]+)`}},
		"cobol":     {folded: true, defs: []pattern{{Section, `^.{0,7}\s*([\w-]+)\s+(?:division|section)\b`, byNext}, {Function, `^.{6,7}\s{0,3}([a-z0-9][\w-]*)\.\s*$`, byNext}, {Other, `program-id\.\s*([\w-]+)`, byLine}}, imports: []string{`^\s*copy\s+([\w"'.-]+)`}},
		"smalltalk": {defs: []pattern{{Type, `subclass:\s*#?'?(\w+)`, byBlank}, {Method, `^!?(\w+(?:\s+class)?)\s+methodsFor:`, byNext}}},
		"forth":     {defs: []pattern{{Function, `^\s*:\s+(\S+)`, byIndent}, {Var, `^\s*(?:variable|constant|create|value)\s+(\S+)`, byLine}}},
	}
	out := map[string]*patterns{}
	for name, p := range m {
		out[name] = withMatcher(p)
	}
	return out
}

// pythonLike is Python's look for the languages that share it.
func pythonLike() patterns {
	return patterns{defs: []pattern{
		{Function, `^\s*(?:async\s+)?(?:def|fn)\s+(\w+)`, byIndent},
		{Type, `^\s*(?:class|struct|trait|interface|event|flag|enum)\s+(\w+)`, byIndent},
		{Function, `^(?:python\s+)?(do_\w+|\w+)\s*\(\)\s*\{`, byBrace},
		{Var, `^([A-Z][A-Z0-9_]+)\s*[?:+]*=`, byLine},
	}, imports: []string{`^\s*(?:import|from|require|include|inherit)\s+([\w./-]+)`}}
}

// basic covers the Basic family.
func basic() patterns {
	return patterns{folded: true, endWords: `end\s+\w+`, defs: []pattern{
		{Type, `^\s*(?:(?:public|private|friend|partial|mustinherit|notinheritable|shared)\s+)*(?:class|module|structure|interface|enum|type)\s+(\w+)`, byKeyword},
		{Function, `^\s*(?:(?:public|private|protected|friend|shared|overrides|overridable|static|async|default|mustoverride)\s+)*(?:sub|function|property(?:\s+(?:get|let|set))?|operator)\s+(\w+)`, byKeyword},
		{Other, `^\s*namespace\s+([\w.]+)`, byKeyword},
		{Const, `^\s*(?:public\s+|private\s+)?const\s+(\w+)`, byLine},
	}, imports: []string{`^\s*imports\s+([\w.]+)`}}
}

func verilog() patterns {
	return patterns{endWords: alternatives("endmodule endpackage endclass endinterface endfunction endtask endprogram"), defs: []pattern{
		{Type, `^\s*(?:virtual\s+)?(?:module|interface|package|class|program)\s+(?:automatic\s+)?(\w+)`, byKeyword},
		{Function, `^\s*(?:virtual\s+|static\s+|extern\s+|local\s+|protected\s+)*(?:function|task)\s+(?:automatic\s+)?(?:[\w\[\]:$ ]+\s+)?([\w:]+)\s*[;(]`, byKeyword},
		{Type, `^\s*typedef\s+.*?(\w+)\s*;`, byLine},
		{Const, "^\\s*`define\\s+(\\w+)", byLine},
	}, imports: []string{"^\\s*`include\\s+\"([^\"]+)\"", `^\s*import\s+(\w+)::`}}
}
