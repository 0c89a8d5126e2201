package graph

import (
	"slices"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
)

// Kotlin and Scala declare what is no class of its own file: then the package
// is the target.
func TestLinkKotlinAndScala(t *testing.T) {
	in := index.LinkInput{Files: []index.LinkFile{
		{Path: "app/src/main/java/com/acme/App.java", Language: "java"},
		{Path: "app/src/main/kotlin/com/acme/Main.kt", Language: "kotlin", Imports: []chunk.ImportRef{
			{Path: "com.acme.App"}, {Path: "com.acme.ext.shout"}, {Path: "kotlin.math.max"}, {Path: "java.io.File"}}},
		{Path: "app/src/main/kotlin/com/acme/ext/A.kt", Language: "kotlin"},
		{Path: "app/src/main/kotlin/com/acme/ext/B.kt", Language: "kotlin"},
		{Path: "app/src/main/scala/org/s/Use.scala", Language: "scala", Imports: []chunk.ImportRef{{Path: "com.acme.ext._"}, {Path: "scala.io._"}}},
		{Path: "app/src/main/scala/org/s/io/Source.scala", Language: "scala"},
	}}
	l := Link(in)
	want := map[int][]string{
		1: {"app/src/main/java/com/acme/App.java", "app/src/main/kotlin/com/acme/ext/A.kt", "app/src/main/kotlin/com/acme/ext/B.kt"},
		4: {"app/src/main/kotlin/com/acme/ext/A.kt", "app/src/main/kotlin/com/acme/ext/B.kt"},
	}
	for i := range in.Files {
		if got := row(in, l, i); !slices.Equal(got, want[i]) {
			t.Errorf("%s gives %q, want %q", in.Files[i].Path, got, want[i])
		}
	}
}

// Kotlin names what files declare, wherever they lie.
func TestLinkKotlinNames(t *testing.T) {
	file := func(path, pkg string, names []string, imports ...string) index.LinkFile {
		f := index.LinkFile{Path: path, Language: "kotlin", Declared: func() (string, []string) { return pkg, names }}
		for _, p := range imports {
			f.Imports = append(f.Imports, chunk.ImportRef{Path: p})
		}
		return f
	}
	use := file("app/Use.kt", "app", []string{"Use"}, "a.b.shout", "a.b.Kind.Companion.of", "a.b.missing", "java.io.File")
	java := index.LinkFile{Path: "app/Use.java", Language: "java", Imports: []chunk.ImportRef{{Path: "a.b.Kind"}, {Path: "a.b.OtherKt"}}}
	in := index.LinkInput{Files: []index.LinkFile{
		java,
		use,
		file("app/Whole.kt", "app", []string{"Whole"}, "a.b.*"),
		file("lib/src/test/kotlin/Fake.kt", "a.b", []string{"shout"}),
		file("lib/src/test/kotlin/FakeTest.kt", "a.b", []string{"FakeTest"}, "a.b.shout"),
		file("lib/x/Other.kt", "a.b", []string{"shout", "Kind"}),
		file("lib/y/More.kt", "a.b", []string{"shout"}),
	}}
	want := map[int][]string{
		0: {"lib/x/Other.kt"},
		1: {"lib/x/Other.kt", "lib/y/More.kt"},
		2: {"lib/x/Other.kt", "lib/y/More.kt"},
		4: {"lib/src/test/kotlin/Fake.kt", "lib/x/Other.kt", "lib/y/More.kt"},
	}
	l := Link(in)
	for i := range in.Files {
		if got := row(in, l, i); !slices.Equal(got, want[i]) {
			t.Errorf("%s gives %q, want %q", in.Files[i].Path, got, want[i])
		}
	}
}

func TestIsPackagePath(t *testing.T) {
	tests := []struct {
		path, want string
		is         bool
	}{
		{"src/main/java/util", "java/util", false},
		{"src/main/java/java/util", "java/util", true},
		{"a/src/main/java/com/x", "com/x", true},
		{"a/src/main/java/com/x", "x", false},
		{"java/util", "java/util", true},
		{"any/base/com/x", "com/x", true},
		{"any/basecom/x", "com/x", false},
		{"a/src/com/x", "com/x", true},
		{"x", "com/x", false},
		{"", "x", false},
	}
	for _, tt := range tests {
		if got := isPackagePath(tt.path, tt.want); got != tt.is {
			t.Errorf("isPackagePath(%q, %q) = %v, want %v", tt.path, tt.want, got, tt.is)
		}
	}
}
