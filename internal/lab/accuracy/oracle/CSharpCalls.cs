// Prints what the using directives and the calls of C# sources lead to, as Roslyn
// resolves them. What needs a library that is not given stays unclear. Delegates
// that are called and methods that are only named count as unclear too.
//
// usage: CSharpCalls ROSLYN ROOT FOLDER… [-DSYMBOL…] [-LFOLDER…]
//
// ROSLYN is the folder of the compiler's assemblies. -L names a folder of reference
// assemblies; without one, those of the running framework serve.
//
// Files without a declaration, which this build leaves out, are not in Files.
//
// {"Files": […], "Functions": [[path, line, name]], "Pairs": [[path, path]], "Calls": [[path, line, to path, to line, to name]], "Unclear": [[path, line, name]]}
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

static class Program
{
    static int Main(string[] args)
    {
        AppDomain.CurrentDomain.AssemblyResolve += (s, e) =>
        {
            string file = Path.Combine(args[0], new AssemblyName(e.Name).Name + ".dll");
            return File.Exists(file) ? Assembly.LoadFrom(file) : null;
        };
        return Sources.Measure(args.Skip(1).ToArray());
    }
}

static class Sources
{
    public static string Root;
    public static readonly List<string> Files = new List<string>();
    public static readonly List<object[]> Functions = new List<object[]>(), Calls = new List<object[]>(), Unclear = new List<object[]>();
    public static readonly HashSet<(string, string)> Pairs = new HashSet<(string, string)>();

    public static int Measure(string[] args)
    {
        Root = Path.GetFullPath(args[0]).TrimEnd('/');
        var symbols = args.Where(a => a.StartsWith("-D")).Select(a => a.Substring(2));
        var folders = args.Skip(1).Where(a => !a.StartsWith("-"));
        var parsing = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.None).WithPreprocessorSymbols(symbols);
        var trees = folders.SelectMany(f => Directory.EnumerateFiles(f, "*.cs", SearchOption.AllDirectories))
            .Distinct().OrderBy(f => f, StringComparer.Ordinal)
            .Select(f => CSharpSyntaxTree.ParseText(File.ReadAllText(f), parsing, f)).ToList();
        var compilation = CSharpCompilation.Create("measured", trees, References(args),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
        foreach (var tree in trees)
        {
            if (tree.GetRoot().DescendantNodes().Any(n => n is BaseTypeDeclarationSyntax || n is DelegateDeclarationSyntax))
            {
                Files.Add(Relative(tree));
            }
            foreach (var node in tree.GetRoot().DescendantNodes())
            {
                if (Declared(node) is (SyntaxToken at, string name))
                {
                    Functions.Add(new object[] { Relative(tree), Line(tree, at.SpanStart), name });
                }
            }
            new Walker(compilation.GetSemanticModel(tree)).Visit(tree.GetRoot());
        }
        var pairs = Pairs.OrderBy(p => p).Select(p => new[] { p.Item1, p.Item2 });
        Console.WriteLine(JsonSerializer.Serialize(new Dictionary<string, object> { ["Files"] = Files, ["Functions"] = Functions, ["Pairs"] = pairs, ["Calls"] = Calls, ["Unclear"] = Unclear }));
        return 0;
    }

    // The name of a type or function where it is declared, as topo writes it.
    static (SyntaxToken, string)? Declared(SyntaxNode node) => node switch
    {
        BaseTypeDeclarationSyntax n => (n.Identifier, n.Identifier.ValueText),
        DelegateDeclarationSyntax n => (n.Identifier, n.Identifier.ValueText),
        MethodDeclarationSyntax n => (n.Identifier, n.Identifier.ValueText),
        ConstructorDeclarationSyntax n => (n.Identifier, n.Identifier.ValueText),
        LocalFunctionStatementSyntax n => (n.Identifier, n.Identifier.ValueText),
        PropertyDeclarationSyntax n => (n.Identifier, n.Identifier.ValueText),
        EventDeclarationSyntax n => (n.Identifier, n.Identifier.ValueText),
        DestructorDeclarationSyntax n => (n.Identifier, "~" + n.Identifier.ValueText),
        IndexerDeclarationSyntax n => (n.ThisKeyword, "this"),
        OperatorDeclarationSyntax n => (n.OperatorToken, "operator " + n.OperatorToken.Text),
        ConversionOperatorDeclarationSyntax n => (n.OperatorKeyword, "operator " + n.Type),
        _ => null,
    };

    static IEnumerable<MetadataReference> References(string[] args)
    {
        var given = args.Where(a => a.StartsWith("-L")).SelectMany(a => Directory.EnumerateFiles(a.Substring(2), "*.dll", SearchOption.AllDirectories)).ToList();
        var files = given.Count > 0 ? given : ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")).Split(Path.PathSeparator).ToList();
        return files.Select(f => MetadataReference.CreateFromFile(f));
    }

    public static string Relative(SyntaxTree t) => Path.GetFullPath(t.FilePath).Substring(Root.Length + 1).Replace('\\', '/');

    public static int Line(SyntaxTree t, int at) => t.GetLineSpan(new Microsoft.CodeAnalysis.Text.TextSpan(at, 0)).StartLinePosition.Line + 1;
}

class Walker : CSharpSyntaxWalker
{
    readonly SemanticModel model;
    readonly string path;

    public Walker(SemanticModel model)
    {
        this.model = model;
        path = Sources.Relative(model.SyntaxTree);
    }

    // A using directive of a namespace stands for the files that declare its types.
    public override void VisitUsingDirective(UsingDirectiveSyntax node)
    {
        var symbol = node.Name == null ? null : model.GetSymbolInfo(node.Name).Symbol; // an alias may name a tuple
        IEnumerable<ISymbol> types = symbol is INamespaceSymbol n ? n.GetTypeMembers().Cast<ISymbol>() : new[] { symbol?.OriginalDefinition };
        foreach (var reference in types.Where(t => t != null).SelectMany(t => t.DeclaringSyntaxReferences))
        {
            var to = Sources.Relative(reference.SyntaxTree);
            if (to != path)
            {
                Sources.Pairs.Add((path, to));
            }
        }
    }

    // An attribute is no call, and neither are the calls in its arguments.
    public override void VisitAttributeList(AttributeListSyntax node) { }

    public override void VisitInvocationExpression(InvocationExpressionSyntax node)
    {
        if (CalledName(node.Expression) is SimpleNameSyntax name && name.Identifier.Text != "nameof")
        {
            Call(node, name.Identifier);
        }
        base.VisitInvocationExpression(node);
    }

    public override void VisitObjectCreationExpression(ObjectCreationExpressionSyntax node)
    {
        var name = node.Type switch
        {
            QualifiedNameSyntax q => q.Right,
            AliasQualifiedNameSyntax a => a.Name,
            _ => node.Type as SimpleNameSyntax,
        };
        if (name != null)
        {
            Call(node, name.Identifier);
        }
        base.VisitObjectCreationExpression(node);
    }

    public override void VisitConstructorInitializer(ConstructorInitializerSyntax node)
    {
        Call(node, node.ThisOrBaseKeyword);
        base.VisitConstructorInitializer(node);
    }

    // A method that is named without a call goes to one who calls it later.
    public override void VisitIdentifierName(IdentifierNameSyntax node)
    {
        SyntaxNode whole = node.Parent is MemberAccessExpressionSyntax m && m.Name == node ? m : (SyntaxNode)node;
        if (!(whole.Parent is InvocationExpressionSyntax || whole.Parent is MemberBindingExpressionSyntax) && model.GetSymbolInfo(node).Symbol is IMethodSymbol)
        {
            Vague(node.Identifier);
        }
    }

    static SimpleNameSyntax CalledName(ExpressionSyntax e) => e switch
    {
        SimpleNameSyntax n => n,
        MemberAccessExpressionSyntax m => m.Name,
        MemberBindingExpressionSyntax b => b.Name,
        _ => null,
    };

    int Line(SyntaxToken t) => Sources.Line(model.SyntaxTree, t.SpanStart);

    void Vague(SyntaxToken name) => Sources.Unclear.Add(new object[] { path, Line(name), name.ValueText });

    // Notes a call. A constructor that is not written stands for its type.
    void Call(SyntaxNode node, SyntaxToken name)
    {
        var method = model.GetSymbolInfo(node).Symbol as IMethodSymbol;
        if (method == null || method.MethodKind == MethodKind.DelegateInvoke)
        {
            Vague(name);
            return;
        }
        method = (method.ReducedFrom ?? method).OriginalDefinition;
        ISymbol target = method.PartialImplementationPart ?? method;
        if (method.MethodKind == MethodKind.Constructor && target.DeclaringSyntaxReferences.IsEmpty)
        {
            target = method.ContainingType;
        }
        var declared = target.Locations.Where(l => l.IsInSource).ToList();
        if (declared.Count > 1)
        {
            Vague(name); // the parts of a type have one constructor that none of them writes
        }
        else if (declared.Count == 1)
        {
            var tree = declared[0].SourceTree;
            var called = method.MethodKind == MethodKind.Constructor ? method.ContainingType.Name : method.Name;
            Sources.Calls.Add(new object[] { path, Line(name), Sources.Relative(tree), Sources.Line(tree, declared[0].SourceSpan.Start), called });
        }
    }
}
