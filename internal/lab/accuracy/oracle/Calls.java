// Prints what the imports and the calls of Java sources lead to, as javac
// resolves them. What needs a library that is not here stays unclear.
//
// usage: java Calls.java ROOT FOLDER…
//
// {"Files": […], "Pairs": [[path, path]], "Calls": [[path, line, to path, to line, to name]], "Unclear": [[path, line, name]]}
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

class Calls extends TreePathScanner<Void, Void> {
    static Path root;
    static Trees trees;
    static final Set<String> pairs = new TreeSet<>();
    static final List<String> files = new ArrayList<>(), calls = new ArrayList<>(), unclear = new ArrayList<>();

    final CompilationUnitTree unit;
    final String path;

    Calls(CompilationUnitTree unit) {
        this.unit = unit;
        this.path = relative(unit);
    }

    public static void main(String[] args) throws Exception {
        root = Path.of(args[0]).toRealPath();
        List<Path> sources = new ArrayList<>();
        for (String folder : Arrays.asList(args).subList(1, args.length)) {
            try (Stream<Path> walk = Files.walk(Path.of(folder).toRealPath())) {
                // module-info.java would hide the libraries that are not here, and each module from the others.
                walk.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java") && Files.isRegularFile(p)).sorted().forEach(sources::add);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(d -> {}, null, null);
        List<String> options = List.of("-proc:none", "-implicit:none", "-XDshould-stop.ifError=FLOW");
        JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {}, options, null, manager.getJavaFileObjectsFromPaths(sources));
        trees = Trees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree u : units) {
            Calls c = new Calls(u);
            files.add(quote(c.path));
            u.getImports().forEach(c::imported);
            c.scan(u, null);
        }
        System.out.println("{\"Files\": [" + String.join(",", files) + "],\n\"Pairs\": [" + String.join(",\n", pairs)
            + "],\n\"Calls\": [" + String.join(",\n", calls) + "],\n\"Unclear\": [" + String.join(",\n", unclear) + "]}");
    }

    static String relative(CompilationUnitTree unit) {
        return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }

    static String quote(String s) {
        return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    Element element(Tree t, TreePath parent) {
        return trees.getElement(new TreePath(parent, t));
    }

    /** Notes the files that an import names: a wildcard names all classes of its package. */
    void imported(ImportTree i) {
        MemberSelectTree name = (MemberSelectTree) i.getQualifiedIdentifier();
        TreePath at = new TreePath(new TreePath(new TreePath(unit), i), name);
        boolean wildcard = name.getIdentifier().contentEquals("*");
        Element e = wildcard || i.isStatic() ? element(name.getExpression(), at) : trees.getElement(at);
        if (e instanceof PackageElement p) {
            p.getEnclosedElements().forEach(this::depend);
        } else if (e != null) {
            depend(e);
        }
    }

    void depend(Element e) {
        TreePath to = trees.getPath(e);
        if (to != null && !relative(to.getCompilationUnit()).equals(path)) {
            pairs.add("[" + quote(path) + "," + quote(relative(to.getCompilationUnit())) + "]");
        }
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree t, Void v) {
        ExpressionTree s = t.getMethodSelect();
        String name = s instanceof MemberSelectTree m ? m.getIdentifier().toString() : s.toString();
        Element e = element(s, getCurrentPath());
        if (!clear(t.getArguments())) {
            name = e != null && e.getKind() == ElementKind.CONSTRUCTOR ? e.getEnclosingElement().getSimpleName().toString() : name;
            e = null;
        }
        call(t, e, name);
        return super.visitMethodInvocation(t, v);
    }

    @Override
    public Void visitNewClass(NewClassTree t, Void v) {
        // An anonymous class has a constructor of its own: which of its base that calls is not asked.
        Element e = t.getClassBody() == null && clear(t.getArguments()) ? trees.getElement(getCurrentPath()) : null;
        String name = t.getIdentifier().toString().replaceAll("<.*", "");
        call(t, e, name.substring(name.lastIndexOf('.') + 1));
        return super.visitNewClass(t, v);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree t, Void v) {
        // What is named is called by another: no call here, and none to be denied.
        unclear.add(site(t) + "," + quote(t.getName().toString()) + "]");
        return super.visitMemberReference(t, v);
    }

    /** Reports whether the types of all arguments are known: of one that is not, javac takes any overload. */
    boolean clear(List<? extends ExpressionTree> arguments) {
        for (ExpressionTree a : arguments) {
            javax.lang.model.type.TypeMirror m = trees.getTypeMirror(new TreePath(getCurrentPath(), a));
            if (m != null && m.getKind() == javax.lang.model.type.TypeKind.ERROR) {
                return false;
            }
        }
        return true;
    }

    String site(Tree t) {
        return "[" + quote(path) + "," + line(unit, trees.getSourcePositions().getStartPosition(unit, t));
    }

    static long line(CompilationUnitTree u, long pos) {
        return pos < 0 ? 0 : u.getLineMap().getLineNumber(pos);
    }

    /** Notes a call. A default constructor stands for its class. */
    void call(Tree t, Element e, String name) {
        if (e == null || e.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) {
            unclear.add(site(t) + "," + quote(name) + "]");
            return;
        }
        Tree declared = trees.getTree(e);
        Element type = e.getKind() == ElementKind.CONSTRUCTOR ? e.getEnclosingElement() : e;
        if (declared == null || end(e, declared) < 0) {
            e = type;
            declared = trees.getTree(e);
        }
        if (declared != null && !type.getSimpleName().isEmpty()) {
            CompilationUnitTree to = trees.getPath(e).getCompilationUnit();
            calls.add(site(t) + "," + quote(relative(to)) + "," + line(to, end(e, declared)) + "," + quote(type.getSimpleName().toString()) + "]");
        }
    }

    /** The end is inside a definition whatever is taken for its beginning. */
    static long end(Element e, Tree declared) {
        return trees.getSourcePositions().getEndPosition(trees.getPath(e).getCompilationUnit(), declared) - 1;
    }
}
