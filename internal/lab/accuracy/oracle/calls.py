"""Prints where the calls of a Python package lead, as jedi resolves them.

usage: calls.py ROOT SRC PACKAGE

{"Files": […], "Calls": [[path, line, to path, to line, to name]], "Unclear": [[path, line, name]]}
"""
import ast
import json
import os
import sys

import jedi

root, src, package = sys.argv[1:4]
root = os.path.realpath(root)
# Without what is installed here: a release of the same package may be.
path = [os.path.join(root, src)] + [p for p in sys.path if p and "site-packages" not in p]
project = jedi.Project(root, sys_path=path, smart_sys_path=False)
scripts, trees, newer = {}, {}, set()


def script(path):
    if path not in scripts:
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        scripts[path] = jedi.Script(text, path=path, project=project)
        try:
            trees[path] = ast.parse(text)
        except SyntaxError:  # of a newer Python than the one that runs
            trees[path] = ast.Module(body=[], type_ignores=[])
            newer.add(path)
    return scripts[path]


def resolve(s, line, column):
    """The functions and classes that the name at a place stands for."""
    try:
        names = s.goto(line, column, follow_imports=True)
        if not names or any(n.type not in ("function", "class") for n in names):
            names = s.infer(line, column) or names
    except Exception:  # jedi gives up on some code
        return None
    if not names or any(n.type not in ("function", "class") for n in names):
        return None
    return names


def inside(path):
    return path is not None and os.path.realpath(str(path)).startswith(root + os.sep)


def constructor(name, depth=0):
    """What a call of a class runs: the __init__ of the class or of a base."""
    path = str(name.module_path)
    s = script(path)
    for node in ast.walk(trees[path]):
        if not isinstance(node, ast.ClassDef) or node.name != name.name or name.line not in range(node.lineno, node.end_lineno + 1):
            continue
        for child in reversed(node.body):  # the last definition holds
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) and child.name == "__init__":
                return path, child.lineno, "__init__"
        for base in node.bases:
            at = position(base)
            for b in (at and resolve(s, *at)) or []:
                if b.type == "class" and inside(b.module_path) and depth < 8:
                    found = constructor(b, depth + 1)
                    if found and found[2] == "__init__":
                        return found
    return path, name.line, name.name


def position(e):
    """Where the last name of an expression stands."""
    if isinstance(e, ast.Name):
        return e.lineno, e.col_offset
    if isinstance(e, ast.Attribute):
        return e.end_lineno, e.end_col_offset - len(e.attr)


def last(e):
    return e.id if isinstance(e, ast.Name) else e.attr


files, calls, unclear = [], [], []
for folder, _, names in os.walk(os.path.join(root, src, *package.split("."))):
    for file in sorted(names):
        if not file.endswith(".py"):
            continue
        path = os.path.join(folder, file)
        rel = os.path.relpath(path, root)
        s = script(path)
        if path in newer:
            print("not compared, its syntax is too new:", rel, file=sys.stderr)
            continue
        files.append(rel)
        for node in ast.walk(trees[path]):
            if not isinstance(node, ast.Call) or not position(node.func):
                continue
            line, column = position(node.func)
            # ast counts bytes, jedi characters.
            text = s._code.splitlines()[line - 1] if line <= s._code.count("\n") + 1 else ""
            column = len(text.encode()[:column].decode(errors="ignore"))
            found = resolve(s, line, column)
            if found is None:
                unclear.append([rel, line, last(node.func)])
                continue
            for n in found:
                if not inside(n.module_path) or n.line is None:
                    continue
                to = constructor(n) if n.type == "class" else (str(n.module_path), n.line, n.name)
                calls.append([rel, line, os.path.relpath(to[0], root), to[1], to[2]])
json.dump({"Files": files, "Calls": calls, "Unclear": unclear}, sys.stdout)
