import { assert, describe, it } from "@effect/vitest"
import { fileKind, onlyWording, resolvesConflict } from "../../src/base/system/Paths.ts"
import { pairs } from "../support/rows.ts"
import * as KeyHash from "../../src/base/system/KeyHash.ts"

describe("fileKind", () => {
  it.each(pairs`
    source :: src/a.ts a.py src/latest.ts src/contest.py contest/a.py src/attest.go scripts/build.ts C:\\repo\\src\\a.ts src/testing.ts
    source :: src/testutils.go a.unknownext src/a.d.ts index.html a.snap a.ipynb src/main/java/TestRunner.java
    test :: src/a.test.ts src/a.spec.tsx test/a.ts tests/unit/a.py test_a.py pkg/a_test.go src/__tests__/a.js AppTests.swift FooTest.java
    test :: C:\\repo\\tests\\a.ts spec/models/user_spec.rb user_spec.rb fixtures/a.ts src/test/java/A.java
    docs :: README.md docs/a.md LICENSE CHANGELOG requirements.txt CMakeLists.txt logo.png test/README.md
    config :: package.json tsconfig.json .github/workflows/ci.yml Makefile Dockerfile .eslintrc noext bin/tool go.mod Cargo.lock poetry.lock
    config :: Jenkinsfile .env tests/data/x.json /
    script :: deploy.sh
    outside :: /tmp/x.ts /private/tmp/a.py /dev/null node_modules/x/a.js /home/me/.claude/plans/a.md /Users/me/.claude/CLAUDE.md
  `)("is %s: %s", (kind, paths) => {
    for (const path of paths.split(" ")) assert.strictEqual(fileKind(path), kind, path)
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
  ])("%j in %j: %s", (path, cwd, kind) => assert.strictEqual(fileKind(path, cwd), kind))
})

describe("onlyWording", () => {
  it.each(pairs`
    // a :: // b
    x = 1 # old :: x = 1 # new
    log("hello world") :: log("hello there")
    return a; :: return a; // why
    /* a */ :: /* b */
    the old text of it :: the new text of it
    Save changes :: Store changes
    Save all :: Keep all
    """doc""" :: """other doc"""
    \  foo() :: \    foo()
    -- old :: -- new
    a\n\n\nb :: a\nb
    \ * old :: \ * new
    \`a \${x} b\` :: \`c \${x} d\`
    url = x // y :: url = x // z
  `)("%j → %j changes words only", (before, after) => assert.isTrue(onlyWording(before, after)))

  it.each(pairs`
    const a = 1 :: const a = 2 ¦ log("hello") :: log("bye") ¦ a :: a ¦ const a = 1 :: ¦ if (a) { :: if (b) { ¦ a - b :: a + b
    return a :: return b ¦ import a from 'x' :: import a from 'y' ¦ #define A 1 :: #define A 2 ¦ #include <a> :: #include <b>
    x --y :: x --z ¦ return not a :: return a ¦ let x :: var x ¦ else return a :: else return b ¦ await foo :: await bar
    a and b :: a or b ¦ const url = 'https://a' :: const url = 'https://b' ¦ \`select * from a\` :: \`select * from b\`
    *p = 1 :: *p = 2 ¦ #[derive(A)] :: #[derive(B)] ¦ \`a \${x} b\` :: \`a \${y} b\` ¦ #ifdef A :: #ifdef B ¦ #else :: #endif
    class Foo extends Bar :: class Foo extends Baz ¦ yield x :: yield y ¦ DROP TABLE a :: DROP TABLE b ¦ sleep 5 :: sleep 10
  `)("%j → %j changes code, or may change it", (before, after) => {
    assert.isFalse(onlyWording(before, after))
    assert.isFalse(onlyWording(after, before))
    assert.isFalse(onlyWording(before, null))
    assert.isFalse(onlyWording(null, after))
  })
})

it("resolvesConflict: true for text with git's conflict marks", () => {
  for (const marked of ["<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main", "a\n=======\nb", ">>>>>>> main"])
    assert.isTrue(resolvesConflict(marked), marked)
  for (const plain of ["Title\n=====\ntext", "a = b", null]) assert.isFalse(resolvesConflict(plain))
})

it("KeyHash.ofText keeps its values, because names and files are built from them", () => {
  assert.deepStrictEqual(["", "shop/cart", "naïve ✓"].map(KeyHash.ofText), [2872998923, 1652336425, 2989293021])
})
