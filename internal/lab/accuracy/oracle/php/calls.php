<?php
// Prints what the use statements and the calls of PHP sources lead to. PHP-Parser
// reads the sources and resolves their names. The type of a receiver is what the
// source declares: types of parameters, properties and results, natively or in a
// comment, and what new makes. A variable has a type when all that is assigned to
// it has the same. A receiver that has none stays unclear, and so has one that
// instanceof is asked of.
//
// usage: php calls.php ROOT FOLDER…
//
// {"Files": […], "Pairs": [[path, path]], "Calls": [[path, line, to path, to line, to name]], "Unclear": [[path, line, name]]}
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt;

require 'PhpParser/autoload.php';
require __DIR__ . '/declarations.php';
require __DIR__ . '/resolver.php';
ini_set('memory_limit', '-1');

/** Notes the imports and the calls of one file. */
final class Walker extends PhpParser\NodeVisitorAbstract
{
    public array $pairs = [], $calls = [], $unclear = [];
    public string $path = '';

    public function __construct(private string $root, private Declarations $all, private Resolver $resolver)
    {
    }

    public function enterNode(Node $n)
    {
        match (true) {
            $n instanceof Node\AttributeGroup => null,
            $n instanceof Stmt\Use_ => array_map(fn ($u) => $this->used($u->name->toString(), $n->type), $n->uses),
            $n instanceof Stmt\GroupUse => array_map(fn ($u) => $this->used($n->prefix . '\\' . $u->name, $n->type | $u->type), $n->uses),
            $n instanceof Expr\Include_ => $this->included($n->expr),
            $n instanceof Expr\FuncCall && $n->name instanceof Node\Name => $this->functionCall($n),
            $n instanceof Expr\MethodCall, $n instanceof Expr\NullsafeMethodCall => $this->methodCall($n, fn () => $this->resolver->typeOf($n->var)),
            $n instanceof Expr\StaticCall => $this->methodCall($n, fn () => $n->class instanceof Node\Name ? $this->resolver->named($n->class) : null),
            $n instanceof Expr\New_ && $n->class instanceof Node\Name => $this->made($n, $n->class),
            $n instanceof Expr\New_ && $n->class instanceof Stmt\Class_ && $n->class->extends !== null => $this->vague($n, $n->class->extends->getLast()),
            // A callable that is named goes to one who calls it later.
            $n instanceof Expr\Array_ && count($n->items) === 2 && $n->items[1]?->value instanceof Node\Scalar\String_ => $this->vague($n, $n->items[1]->value->value),
            default => null,
        };
    }

    private function used(string $name, int $kind): void
    {
        $kind &= Stmt\Use_::TYPE_NORMAL | Stmt\Use_::TYPE_FUNCTION | Stmt\Use_::TYPE_CONSTANT;
        $files = match ($kind) {
            Stmt\Use_::TYPE_FUNCTION => array_column($this->all->functions[strtolower($name)] ?? [], 0),
            Stmt\Use_::TYPE_CONSTANT => $this->all->constants[$name] ?? [],
            default => array_map(fn ($t) => $t->path, $this->all->types[strtolower($name)] ?? []),
        };
        array_map($this->pair(...), $files);
    }

    private function pair(string $to): void
    {
        if ($to !== $this->path) {
            $this->pairs[$this->path . ' ' . $to] = [$this->path, $to];
        }
    }

    private function included(Expr $e): void
    {
        $to = $this->text($e);
        $to = $to === null ? false : realpath($to);
        if ($to !== false && str_starts_with($to, $this->root . '/')) {
            $this->pair(substr($to, strlen($this->root) + 1));
        }
    }

    /** The text of an expression that needs no run: __DIR__, dirname(), literals and what joins them. */
    private function text(Expr $e): ?string
    {
        $here = $this->root . '/' . $this->path;
        if ($e instanceof Expr\BinaryOp\Concat) {
            [$a, $b] = [$this->text($e->left), $this->text($e->right)];
            return $a === null || $b === null ? null : $a . $b;
        }
        if ($e instanceof Expr\FuncCall && $e->name instanceof Node\Name && $e->name->toLowerString() === 'dirname' && count($e->args) === 1) {
            $of = $this->text($e->args[0]->value);
            return $of === null ? null : dirname($of);
        }
        return match (true) {
            $e instanceof Node\Scalar\String_ => $e->value,
            $e instanceof Node\Scalar\MagicConst\Dir => dirname($here),
            $e instanceof Node\Scalar\MagicConst\File => $here,
            default => null,
        };
    }

    private function functionCall(Expr\FuncCall $n): void
    {
        if ($n->isFirstClassCallable()) {
            $this->vague($n, $n->name->getLast());
        } elseif ($f = $this->resolver->functionOf($n->name)) {
            $this->calls[] = [$this->path, $n->getStartLine(), $f[0], $f[1]->name->getStartLine(), $f[1]->name->toString()];
        } elseif ($this->resolver->isAmbiguous($n->name)) {
            $this->vague($n, $n->name->getLast());
        }
    }

    /** Notes a call of a method. A class that the sources do not declare has none of theirs. */
    private function methodCall(Expr\CallLike $n, callable $receiver): void
    {
        if (!$n->name instanceof Node\Identifier) {
            return;
        }
        $name = $n->name->toString();
        $class = $n->isFirstClassCallable() ? null : $receiver();
        $found = $class === null ? null : $this->resolver->method($this->resolver->type($class), strtolower($name));
        if ($found) {
            $this->calls[] = [$this->path, $n->name->getStartLine(), $found[0]->path, $found[1]->name->getStartLine(), $found[1]->name->toString()];
        } elseif ($class === null || str_ends_with($class, ']') || $this->resolver->isDeclared($class)) {
            $this->vague($n->name, $name);
        }
    }

    /** Notes what new calls: the constructor, of a base too, or the class where there is none. */
    private function made(Expr\New_ $n, Node\Name $name): void
    {
        $class = $this->resolver->named($name);
        $type = $this->resolver->type($class);
        if ($type === null) {
            if ($class === null || $this->resolver->isDeclared($class)) {
                $this->vague($n, $name->getLast());
            }
            return;
        }
        [$of, $node] = $this->resolver->method($type, '__construct') ?? [$type, $type->node];
        if ($node->name === null) {
            $this->vague($n, $name->getLast()); // an anonymous class that makes another of itself
            return;
        }
        $this->calls[] = [$this->path, $n->getStartLine(), $of->path, $node->name->getStartLine(), $node->name->toString()];
    }

    private function vague(Node $at, string $name): void
    {
        $this->unclear[] = [$this->path, $at->getStartLine(), $name];
    }
}

$root = realpath($argv[1]);
$files = [];
foreach (array_slice($argv, 2) as $folder) {
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(realpath($folder), FilesystemIterator::SKIP_DOTS)) as $f) {
        if ($f->isFile() && $f->getExtension() === 'php') {
            $files[] = substr($f->getPathname(), strlen($root) + 1);
        }
    }
}
sort($files);
$parser = (new PhpParser\ParserFactory())->create(PhpParser\ParserFactory::PREFER_PHP7, new PhpParser\Lexer\Emulative(
    ['usedAttributes' => ['comments', 'startLine', 'endLine', 'startFilePos']]));
$names = new PhpParser\NodeVisitor\NameResolver();
$all = new Declarations($names->getNameContext());
$first = new PhpParser\NodeTraverser();
foreach ([new PhpParser\NodeVisitor\ParentConnectingVisitor(), $names, $all] as $visitor) {
    $first->addVisitor($visitor);
}
$trees = [];
foreach ($files as $f) {
    try {
        $all->path = $f;
        $trees[$f] = $first->traverse($parser->parse(file_get_contents("$root/$f")));
    } catch (PhpParser\Error $e) {
        fwrite(STDERR, "$f: {$e->getMessage()}\n"); // for example one that shows an error
    }
}
$walker = new Walker($root, $all, new Resolver($all));
$second = new PhpParser\NodeTraverser();
$second->addVisitor($walker);
foreach ($trees as $f => $tree) {
    $walker->path = $f;
    $second->traverse($tree);
}
echo json_encode(['Files' => array_keys($trees), 'Pairs' => array_values($walker->pairs), 'Calls' => $walker->calls, 'Unclear' => $walker->unclear], JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
