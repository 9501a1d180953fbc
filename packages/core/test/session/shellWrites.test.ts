import { assert, describe, it } from "@effect/vitest"
import { optionalWriters, writingPrograms } from "../../src/session/shell/writes.ts"
import * as ShellCommand from "../../src/session/shell/ShellCommand.ts"

/** What each program is asked to write `a.ts` with. */
const asked = (name: string): string => {
  switch (name) {
    case "apply_patch":
    case "applypatch":
      return `${name} <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\nEOF`
    case "dd":
      return "dd if=b.ts of=a.ts"
    case "sd":
      return "sd x y a.ts"
    case "sed":
    case "gsed":
      return `${name} -i s/x/y/ a.ts`
    case "yq":
    case "jq":
      return `${name} -i .x a.ts`
    case "awk":
    case "gawk":
      return `${name} -i inplace '{ print }' a.ts`
    case "perl":
    case "ruby":
      return `${name} -i -pe s/x/y/ a.ts`
    case "wget":
      return "wget -O a.ts https://example.com"
    case "curl":
    case "http":
    case "xh":
    case "sort":
      return `${name} -o a.ts b.ts`
    default:
      return writingPrograms.includes(name) ? `${name} a.ts` : name
  }
}

/** Downloads read first of all, and are no edits by class. */
const reads = new Set(["curl", "wget"])

const writes = (command: string) => ShellCommand.analyze(command).commands.flatMap((one) => one.writes)

describe("shellWrites", () => {
  it("makes a write of every program that has a writer", () => {
    for (const name of [...writingPrograms, ...optionalWriters]) {
      const [command] = ShellCommand.analyze(asked(name)).commands
      assert.include(command?.writes ?? [], "a.ts", name)
      if (!reads.has(name)) assert.deepStrictEqual(command?.classes, ["write"], name)
    }
  })

  it("takes no program for a write that was asked to write nothing", () => {
    for (const name of optionalWriters) {
      const [command] = ShellCommand.analyze(`${name} a.ts`).commands
      assert.deepStrictEqual(command?.writes, [], name)
      assert.notInclude(command?.classes ?? [], "write", name)
    }
  })

  it("reads the files that a patch changes", () => {
    const patch =
      "*** Begin Patch\n*** Add File: b.ts\n+x\n*** Update File: src/c.ts\n*** Move to: src/d.ts\n*** End Patch"
    for (const command of [
      `apply_patch <<'EOF'\n${patch}\nEOF`,
      `apply_patch "${patch}"`,
      `bash -lc "apply_patch <<'EOF'\n${patch}\nEOF"`,
      `cat <<'EOF' | apply_patch\n${patch}\nEOF`
    ]) {
      assert.deepStrictEqual(writes(command), ["b.ts", "src/c.ts", "src/d.ts"], command)
    }
    assert.deepStrictEqual(writes(`cd web && apply_patch <<'EOF'\n${patch}\nEOF`), [
      "web/b.ts",
      "web/src/c.ts",
      "web/src/d.ts"
    ])
    assert.deepStrictEqual(writes("patch -p1 <<'EOF'\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\nEOF"), ["x.ts"])
    assert.deepStrictEqual(writes("apply_patch < fix.patch"), ["*"])
    assert.deepStrictEqual(writes("patch -p1 < fix.patch"), ["*"])
  })
})
