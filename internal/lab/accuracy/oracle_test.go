package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

const csharpTree = `
-- src/Shape.cs --
namespace Shapes
{
    public class Shape
    {
        public int Side;
        public virtual int Area() { return Twice(Side); }
        protected static int Twice(int n) { return n * 2; }
        protected static int Twice(string s) { return s.Length; }
    }
    public static class Extensions
    {
        public static int Grow(this Shape s) { return s.Area(); }
    }
}
-- src/User.cs --
using System;
using Shapes;
namespace Users
{
    class Square : Shape
    {
        public Square(int side) { }
        public Square() : this(1) { }
        public override int Area() { return base.Area() + Unknown(3); }
    }
    class User
    {
        int Use(Func<int> f)
        {
            return new Square().Grow() + f() + new Shape().Area();
        }
    }
}
`

func TestCSharpOracle(t *testing.T) {
	if _, err := exec.LookPath("dotnet"); err != nil {
		t.Skip("no dotnet here")
	}
	said, err := askRoslyn(t.Context(), writeTree(t, csharpTree), "src", nil, t.TempDir())
	check(t, said, err, []string{
		"src/User.cs -> src/Shape.cs",
		"src/Shape.cs:6 -> src/Shape.cs:7 Twice",
		"src/Shape.cs:12 -> src/Shape.cs:6 Area",
		"src/User.cs:8 -> src/User.cs:7 Square",
		"src/User.cs:9 -> src/Shape.cs:6 Area",
		"src/User.cs:9 ? Unknown",
		"src/User.cs:15 -> src/Shape.cs:12 Grow",
		"src/User.cs:15 -> src/User.cs:8 Square",
		"src/User.cs:15 ? f",
		"src/User.cs:15 -> src/Shape.cs:6 Area",
		"src/User.cs:15 -> src/Shape.cs:3 Shape",
	})
}

const kotlinTree = `
-- src/shape.kt --
package shapes
open class Shape(val side: Int) {
    open fun area(): Int = twice(side)
    companion object {
        fun unit() = Shape(1)
    }
}
fun twice(n: Int) = n * 2
fun twice(s: String) = s.length
infix fun Shape.and(other: Shape) = other.area()
-- src/user.kt --
package users
import shapes.Shape
import shapes.and; import shapes.twice
class Square : Shape {
    constructor(side: Int) : super(side)
    constructor() : this(1)
    override fun area() = super.area() + unknown(3)
}
fun use(f: () -> Int): Int {
    val s = Square()
    return (s and Shape.unit()) + f() + listOf("a").map(::twice).size
}
-- src/wild.kt --
package wild
import shapes.*
fun run() = twice("a")
`

func TestKotlinOracle(t *testing.T) {
	if os.Getenv("KOTLIN_JARS") == "" {
		t.Skip("no KOTLIN_JARS here")
	}
	said, err := askKotlin(t.Context(), writeTree(t, kotlinTree), "src", "", t.TempDir())
	check(t, said, err, []string{
		"src/user.kt -> src/shape.kt",
		"src/wild.kt -> src/shape.kt",
		"src/shape.kt:3 -> src/shape.kt:8 twice",
		"src/shape.kt:5 -> src/shape.kt:2 Shape",
		"src/shape.kt:8 ? times",
		"src/shape.kt:10 -> src/shape.kt:3 area",
		"src/user.kt:5 -> src/shape.kt:2 Shape",
		"src/user.kt:6 -> src/user.kt:5 constructor",
		"src/user.kt:7 -> src/shape.kt:3 area",
		"src/user.kt:7 ? unknown",
		"src/user.kt:10 -> src/user.kt:6 constructor",
		"src/user.kt:11 -> src/shape.kt:10 and",
		"src/user.kt:11 -> src/shape.kt:5 unit",
		"src/user.kt:11 ? f",
		"src/user.kt:11 ? plus",
		"src/user.kt:11 ? plus",
		"src/user.kt:11 ? twice",
		"src/wild.kt:3 -> src/shape.kt:9 twice",
	})
}

const phpTree = `
-- src/Shape.php --
<?php
namespace Shapes;
abstract class Shape {
    use Grows;
    private $other;
    /** @var Shape[] */
    protected $parts;
    public function __construct(Shape $other = null) { $this->other = $other; }
    abstract public function area(): int;
    public static function make(): static { return new static(); }
    public function deep() { return $this->other->area() + $this->grow(); }
    public function all() { foreach ($this->parts as $p) { $p->area(); } }
}
-- src/Grows.php --
<?php
namespace Shapes;
trait Grows { public function grow() { return twice(2); } }
function twice(int $n) { return $n * 2; }
-- src/User.php --
<?php
namespace Users;
use Shapes\{Shape, Grows};
use function Shapes\twice;
require_once __DIR__ . '/Shape.php';
class Square extends Shape { public function area(): int { return parent::deep() + twice(3); } }
class Plain {}
function user($unknown, $either, Shape $s) {
    $unknown->area();
    Square::make()->area();
    if ($s instanceof Square) { $s->area(); }
    $either = rand() ? new Plain : new Square;
    $either->area();
    $a = new \ArrayObject();
    $a->area();
    return [$s, 'deep'];
}
`

func TestPHPOracle(t *testing.T) {
	if err := exec.Command("php", "-r", "require 'PhpParser/autoload.php';").Run(); err != nil {
		t.Skip("no PHP with PHP-Parser here")
	}
	said, err := askPHPParser(t.Context(), writeTree(t, phpTree), "src", t.TempDir())
	check(t, said, err, []string{
		"src/User.php -> src/Grows.php",
		"src/User.php -> src/Shape.php",
		"src/Shape.php:10 -> src/Shape.php:8 __construct",
		"src/Shape.php:11 -> src/Shape.php:9 area",
		"src/Shape.php:11 -> src/Grows.php:3 grow",
		"src/Shape.php:12 -> src/Shape.php:9 area",
		"src/Grows.php:3 -> src/Grows.php:4 twice",
		"src/User.php:6 -> src/Shape.php:11 deep",
		"src/User.php:6 -> src/Grows.php:4 twice",
		"src/User.php:9 ? area",
		"src/User.php:10 -> src/User.php:6 area",
		"src/User.php:10 -> src/Shape.php:10 make",
		"src/User.php:11 ? area",
		"src/User.php:12 -> src/User.php:7 Plain",
		"src/User.php:12 -> src/Shape.php:8 __construct",
		"src/User.php:13 ? area",
		"src/User.php:16 ? deep",
	})
}

func TestNewestDotnet(t *testing.T) {
	for _, text := range []string{
		"2.1.5 [/opt/dotnet/sdk]\n3.1.102 [/opt/dotnet/sdk]\n",
		"Microsoft.AspNetCore.App 3.1.2 [/opt/x]\r\nMicrosoft.NETCore.App 3.1.102 [/opt/dotnet/sdk]\r\nMicrosoft.WindowsDesktop.App 6.0.1 [/opt/y]\r\n",
	} {
		all := dotnetLine.FindAllStringSubmatch(text, -1)
		if len(all) == 0 || all[len(all)-1][1] != "3.1.102" || all[len(all)-1][2] != "/opt/dotnet/sdk" {
			t.Errorf("of %q the lines are %q", text, all)
		}
	}
}

// writeTree writes an archive of files to a folder.
func writeTree(t *testing.T, archive string) string {
	t.Helper()
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// check compares all that an oracle says with lines, in any order.
func check(t *testing.T, said *oracleAnswer, err error, want []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range said.Pairs {
		got = append(got, p[0]+" -> "+p[1])
	}
	for _, c := range said.Calls {
		got = append(got, fmt.Sprintf("%s:%d -> %s:%d %s", c.path, c.line, c.toPath, c.toLine, c.toName))
	}
	for _, c := range said.Unclear {
		got = append(got, fmt.Sprintf("%s:%d ? %s", c.path, c.line, c.toName))
	}
	slices.Sort(got)
	slices.Sort(want)
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("the oracle says also: %s", g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("the oracle does not say: %s", w)
		}
	}
}
