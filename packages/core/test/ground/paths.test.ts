import { assert, describe, it } from "@effect/vitest"
import { fileKind, onlyWording, resolvesConflict } from "../../src/ground/system/Paths.ts"

describe("fileKind", () => {
  it.each([
    ["src/a.ts", "source"],
    ["a.py", "source"],
    ["src/a.test.ts", "test"],
    ["src/a.spec.tsx", "test"],
    ["test/a.ts", "test"],
    ["tests/unit/a.py", "test"],
    ["test_a.py", "test"],
    ["pkg/a_test.go", "test"],
    ["src/__tests__/a.js", "test"],
    ["AppTests.swift", "test"],
    ["FooTest.java", "test"],
    ["src/latest.ts", "source"],
    ["src/contest.py", "source"],
    ["contest/a.py", "source"],
    ["src/attest.go", "source"],
    ["README.md", "docs"],
    ["docs/a.md", "docs"],
    ["LICENSE", "docs"],
    ["CHANGELOG", "docs"],
    ["package.json", "config"],
    ["tsconfig.json", "config"],
    [".github/workflows/ci.yml", "config"],
    ["Makefile", "config"],
    ["Dockerfile", "config"],
    [".eslintrc", "config"],
    ["deploy.sh", "script"],
    ["scripts/build.ts", "source"],
    ["/tmp/x.ts", "outside"],
    ["/private/tmp/a.py", "outside"],
    ["/dev/null", "outside"],
    ["node_modules/x/a.js", "outside"],
    ["/home/me/.claude/plans/a.md", "outside"],
    ["/Users/me/.claude/CLAUDE.md", "outside"],
    ["C:\\repo\\src\\a.ts", "source"],
    ["C:\\repo\\tests\\a.ts", "test"],
    ["src/testing.ts", "source"],
    ["src/testutils.go", "source"],
    ["a.unknownext", "source"],
    ["noext", "config"],
    ["bin/tool", "config"],
    ["spec/models/user_spec.rb", "test"],
    ["user_spec.rb", "test"],
    ["src/a.d.ts", "source"],
    ["requirements.txt", "docs"],
    ["index.html", "source"],
    ["a.snap", "source"],
    ["CMakeLists.txt", "docs"],
    ["go.mod", "config"],
    ["Cargo.lock", "config"],
    ["poetry.lock", "config"],
    ["Jenkinsfile", "config"],
    [".env", "config"],
    ["a.ipynb", "source"],
    ["tests/data/x.json", "config"],
    ["fixtures/a.ts", "test"],
    ["logo.png", "docs"],
    ["test/README.md", "docs"],
    ["src/test/java/A.java", "test"],
    ["src/main/java/TestRunner.java", "source"],
    ["", "config"],
    ["/", "config"]
  ] as const)("%j: %s", (path, kind) => {
    assert.strictEqual(fileKind(path), kind)
  })

  it.each([
    ["/tmp/clone/repo/src/a.ts", "/tmp/clone/repo", "source"],
    ["/tmp/other/a.ts", "/tmp/clone/repo", "outside"],
    ["/tmp/clone/repo2/a.ts", "/tmp/clone/repo", "outside"],
    ["/repo/src/a.ts", "/repo", "source"],
    ["/other/src/a.ts", "/repo", "source"],
    ["/repo/.git/config", "/repo", "outside"],
    ["/home/me/tests/app/src/a.ts", "/home/me/tests/app", "source"],
    ["/home/me/tests/app/src/a.ts", null, "test"]
  ] as const)("%j in %j: %s", (path, cwd, kind) => {
    assert.strictEqual(fileKind(path, cwd), kind)
  })
})

describe("onlyWording", () => {
  it.each([
    ["// a", "// b"],
    ["x = 1 # old", "x = 1 # new"],
    ['log("hello world")', 'log("hello there")'],
    ["return a;", "return a; // why"],
    ["/* a */", "/* b */"],
    ["the old text of it", "the new text of it"],
    ["Save changes", "Store changes"],
    ["Save all", "Keep all"],
    ['"""doc"""', '"""other doc"""'],
    ["  foo()", "    foo()"],
    ["-- old", "-- new"],
    ["a\n\n\nb", "a\nb"],
    [" * old", " * new"],
    ["`a ${x} b`", "`c ${x} d`"],
    ["url = x // y", "url = x // z"]
  ])("%j → %j changes words only", (before, after) => {
    assert.isTrue(onlyWording(before, after))
  })

  it.each([
    ["const a = 1", "const a = 2"],
    ['log("hello")', 'log("bye")'],
    ["a", null],
    [null, "a"],
    ["a", "a"],
    ["", "const a = 1"],
    ["const a = 1", ""],
    ["if (a) {", "if (b) {"],
    ["a - b", "a + b"],
    ["return a", "return b"],
    ["import a from 'x'", "import a from 'y'"],
    ["#define A 1", "#define A 2"],
    ["#include <a>", "#include <b>"],
    ["x --y", "x --z"],
    ["return not a", "return a"],
    ["let x", "var x"],
    ["else return a", "else return b"],
    ["await foo", "await bar"],
    ["a and b", "a or b"],
    ["const url = 'https://a'", "const url = 'https://b'"],
    ["`select * from a`", "`select * from b`"],
    ["*p = 1", "*p = 2"],
    ["#[derive(A)]", "#[derive(B)]"],
    ["`a ${x} b`", "`a ${y} b`"],
    ["#ifdef A", "#ifdef B"],
    ["#else", "#endif"],
    ["class Foo extends Bar", "class Foo extends Baz"],
    ["yield x", "yield y"],
    ["DROP TABLE a", "DROP TABLE b"],
    ["sleep 5", "sleep 10"]
  ])("%j → %j changes code, or cannot be told", (before, after) => {
    assert.isFalse(onlyWording(before, after))
  })
})

describe("resolvesConflict", () => {
  it.each([
    ["<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main", true],
    ["a\n=======\nb", true],
    [">>>>>>> main", true],
    ["Title\n=====\ntext", false],
    ["a = b", false],
    [null, false]
  ])("%j: %s", (before, conflict) => {
    assert.strictEqual(resolvesConflict(before), conflict)
  })
})
