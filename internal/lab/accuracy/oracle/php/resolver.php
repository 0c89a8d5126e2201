<?php
// What expressions and names of the sources stand for.
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt;

/** Resolves receivers and callees by what was declared. */
final class Resolver
{
    private array $busy = [], $known = [];

    public function __construct(private Declarations $all)
    {
    }

    /** The one type of a name, null for none or several. */
    public function type(?string $name): ?Type
    {
        $list = $this->all->types[strtolower((string) $name)] ?? [];
        return count($list) === 1 ? $list[0] : null;
    }

    public function isDeclared(string $name): bool
    {
        return isset($this->all->types[strtolower($name)]);
    }

    public function functionOf(Node\Name $name): ?array
    {
        $spaced = $name->getAttribute('namespacedName');
        $list = ($spaced ? $this->all->functions[strtolower($spaced->toString())] ?? null : null) ?? $this->all->functions[$name->toLowerString()] ?? [];
        return count($list) === 1 ? $list[0] : null;
    }

    /** Reports whether several functions have the name. */
    public function isAmbiguous(Node\Name $name): bool
    {
        $spaced = $name->getAttribute('namespacedName') ?? $name;
        return isset($this->all->functions[strtolower($spaced->toString())]) || isset($this->all->functions[$name->toLowerString()]);
    }

    /** @return array{Type, Stmt\ClassMethod}|null the method that a class declares or inherits */
    public function method(?Type $t, string $name, int $depth = 0): ?array
    {
        if ($t === null || $depth > 20) {
            return null;
        }
        if (isset($t->methods[$name])) {
            return [$t, $t->methods[$name]];
        }
        foreach ([...$t->traits, ...$t->parents] as $base) {
            if ($found = $this->method($this->type($base), $name, $depth + 1)) {
                return $found;
            }
        }
        return null;
    }

    private function property(?Type $t, string $name, int $depth = 0): ?string
    {
        if ($t === null || $depth > 20) {
            return null;
        }
        if (array_key_exists($name, $t->properties)) {
            $found = $this->pick(...$t->properties[$name]) ?? $this->same($t->assigned[$name] ?? []);
            return $found === 'self' || $found === 'static' ? $t->name : $found;
        }
        foreach ([...$t->traits, ...$t->parents] as $base) {
            if ($found = $this->property($this->type($base), $name, $depth + 1)) {
                return $found;
            }
        }
        return null;
    }

    /** The type of a comment where that is a class of the sources, else the declared one. */
    private function pick(?string $comment, ?string $declared): ?string
    {
        $class = rtrim((string) $comment, '[]');
        return in_array($class, ['self', 'static'], true) || $this->isDeclared($class) ? $comment : $declared;
    }

    /** The type that all expressions have. Null and empty arrays tell nothing. */
    private function same(array $exprs): ?string
    {
        $types = [];
        foreach ($exprs as $e) {
            if ($e instanceof Expr\ConstFetch && $e->name->toLowerString() === 'null' || $e instanceof Expr\Array_ && !$e->items) {
                continue;
            }
            $types[$this->typeOf($e) ?? ''] = true;
        }
        return count($types) === 1 && ($t = array_key_first($types)) !== '' ? $t : null;
    }

    public static function around(Node $n, string ...$kinds): ?Node
    {
        for ($p = $n->getAttribute('parent'); $p; $p = $p->getAttribute('parent')) {
            foreach ($kinds as $k) {
                if ($p instanceof $k) {
                    return $p;
                }
            }
        }
        return null;
    }

    public function classAround(Node $n): ?Type
    {
        return self::around($n, Stmt\ClassLike::class)?->getAttribute('type');
    }

    /** The class that a name in the source stands for: self, parent or another. */
    public function named(Node\Name $n): ?string
    {
        $here = $this->classAround($n);
        return match ($n->toLowerString()) {
            'self', 'static' => $here?->name,
            'parent' => $here?->node instanceof Stmt\Class_ && $here->node->extends ? $here->node->extends->toString() : null,
            default => $n->toString(),
        };
    }

    /** The class of an expression, or that of its elements with [] behind. */
    public function typeOf(?Node $e): ?string
    {
        if ($e === null || isset($this->busy[$id = spl_object_id($e)])) {
            return null;
        }
        if (!array_key_exists($id, $this->known)) {
            $this->busy[$id] = true;
            $this->known[$id] = $this->infer($e);
            unset($this->busy[$id]);
        }
        return $this->known[$id];
    }

    private function infer(Node $e): ?string
    {
        return match (true) {
            $e instanceof Expr\Variable =>
                is_string($e->name) ? $this->variable($e, $e->name) : null,
            $e instanceof Expr\New_ =>
                $e->class instanceof Node\Name ? $this->named($e->class) : ($e->class instanceof Stmt\Class_ ? $e->class->getAttribute('type')->name : null),
            $e instanceof Expr\PropertyFetch, $e instanceof Expr\NullsafePropertyFetch =>
                $e->name instanceof Node\Identifier && !$this->tested($e) ? $this->property($this->type($this->typeOf($e->var)), $e->name->toString()) : null,
            $e instanceof Expr\StaticPropertyFetch =>
                $e->class instanceof Node\Name && $e->name instanceof Node\Identifier ? $this->property($this->type($this->named($e->class)), $e->name->toString()) : null,
            $e instanceof Expr\MethodCall, $e instanceof Expr\NullsafeMethodCall =>
                $e->name instanceof Node\Identifier ? $this->result($this->typeOf($e->var), $e->name->toLowerString()) : null,
            $e instanceof Expr\StaticCall =>
                $e->class instanceof Node\Name && $e->name instanceof Node\Identifier ? $this->result($this->named($e->class), $e->name->toLowerString()) : null,
            $e instanceof Expr\FuncCall =>
                $e->name instanceof Node\Name && ($f = $this->functionOf($e->name)) ? $this->returned($f[1]) : null,
            $e instanceof Expr\Assign, $e instanceof Expr\Clone_ =>
                $this->typeOf($e->expr),
            $e instanceof Expr\Ternary =>
                $this->same([$e->if ?? $e->cond, $e->else]),
            $e instanceof Expr\BinaryOp\Coalesce =>
                $this->same([$e->left, $e->right]),
            $e instanceof Expr\ArrayDimFetch =>
                self::element($this->typeOf($e->var)),
            default => null,
        };
    }

    private static function element(?string $t): ?string
    {
        return $t !== null && str_ends_with($t, '[]') ? substr($t, 0, -2) : null;
    }

    private function result(?string $receiver, string $name): ?string
    {
        $found = $this->method($this->type($receiver), $name);
        $t = $found ? $this->returned($found[1]) : null;
        return $t === 'static' ? $receiver : ($t === 'self' ? $found[0]->name : $t);
    }

    private function returned(Node\FunctionLike $f): ?string
    {
        return $this->pick($f->getAttribute('docs')['return'][''] ?? null, nativeType($f->getReturnType()));
    }

    private function variable(Node $at, string $name): ?string
    {
        if ($name === 'this') {
            return $this->classAround($at)?->name;
        }
        $f = self::around($at, Node\FunctionLike::class);
        if ($f === null) {
            return null;
        }
        $key = spl_object_id($f) . '$' . $name;
        if (isset($this->busy[$key])) {
            return null;
        }
        $this->busy[$key] = true;
        $t = $this->local($f, $name);
        unset($this->busy[$key]);
        return $t === 'static' || $t === 'self' ? $this->classAround($f)?->name : $t;
    }

    private function local(Node\FunctionLike $f, string $name): ?string
    {
        $types = [];
        foreach ($f->getParams() as $p) {
            if ($p->var instanceof Expr\Variable && $p->var->name === $name) {
                $t = $this->pick($f->getAttribute('docs')['param'][$name] ?? null, nativeType($p->type));
                $types[$p->variadic && $t !== null ? $t . '[]' : (string) $t] = true;
            }
        }
        $captured = $f instanceof Expr\ArrowFunction || $f instanceof Expr\Closure && array_filter($f->uses, fn ($u) => $u->var->name === $name && !$u->byRef);
        if (!$types && $captured) {
            $types[$this->variable($f, $name) ?? ''] = true;
        }
        foreach ($this->assignments($f)[$name] ?? [] as [$e, $element]) {
            if ($e instanceof Expr\ConstFetch && $e->name->toLowerString() === 'null') {
                continue;
            }
            $t = is_string($e) ? $e : $this->typeOf($e);
            $types[($element ? self::element($t) : $t) ?? ''] = true;
        }
        return count($types) === 1 && ($t = array_key_first($types)) !== '' ? $t : null;
    }

    /** What is assigned to each variable of a function: [expression or type, whether its elements are]. */
    private function assignments(Node\FunctionLike $f): array
    {
        $out = $f->getAttribute('assignments');
        if ($out !== null) {
            return $out;
        }
        $out = [];
        $unknown = function (?Node $v) use (&$out) {
            foreach ($v ? (new PhpParser\NodeFinder())->findInstanceOf([$v], Expr\Variable::class) : [] as $x) {
                if (is_string($x->name)) {
                    $out[$x->name][] = ['', false];
                }
            }
        };
        foreach ($this->own($f) as $n) {
            if ($n instanceof Expr\Assign && $n->var instanceof Expr\Variable && is_string($n->var->name)) {
                $doc = $n->getAttribute('parent')?->getAttribute('docs')['var'] ?? [];
                $out[$n->var->name][] = [$this->pick($doc[$n->var->name] ?? $doc[''] ?? null, null) ?? $n->expr, false];
            } elseif ($n instanceof Expr\Assign && ($n->var instanceof Expr\List_ || $n->var instanceof Expr\Array_) || $n instanceof Expr\AssignRef || $n instanceof Expr\AssignOp) {
                $unknown($n->var);
            } elseif ($n instanceof Stmt\Foreach_) {
                $n->valueVar instanceof Expr\Variable && is_string($n->valueVar->name) ? $out[$n->valueVar->name][] = [$n->expr, true] : $unknown($n->valueVar);
                $unknown($n->keyVar);
            } elseif ($n instanceof Stmt\Catch_ && $n->var) {
                $out[$n->var->name][] = [count($n->types) === 1 ? $n->types[0]->toString() : '', false];
            } elseif ($n instanceof Stmt\Global_ || $n instanceof Stmt\StaticVar) {
                array_map($unknown, $n instanceof Stmt\StaticVar ? [$n->var] : $n->vars);
            } elseif ($n instanceof Expr\Closure) {
                array_map(fn ($u) => $u->byRef ? $unknown($u->var) : null, $n->uses);
            } elseif ($n instanceof Expr\Instanceof_ && $n->expr instanceof Expr\Variable) {
                $unknown($n->expr);
            }
        }
        $f->setAttribute('assignments', $out);
        return $out;
    }

    /** The nodes of a function without those of functions in it. */
    private function own(Node $f): iterable
    {
        foreach ($f->getSubNodeNames() as $name) {
            foreach (is_array($f->$name) ? $f->$name : [$f->$name] as $n) {
                if ($n instanceof Node) {
                    yield $n;
                    if (!$n instanceof Node\FunctionLike && !$n instanceof Stmt\ClassLike) {
                        yield from $this->own($n);
                    }
                }
            }
        }
    }

    /** Reports whether instanceof is asked of a property in the function around it. */
    private function tested(Node $e): bool
    {
        $f = self::around($e, Stmt\ClassMethod::class, Stmt\Function_::class);
        if ($f === null || !$e->name instanceof Node\Identifier) {
            return false;
        }
        $names = $f->getAttribute('tested');
        if ($names === null) {
            $names = [];
            foreach ((new PhpParser\NodeFinder())->findInstanceOf([$f], Expr\Instanceof_::class) as $i) {
                if ($i->expr instanceof Expr\PropertyFetch && $i->expr->name instanceof Node\Identifier) {
                    $names[$i->expr->name->toString()] = true;
                }
            }
            $f->setAttribute('tested', $names);
        }
        return isset($names[$e->name->toString()]);
    }
}
