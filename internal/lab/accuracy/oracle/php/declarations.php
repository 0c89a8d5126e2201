<?php
// What the sources declare.
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt;

/** A class, interface, trait or enumeration. */
final class Type
{
    /** @var array<string, array{?string, ?string}> the types by comment and by declaration */
    public array $properties = [];
    public array $methods = [], $assigned = [], $parents = [], $traits = [];

    public function __construct(public string $name, public string $path, public Stmt\ClassLike $node)
    {
    }
}

/**
 * The class that a type in a comment names, with [] behind for a list of it; null
 * for several and for what is no class. $class resolves a name.
 */
function docType(?string $text, callable $class): ?string
{
    $text = trim((string) $text);
    $parts = array_values(array_diff(preg_split('/\|(?![^<({]*[>)}])/', ltrim($text, '?')), ['null', 'false', 'NULL']));
    if (count($parts) !== 1 || !preg_match('/^[\\\\\w$]+((?:<.*>)|\[\])?$/', $parts[0], $m)) {
        return null;
    }
    if (isset($m[1]) && $m[1] === '[]') {
        $one = docType(substr($parts[0], 0, -2), $class);
        return $one === null ? null : $one . '[]';
    }
    if (preg_match('/^(?:array|list|iterable|non-empty-list)<(?:[\w-]+\s*,\s*)?([\\\\\w]+)>$/', $parts[0], $e)) {
        $one = docType($e[1], $class);
        return $one === null ? null : $one . '[]';
    }
    $name = preg_replace('/<.*/', '', $parts[0]);
    return match (true) {
        in_array($name, ['static', '$this'], true) => 'static',
        $name === 'self' => 'self',
        !preg_match('/^\\\\?[A-Z]/', $name) => null,
        default => $class($name),
    };
}

/** Gathers what the sources declare. The names are resolved before. */
final class Declarations extends PhpParser\NodeVisitorAbstract
{
    /** @var array<string, list<Type>> */
    public array $types = [];
    /** @var array<string, list<array{string, Stmt\Function_}>> */
    public array $functions = [];
    /** @var array<string, list<string>> */
    public array $constants = [];
    private array $open = [];

    public function __construct(private PhpParser\NameContext $names, public string $path = '')
    {
    }

    public function enterNode(Node $n)
    {
        $n->setAttribute('docs', $this->docs($n));
        if ($n instanceof Stmt\ClassLike) {
            $this->open[] = $this->type($n);
        } elseif ($n instanceof Stmt\Function_) {
            $this->functions[strtolower($n->namespacedName->toString())][] = [$this->path, $n];
        } elseif ($n instanceof Stmt\Const_) {
            foreach ($n->consts as $c) {
                $this->constants[$c->namespacedName->toString()][] = $this->path;
            }
        } elseif ($t = end($this->open)) {
            $this->member($t, $n);
        }
    }

    public function leaveNode(Node $n)
    {
        if ($n instanceof Stmt\ClassLike) {
            array_pop($this->open);
        }
    }

    private function type(Stmt\ClassLike $n): Type
    {
        $name = isset($n->namespacedName) ? $n->namespacedName->toString() : 'class@' . $this->path . ':' . $n->getStartLine() . ':' . $n->getStartFilePos();
        $t = new Type($name, $this->path, $n);
        $n->setAttribute('type', $t);
        $parents = match (true) {
            $n instanceof Stmt\Class_ => array_merge($n->extends ? [$n->extends] : [], $n->implements),
            $n instanceof Stmt\Interface_ => $n->extends,
            $n instanceof Stmt\Enum_ => $n->implements,
            default => [],
        };
        $t->parents = array_map(fn ($p) => $p->toString(), $parents);
        $this->types[strtolower($name)][] = $t;
        return $t;
    }

    private function member(Type $t, Node $n): void
    {
        if ($n instanceof Stmt\ClassMethod) {
            $t->methods[$n->name->toLowerString()] = $n;
        } elseif ($n instanceof Stmt\TraitUse) {
            array_push($t->traits, ...array_map(fn ($p) => $p->toString(), $n->traits));
        } elseif ($n instanceof Stmt\Property) {
            foreach ($n->props as $p) {
                $t->properties[$p->name->toString()] = [$n->getAttribute('docs')['var'][''] ?? null, nativeType($n->type)];
            }
        } elseif ($n instanceof Node\Param && $n->flags !== 0) {
            $t->properties[$n->var->name] = [null, nativeType($n->type)];
        } elseif ($n instanceof Expr\Assign && $n->var instanceof Expr\PropertyFetch && $n->var->var instanceof Expr\Variable
            && $n->var->var->name === 'this' && $n->var->name instanceof Node\Identifier) {
            $t->assigned[$n->var->name->toString()][] = $n->expr;
        }
    }

    /** The types that the comment before a node gives, by tag and variable. */
    private function docs(Node $n): array
    {
        $out = [];
        foreach ($n->getComments() as $c) {
            preg_match_all('/@(?:phpstan-|psalm-)?(param|return|var)\s+((?:[^\s<{(]|<[^>]*>)+)(?:\s+&?(?:\.\.\.)?\$(\w+))?/', $c->getText(), $all, PREG_SET_ORDER);
            foreach ($all as $m) {
                $type = docType($m[2], fn ($name) => $this->names->getResolvedClassName($name[0] === '\\' ? new Node\Name\FullyQualified(substr($name, 1)) : new Node\Name($name))->toString());
                $out[$m[1]][$m[3] ?? ''] = $type;
            }
        }
        return $out;
    }
}

/** The class that a native type names, null for none or several. */
function nativeType(?Node $type): ?string
{
    if ($type instanceof Node\NullableType) {
        $type = $type->type;
    }
    if ($type instanceof Node\UnionType) {
        $parts = array_values(array_filter($type->types, fn ($t) => !($t instanceof Node\Identifier && in_array($t->toLowerString(), ['null', 'false'], true))));
        $type = count($parts) === 1 ? $parts[0] : null;
    }
    if (!$type instanceof Node\Name) {
        return null;
    }
    $name = $type->toLowerString();
    return in_array($name, ['self', 'static'], true) ? $name : ($name === 'parent' ? null : $type->toString());
}
