// Prints what the imports and the calls of Kotlin sources lead to, as the
// frontend of the Kotlin 1.9 compiler resolves them. What needs a library that is
// not given stays unclear. Operators, references and values that are called count
// as unclear too.
//
// usage: java -cp 'COMPILER/*' KotlinCalls.java ROOT JAR:JAR… FOLDER…
//
// The jars are the libraries of the sources, the standard library among them. The
// folders of all platforms of a library are resolved as one module.
//
// {"Files": […], "Pairs": [[path, path]], "Calls": [[path, line, to path, to line, to name]], "Unclear": [[path, line, name]]}
import java.io.File;
import java.nio.file.*;
import java.util.*;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.config.ContentRootsKt;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.cli.jvm.config.JvmContentRootsKt;
import org.jetbrains.kotlin.com.intellij.openapi.util.Disposer;
import org.jetbrains.kotlin.com.intellij.psi.PsiElement;
import org.jetbrains.kotlin.com.intellij.psi.PsiFile;
import org.jetbrains.kotlin.config.*;
import org.jetbrains.kotlin.descriptors.*;
import org.jetbrains.kotlin.descriptors.impl.TypeAliasConstructorDescriptor;
import org.jetbrains.kotlin.psi.*;
import org.jetbrains.kotlin.resolve.*;
import org.jetbrains.kotlin.resolve.calls.model.*;
import org.jetbrains.kotlin.resolve.calls.util.CallUtilKt;
import org.jetbrains.kotlin.types.error.ErrorUtils;

class KotlinCalls extends KtTreeVisitorVoid {
    static Path root;
    static BindingContext context;
    static final Set<String> pairs = new TreeSet<>();
    static final List<String> files = new ArrayList<>(), calls = new ArrayList<>(), unclear = new ArrayList<>();
    /** The files that declare each qualified name, and those of each package. */
    static final Map<String, Set<String>> declaring = new HashMap<>(), packages = new HashMap<>();

    final KtFile file;
    final String path;

    KotlinCalls(KtFile file) {
        this.file = file;
        this.path = relative(file);
    }

    public static void main(String[] args) throws Exception {
        root = Path.of(args[0]).toRealPath();
        KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
            Disposer.newDisposable(), configuration(args), EnvironmentConfigFiles.JVM_CONFIG_FILES);
        List<KtFile> sources = environment.getSourceFiles();
        CliBindingTrace trace = new CliBindingTrace();
        TopDownAnalyzerFacadeForJVM.INSTANCE.analyzeFilesWithJavaIntegration(environment.getProject(), sources, trace,
            environment.getConfiguration(), environment::createPackagePartProvider);
        context = trace.getBindingContext();
        for (KtFile f : sources) {
            String path = relative(f), pkg = f.getPackageFqName().asString();
            packages.computeIfAbsent(pkg, k -> new TreeSet<>()).add(path);
            declare(f.getDeclarations(), path);
        }
        for (KtFile f : sources) {
            KotlinCalls c = new KotlinCalls(f);
            files.add(quote(c.path));
            f.getImportDirectives().forEach(c::imported);
            f.accept(c);
        }
        System.out.println("{\"Files\": [" + String.join(",", files) + "],\n\"Pairs\": [" + String.join(",\n", pairs)
            + "],\n\"Calls\": [" + String.join(",\n", calls) + "],\n\"Unclear\": [" + String.join(",\n", unclear) + "]}");
        System.out.flush();
        System.exit(0); // the compiler leaves threads behind
    }

    static CompilerConfiguration configuration(String[] args) throws Exception {
        CompilerConfiguration c = new CompilerConfiguration();
        c.put(CommonConfigurationKeys.MODULE_NAME, "measured");
        c.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
        c.put(CommonConfigurationKeys.LANGUAGE_VERSION_SETTINGS, new LanguageVersionSettingsImpl(
            LanguageVersion.KOTLIN_1_9, ApiVersion.KOTLIN_1_9, Map.of(),
            Map.of(LanguageFeature.MultiPlatformProjects, LanguageFeature.State.ENABLED)));
        c.put(JVMConfigurationKeys.JDK_HOME, new File(System.getProperty("java.home")));
        for (String jar : args[1].split(File.pathSeparator)) {
            JvmContentRootsKt.addJvmClasspathRoot(c, new File(jar));
        }
        for (String folder : Arrays.asList(args).subList(2, args.length)) {
            ContentRootsKt.addKotlinSourceRoot(c, Path.of(folder).toRealPath().toString(), false);
        }
        return c;
    }

    static void declare(List<? extends KtDeclaration> declarations, String path) {
        for (KtDeclaration d : declarations) {
            if (d instanceof KtNamedDeclaration n && n.getFqName() != null) {
                declaring.computeIfAbsent(n.getFqName().asString(), k -> new TreeSet<>()).add(path);
            }
            if (d instanceof KtClassOrObject c) {
                declare(c.getDeclarations(), path);
            }
        }
    }

    static String relative(PsiFile f) {
        return root.relativize(Path.of(f.getVirtualFile().getPath())).toString().replace('\\', '/');
    }

    static String quote(String s) {
        return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static int line(PsiElement e) {
        String text = e.getContainingFile().getViewProvider().getDocument().getText();
        return 1 + (int) text.substring(0, e.getTextRange().getStartOffset()).chars().filter(c -> c == '\n').count();
    }

    /** Notes the files that an import names: a wildcard names all of its package. */
    void imported(KtImportDirective i) {
        if (i.getImportedFqName() == null) {
            return;
        }
        String name = i.getImportedFqName().asString();
        Set<String> to = declaring.getOrDefault(name, i.isAllUnder() ? packages.getOrDefault(name, Set.of()) : Set.of());
        to.stream().filter(t -> !t.equals(path)).forEach(t -> pairs.add("[" + quote(path) + "," + quote(t) + "]"));
    }

    @Override
    public void visitCallExpression(KtCallExpression e) {
        KtExpression callee = e.getCalleeExpression();
        if (callee instanceof KtSimpleNameExpression n) {
            resolved(e, n, n.getReferencedName());
        }
        super.visitCallExpression(e);
    }

    @Override
    public void visitSuperTypeCallEntry(KtSuperTypeCallEntry e) {
        constructor(e, e.getCalleeExpression());
        super.visitSuperTypeCallEntry(e);
    }

    @Override
    public void visitAnnotationEntry(KtAnnotationEntry e) {
        // An annotation is no call.
    }

    void constructor(KtElement e, KtConstructorCalleeExpression callee) {
        KtSimpleNameExpression name = callee.getConstructorReferenceExpression();
        if (name != null) {
            resolved(e, name, name.getReferencedName());
        }
    }

    @Override
    public void visitConstructorDelegationCall(KtConstructorDelegationCall e) {
        if (!e.isImplicit()) {
            resolved(e, e.getCalleeExpression(), e.isCallToThis() ? "this" : "super");
        }
        super.visitConstructorDelegationCall(e);
    }

    @Override
    public void visitBinaryExpression(KtBinaryExpression e) {
        KtOperationReferenceExpression o = e.getOperationReference();
        if (o.isConventionOperator()) {
            ResolvedCall<?> call = CallUtilKt.getResolvedCall(e, context);
            if (call != null) {
                vague(o, call.getResultingDescriptor().getName().asString());
            }
        } else if (o.getReferencedNameElementType() == org.jetbrains.kotlin.lexer.KtTokens.IDENTIFIER) {
            resolved(e, o, o.getReferencedName());
        }
        super.visitBinaryExpression(e);
    }

    @Override
    public void visitCallableReferenceExpression(KtCallableReferenceExpression e) {
        vague(e, e.getCallableReference().getReferencedName());
        super.visitCallableReferenceExpression(e);
    }

    void vague(PsiElement at, String name) {
        unclear.add("[" + quote(path) + "," + line(at) + "," + quote(name) + "]");
    }

    /** Notes where a call leads. A value that is called leads nowhere that is known. */
    void resolved(KtElement e, PsiElement at, String name) {
        ResolvedCall<?> call = CallUtilKt.getResolvedCall(e, context);
        if (call == null || call instanceof VariableAsFunctionResolvedCall || ErrorUtils.isError(call.getResultingDescriptor())) {
            vague(at, name);
            return;
        }
        CallableDescriptor d = call.getResultingDescriptor();
        if (d instanceof TypeAliasConstructorDescriptor t) {
            d = t.getUnderlyingConstructorDescriptor();
        }
        PsiElement to = DescriptorToSourceUtils.descriptorToDeclaration(d);
        if (to instanceof KtPrimaryConstructor p) {
            to = p.getContainingClassOrObject();
        }
        if (to instanceof KtNamedDeclaration n && to.getContainingFile() instanceof KtFile) {
            PsiElement id = n.getNameIdentifier() != null ? n.getNameIdentifier() : n;
            String as = n instanceof KtSecondaryConstructor ? "constructor" : n.getName();
            if (as != null) {
                calls.add("[" + quote(path) + "," + line(at) + "," + quote(relative(to.getContainingFile())) + "," + line(id) + "," + quote(as) + "]");
            }
        }
    }
}
