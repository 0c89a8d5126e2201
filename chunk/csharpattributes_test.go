package chunk

import (
	"context"
	"strings"
	"testing"
)

// TestCSharpAttributesNameNothing: where the grammar does not know the syntax of a
// member, the member is not called by its attribute.
func TestCSharpAttributesNameNothing(t *testing.T) {
	src := `class A {
    [System.Diagnostics.CodeAnalysis.SuppressMessage("ApiDesign", "RS0026:Do not add", Justification = "Grandfathered")]
    public static IEnumerable<T> Query<T>(this IDbConnection cnn, string sql, object? param = null, IDbTransaction? transaction = null, CommandType? commandType = null)
    {
        return null;
    }

    [System.Diagnostics.CodeAnalysis.SuppressMessage("ApiDesign", "RS0026:Do not add", Justification = "Grandfathered")]
    public static T QueryFirst<T>(this IDbConnection cnn, string sql, object? param = null)
    {
        return default;
`
	var names []string
	for _, c := range Parse(context.Background(), "csharp", "a.cs", []byte(src)).Chunks {
		names = append(names, c.Name)
	}
	all := strings.Join(names, " ")
	if strings.Contains(all, "SuppressMessage") || !strings.Contains(all, "Query") {
		t.Errorf("names %s", all)
	}
}

func TestCSharpWithoutAttributes(t *testing.T) {
	for in, want := range map[string]string{
		"[A(\"]\", 1)]\nint x;\n":        "\t\t\t\t\t\t\t \t\t\t\nint x;\n",
		"  [A][B] int x;\n":              "  \t\t\t\t\t\t int x;\n",
		"x = \n [1, 2];\n":               "x = \n [1, 2];\n",
		"[unclosed\nint x;\n":            "[unclosed\nint x;\n",
		"a[0] = 1;\n[A]\r\nint y;\n[]\n": "a[0] = 1;\n\t\t\t\r\nint y;\n\t\t\n",
	} {
		if got := string(csharpWithoutAttributes([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
