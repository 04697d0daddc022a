# Reads the shape of Python sources without importing or running them. It comes
# on standard input, followed by a call with the sources in base64, and prints
# one JSON array with an object for each of them.
import ast, binascii, json, sys, warnings

# A source of a few megabytes can be made to take two gigabytes as a tree. What does
# not fit is looked through line by line instead.
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
except (ImportError, OSError, ValueError):
    pass  # a system without such limits

SHOWN = ("property", "staticmethod", "classmethod", "abstractmethod", "dataclass", "overload")


def text(node):
    try:
        return ast.unparse(node)
    except Exception:
        return "…"


def last_name(node):
    if isinstance(node, ast.Call):
        node = node.func
    return getattr(node, "attr", getattr(node, "id", ""))


def marks(node):
    names = [last_name(d) for d in node.decorator_list]
    return "".join("@%s " % n for n in names if n in SHOWN)


def type_params(node):
    params = getattr(node, "type_params", [])
    return "[%s]" % ", ".join(map(text, params)) if params else ""


def public(name):
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def function(node, kind):
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    result = " -> " + text(node.returns) if node.returns else ""
    shown = "%s%s %s%s(%s)%s" % (marks(node), word, node.name, type_params(node), text(node.args), result)
    return {"kind": kind, "name": node.name, "signature": shown, "line": node.lineno, "public": public(node.name)}


def klass(node, depth):
    bases = [text(b) for b in node.bases]
    listed = bases + ["%s=%s" % (k.arg, text(k.value)) if k.arg else "**" + text(k.value) for k in node.keywords]
    shown = "%sclass %s%s" % (marks(node), node.name, type_params(node))
    if listed:
        shown += "(%s)" % ", ".join(listed)
    return {
        "kind": "type", "name": node.name, "signature": shown, "line": node.lineno,
        "public": public(node.name), "bases": bases, "members": symbols(node.body, "method", depth + 1),
    }


def symbols(body, kind, depth=0):
    found = []
    if depth > 8:
        return found
    for node in body:
        if isinstance(node, ast.ClassDef):
            found.append(klass(node, depth))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(function(node, kind))
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for inner in getattr(node, part, []):
                    nested = inner.body if isinstance(inner, ast.ExceptHandler) else [inner]
                    found.extend(symbols(nested, kind, depth + 1))
    return found


def outline(encoded):
    try:
        tree = ast.parse(binascii.a2b_base64(encoded))
    except SyntaxError as err:
        return {"syntax_error": err.lineno or 1}
    except ValueError:
        return {"syntax_error": 1}
    except (RecursionError, MemoryError):
        return {"too_much": True}
    return {"symbols": symbols(tree.body, "function")}


def main(sources):
    warnings.simplefilter("ignore")
    json.dump([outline(s) for s in sources], sys.stdout)
