import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { callOf, editsOf } from "../../src/session/evidence/Edits.ts"
import { fileEdits, shellCommand, toolKind } from "../../src/session/transcript/ToolKinds.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { call } from "../support/events.ts"
import { pairs } from "../support/rows.ts"
import { session, table } from "../support/sessions.ts"

describe("toolKind", () => {
  it.each(pairs`
    Bash :: shell ¦ bash :: shell ¦ shell :: shell ¦ exec_command :: shell ¦ local_shell :: shell ¦ run_shell_command :: shell ¦ run_terminal_cmd :: shell
    execute_bash :: shell ¦ container.exec :: shell ¦ functions.shell :: shell ¦ PowerShell :: shell ¦ Edit :: edit ¦ MultiEdit :: edit ¦ NotebookEdit :: edit
    apply_patch :: edit ¦ functions.apply_patch :: edit ¦ str_replace_based_edit_tool :: edit ¦ write_file :: edit ¦ Read :: read ¦ Grep :: search
    WebFetch :: fetch ¦ Task :: agent ¦ TodoWrite :: todo ¦ update_plan :: todo ¦ AskUserQuestion :: question ¦ ExitPlanMode :: plan
    mcp__github__create_pull_request :: pull_request ¦ mcp__evil__bash :: other ¦ mcp__evil__edit :: other ¦ BashOutput :: other ¦ KillShell :: other
    mcp__reflexion__judge :: read ¦ reflexion_recall :: read ¦ reflexion-judge :: read ¦ mcp_reflexion_judge :: read ¦ mcp__reflexion__bash :: other ¦ mcp__evil_reflexion__judge :: other
    constructor :: other ¦ __proto__ :: other
  `)("%j: %s", (tool, kind) => {
    assert.strictEqual(toolKind(tool), kind)
  })
})

describe("shellCommand", () => {
  it.each(
    table(String.raw`
    {"command":"npm test"} :: npm test ¦ {"cmd":"npm test"} :: npm test ¦ {"script":"npm test"} :: npm test ¦ "npm test" :: npm test
    {"command":["npm","test"]} :: npm test ¦ {"command":["bash","-lc","npm test && echo ok"]} :: npm test && echo ok
    {"command":["/bin/zsh","-c","npm test"]} :: npm test ¦ {"command":["echo","a b","it's"]} :: echo 'a b' 'it'\''s'
    {"argv":["go","test","./..."]} :: go test ./... ¦ {"path":"a"} :: null ¦ null :: null ¦ 42 :: null ¦ [] :: null
  `)
  )("%s: %s", (input = "", command) => {
    assert.strictEqual(String(shellCommand(call("bash", JSON.parse(input)))), command)
  })
})

const patch = `*** Begin Patch
*** Update File: src/a.ts
@@
-const a = 1
+const a = 2
*** Add File: src/new.ts
+export {}
*** Update File: src/old.ts
*** Move to: src/moved.ts
*** Delete File: src/gone.ts
*** End Patch`

const unified = `--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1 @@
-// one
+// two
--- a/src/gone.ts
+++ /dev/null`

const texts = (tool: string, input: unknown) => fileEdits(call(tool, input)).map(({ after, before }) => [before, after])

describe("fileEdits", () => {
  it.each([
    ["Edit", { file_path: "a.ts", old_string: "x", new_string: "y" }, ["a.ts"]],
    ["edit", { filePath: "a.ts", oldString: "x", newString: "y" }, ["a.ts"]],
    ["str_replace_based_edit_tool", { command: "str_replace", path: "a.ts", old_str: "x", new_str: "y" }, ["a.ts"]],
    ["Write", { file_path: "a.ts", content: "x" }, ["a.ts"]],
    ["NotebookEdit", { notebook_path: "a.ipynb", new_source: "x" }, ["a.ipynb"]],
    ["edit_file", { target_file: "a.ts", code_edit: "x" }, ["a.ts"]],
    ["apply_patch", { input: patch }, ["src/a.ts", "src/new.ts", "src/old.ts", "src/moved.ts", "src/gone.ts"]],
    ["apply_patch", patch, ["src/a.ts", "src/new.ts", "src/old.ts", "src/moved.ts", "src/gone.ts"]],
    ["apply_patch", { patchText: unified }, ["src/a.ts"]],
    ["file_change", { changes: { "a.ts": {}, "b.ts": {} } }, ["a.ts", "b.ts"]],
    ["str_replace_editor", { command: "view", path: "a.ts" }, []],
    ["str_replace_editor", { command: "create", path: "a.ts" }, ["a.ts"]],
    ["edit", {}, []],
    ["edit", null, []],
    ["edit", { file_path: 3 }, []]
  ])("%s %j", (tool, input, paths) => {
    assert.deepStrictEqual(
      fileEdits(call(tool, input)).map((edit) => edit.path),
      paths
    )
  })

  it("gives the texts before and after where the host has them", () => {
    const one = { file_path: "a.ts", old_string: "x", new_string: "y" }
    assert.deepStrictEqual(texts("Edit", one), [["x", "y"]])
    assert.deepStrictEqual(texts("Write", { file_path: "a.ts", content: "y" }), [[null, null]])
    const two = { file_path: "a.ts", edits: [one, { old_string: "c", new_string: "d" }] }
    assert.deepStrictEqual(texts("MultiEdit", two), [["x\nc", "y\nd"]])
    assert.deepStrictEqual(texts("apply_patch", { patchText: unified })[0], ["// one", "// two"])
    assert.deepStrictEqual(texts("apply_patch", patch)[1], [null, null])
  })
})

describe("editsOf", () => {
  const context = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }

  it.each(
    table(String.raw`
    edit /repo/src/a.ts: x = 1 ==> x = 2 :: /repo/src/a.ts source
    edit /repo/src/a.ts: // x ==> // y :: /repo/src/a.ts wording
    edit /repo/src/a.ts: <<<<<<< a\nx ==> x :: /repo/src/a.ts conflict
    call apply_patch {"patchText":"--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-// one\n+// two"} :: src/a.ts wording
    edit! /repo/src/a.ts ::
    call Read {"file_path":"/repo/src/a.ts"} ::
    $ sed -i s/a/b/ src/a.ts :: src/a.ts source
    $1 echo x > src/a.ts :: src/a.ts source
    $ cat > /tmp/a.ts <<EOF\nx\nEOF :: /tmp/a.ts outside
    $ cat src/a.ts ::
    $ exit 0; sed -i s/a/b/ src/a.ts ::
    $ echo 'sed -i s/a/b/ src/a.ts' ::
  `)
  )("%s: %s", (line = "", expected) => {
    const edits = session(line).flatMap((made) => (made.type === "tool_call" ? editsOf(made, 1, context) : []))
    assert.strictEqual(edits.map(({ kind, path }) => `${path} ${kind}`).join(), expected)
  })

  it("is total on whatever a host puts into an input", () => {
    const tool = fc.constantFrom("Bash", "Edit", "apply_patch", "MultiEdit", "shell")
    const key = fc.constantFrom("command", "file_path", "edits", "changes", "patch", "input", "old_string")
    const input = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue()))
    fc.assert(
      fc.property(tool, input, (name, value) => {
        const edits = editsOf(call(name, value), 7, context)
        // If a call has several commands, an earlier one has an order just below the call's.
        assert.isTrue(edits.every((edit) => callOf(edit.order) === 7 && edit.path.length <= 400))
      }),
      { examples: [["Bash", "`>$"]] }
    )
  })
})
