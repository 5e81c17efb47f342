#!/usr/bin/env python3
"""Checks which rooms use which: arrows.py [ROOT] [--graph].

A folder of core, registry and tools is a room. A room may use the rooms of its list (MAY), and no two rooms use each
other, by whatever way. An include and a forward declaration of another room's class are uses. Tests, examples and
fuzzers may use everything. Further rules: headers of the system and switches over the layouts of arrays are where the
lists of this directory say; a file that a comment names exists; each directory says what lives in it.
--graph prints the rooms in layers, the lowest first.
"""
import os
import re
import sys
from collections import defaultdict

# The rooms that a room, or a group of rooms, may use beside itself. Each room of a group is one of its own.
MAY = {
    "sdk": [],
    "base": ["sdk"],
    "model": ["sdk", "base"],
    "door": ["sdk"],  # host.h and polycodec.hpp
    "core": ["sdk", "base", "model", "door", "core"],
    "registry": ["sdk", "base", "model", "door", "core", "registry"],
    "tools/kit": ["sdk", "door", "registry/sandbox", "registry/wasm"],  # the confinement and what opens modules alone
    "tools/fastbin": ["sdk", "door", "tools", "plugins/fastbin"],  # fastbin's program, and its plugin
    "tools": ["sdk", "door", "tools"],  # the command, and the programs beside it: installed headers
    "bindings": ["sdk", "door"],
    "plugins": ["sdk", "base", "model"],  # and nothing of another plugin
}
# Where the installed doors are, and what is not a room of its own.
DOOR = re.compile(r"sdk/include/polycodec/(host\.h|polycodec\.hpp|host/)")

# Rooms whose files may include headers of the operating system: memory and threads, files, processes.
SYSTEM = re.compile(r"(sys|linux|asm|netinet|arpa)/.+|(unistd|fcntl|pthread|dlfcn|link|elf|signal|sched|poll|spawn|pwd"
                    r"|termios|semaphore|malloc|grp|dirent)\.h|csignal")
MAY_SYSTEM = ["core/call/", "core/io/", "core/store/", "registry/load/", "registry/isolation/", "registry/sandbox/",
              "registry/wasm/",
              "tools/", "bindings/", "sdk/template/",
              "registry/library/directory.cpp",  # where the library lies
              "sdk/base/fresh_pages.cpp",  # memory that is touched ahead
              "sdk/base/stack.cpp",  # how much stack a thread has
              "sdk/base/loaded_constants.hpp",  # where a plugin lies in memory
              "sdk/base/cpu.hpp"]  # what the processor can do

SOURCES = (".h", ".hpp", ".c", ".cpp")
NAMED = re.compile(r"(?<![\w<./*{}-])((?:[\w+-]+/)*[\w-]+(?:\.\w+)?\.(?:h|hpp|c|cpp|py|cmake|md|in))\b(?![\w(*])")


def room_of(file):
    """The room of a file, relative to the root, or None."""
    parts = file.split("/")
    if parts[0] == "sdk":
        if DOOR.match(file):
            return "door"
        if file == "sdk/src/mesh.cpp":
            return "model"  # a thin layer over model
        if parts[1] == "include":
            return "sdk"
        if parts[1] == "src":
            return "base"  # the library of sdk/include uses headers of base
        return parts[1] if parts[1] in ("base", "model") else None
    if parts[0] in ("core", "registry", "tools", "plugins") and len(parts) > 2:
        return "/".join(parts[:2])
    return "bindings" if parts[0] == "bindings" else None


def may_use(user, used):
    groups = MAY.get(user) or MAY[user.split("/")[0]]
    return used == user or used in groups or used.split("/")[0] in groups


def sources(root):
    found = []
    for top in ("sdk", "core", "registry", "plugins", "tools", "bindings/python/src", "bindings/duckdb/src"):
        for directory, names, files in os.walk(os.path.join(root, top)):
            names.sort()
            for name in sorted(files):
                if name.endswith(SOURCES):
                    found.append(os.path.relpath(os.path.join(directory, name), root))
    return found


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = sources(root)
        self.lines = {}
        for file in self.files:
            with open(os.path.join(root, file), encoding="utf-8", errors="replace") as text:
                self.lines[file] = text.read().split("\n")
        self.includes = {file: list(self.includes_of(file)) for file in self.files}

    def target(self, file, name, quoted):
        """The file of the tree that an include means: where the compiler may find it, nearest first."""
        directory = os.path.dirname(file)
        roots = [directory] if quoted else []
        if file.startswith("plugins/"):
            roots.append("/".join(file.split("/")[:2]))
        roots += ["sdk/include", "sdk", "", "plugins", "tools/kit/include", "tools"]
        for root in roots:
            path = os.path.normpath(os.path.join(root, name))
            if path in self.lines:
                return path
        return None

    def includes_of(self, file):
        """(line, name, file of the tree or None) of each include."""
        for number, line in enumerate(self.lines[file], 1):
            if found := re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line):
                yield number, found[2], self.target(file, found[2], found[1] == '"')

    def uses(self):
        """Yields (file, line, file that is used) of includes and forward declarations."""
        defined = defaultdict(set)
        for file, lines in self.lines.items():
            if file.endswith((".h", ".hpp")) and room_of(file):
                for line in lines:
                    if found := re.match(r"(?:class|struct) (?:POLYCODEC_\w+ )?(\w+)(?: final)?(?: :|(?: \{|$))", line):
                        defined[found[1]].add(file)
        for file, lines in self.lines.items():
            for number, _, target in self.includes[file]:
                if target:
                    yield file, number, target
            for number, line in enumerate(lines, 1):
                if found := re.match(r"(?:class|struct) (\w+);", line):
                    owners = defined[found[1]]
                    rooms = {room_of(owner) for owner in owners}
                    if len(rooms) == 1 and room_of(file) not in rooms:
                        yield file, number, min(owners)


def layers(edges):
    """The rooms by their layer, and a circle as a list of rooms (empty: there is none)."""
    depth, way = {}, []

    def visit(room):
        if room in depth:
            return []
        if room in way:
            return way[way.index(room):] + [room]
        way.append(room)
        for below in sorted(edges[room]):
            if circle := visit(below):
                return circle
        way.pop()
        depth[room] = 1 + max((depth[below] for below in edges[room]), default=-1)
        return []

    for room in sorted(edges):
        if circle := visit(room):
            return depth, circle
    return depth, []


def comments(lines):
    """(number, text) of the comments of a source."""
    inside = False
    for number, line in enumerate(lines, 1):
        if inside:
            yield number, line
            inside = "*/" not in line
        elif found := re.search(r"(?:^|\s)//(.*)", line):
            yield number, found[1]
        elif (at := line.find("/*")) >= 0 and '"' not in line[:at]:
            yield number, line[at:]
            inside = "*/" not in line


def stale_names(tree):
    """Files that comments name and that do not exist."""
    known = set()  # each file, and each end of its path
    skipped = {".git", "build", "node_modules", "target", "__pycache__"}
    for directory, names, files in os.walk(tree.root):
        names[:] = [n for n in names if n not in skipped]
        for name in files:
            parts = os.path.relpath(os.path.join(directory, name), tree.root).split("/")
            known.update("/".join(parts[at:]) for at in range(len(parts)))
    for file, lines in tree.lines.items():
        for number, text in comments(lines):
            for name in NAMED.findall(re.sub(r"<(?!polycodec/)[^>]*>|https?://\S+|'[^']*'|\"[^\"]*\"", " ", text)):
                if name not in known and name not in GENERATED:
                    yield f"{file}:{number}: a comment names {name}, which does not exist"


def listed(path):
    """The entries of a list: one a line, with the reason after them."""
    with open(path, encoding="utf-8") as text:
        return [line.split()[0] for line in text if line.strip() and not line.startswith("#")]


def undescribed(tree):
    """Directories that say nowhere what lives in them: README.md, the first line of CMakeLists.txt, or a comment
    above their first source in the list of a directory over them."""
    def read(*path):
        path = os.path.join(tree.root, *path)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as text:
            return text.read()

    for directory in sorted({os.path.dirname(file) for file in tree.files}):
        if re.search(r"/include(/|$)|^sdk/template|^bindings/", directory) or read(directory, "README.md"):
            continue
        said = read(directory, "CMakeLists.txt").startswith("#")
        parts = directory.split("/")
        for at in range(1, len(parts)):
            said |= bool(re.search(r"# [^\n]*\n[^\n]*[ (]" + "/".join(parts[at:]) + "/",
                                   read(*parts[:at], "CMakeLists.txt")))
        if not said:
            yield f"{directory}/: no line says what lives here"


# Tables whose keys come from data have a hash that data cannot foresee (sdk/base/seeded_hash.hpp). Pointers do not come from data.
PLAIN_TABLE = re.compile(r"std::unordered_(?:map|set)<\s*(?!const )(?:std::)?(?:string|u?int\d|pair|tuple|array|vector)"
                         r"[^;{]*(?<!Hash)>\s*[&\w]")
HASHING = ("core/", "registry/", "plugins/", "sdk/base/", "sdk/model/", "sdk/src/")


def plain_tables(tree):
    """Hash tables of names or numbers with a hash that anyone can compute."""
    for file in tree.files:
        if file.startswith(HASHING):
            for number, line in enumerate(tree.lines[file], 1):
                if PLAIN_TABLE.search(line):
                    yield f"{file}:{number}: data can be made whose keys collide here: use SeededMap or SeededSet"


# Files that are not in the tree: a generator writes them.
GENERATED = ("fastbin_runtime.hpp", "NAME.hpp")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--graph"]
    tree = Tree(os.path.abspath(arguments[0] if arguments else os.path.join(os.path.dirname(__file__), "../..")))
    wrong, count = [], 0
    edges, ways = defaultdict(set), {}
    for file, number, target in tree.uses():
        user, used = room_of(file), room_of(target)
        if not user or not used:
            continue  # templates
        count += 1
        if not may_use(user, used):
            wrong.append(f"{file}:{number}: {user} may not use {used} ({target})")
        if user != used:
            edges[user].add(used)
            edges[used]
            ways.setdefault((user, used), f"{file}:{number} -> {target}")
    depth, circle = layers(edges)
    if circle:
        wrong.append("rooms use each other in a circle: " + " -> ".join(circle) + "".join(
            "\n    " + ways[pair] for pair in zip(circle, circle[1:])))
    for file in tree.files:
        for number, name, target in tree.includes[file]:
            if not target and SYSTEM.fullmatch(name) and not file.startswith(tuple(MAY_SYSTEM)):
                wrong.append(f"{file}:{number}: <{name}> belongs in " + ", ".join(MAY_SYSTEM[:6]))
    allowed = listed(os.path.join(tree.root, "tests/house/layout_switches.txt"))
    switches = [f for f in tree.files if any("case POLYCODEC_LAYOUT_" in line for line in tree.lines[f])]
    wrong += [f"{f}: switches over the layouts of arrays: use a table or walk of tests/house/layout_switches.txt"
              for f in switches if f not in allowed]
    wrong += [f"{f}: has no switch over layouts: take it off tests/house/layout_switches.txt"
              for f in allowed if f not in switches]
    wrong += plain_tables(tree)
    wrong += stale_names(tree)
    wrong += undescribed(tree)
    if "--graph" in sys.argv:
        for layer in range(max(depth.values(), default=-1) + 1):
            print(f"{layer}:")
            for room in sorted(r for r in depth if depth[r] == layer and not r.startswith("plugins/")):
                print(f"   {room:20} " + " ".join(sorted(edges[room])))
    if wrong:
        sys.exit("these break the rules of the house (CONTRIBUTING.md):\n  " + "\n  ".join(wrong))
    print(f"{count} uses, and all of them run down")


if __name__ == "__main__":
    main()
