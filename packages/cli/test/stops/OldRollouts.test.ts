import { describe, it } from "@effect/vitest"
import { judged, type Stop } from "./judged.ts"

type Line = Readonly<Record<string, unknown>>

type Written = NonNullable<Stop["record"]>

/** Records as Codex wrote them before October 2025: items of the model without a line around them. */
const head: Line = {
  id: "0198c1d2-0000-7000-8000-00000000c0de",
  timestamp: "2025-08-20T08:00:00.000Z",
  instructions: null
}

const state: Line = { record_type: "state" }

const message = (role: "user" | "assistant", text: string): Line => ({
  type: "message",
  id: null,
  role,
  content: [{ type: role === "user" ? "input_text" : "output_text", text }]
})

const shell = (id: string, command: ReadonlyArray<string>, exitCode: number, output: string): ReadonlyArray<Line> => [
  { type: "reasoning", id: `rs_${id}`, summary: [], content: null, encrypted_content: "x" },
  { type: "function_call", id: `fc_${id}`, name: "shell", arguments: JSON.stringify({ command }), call_id: id },
  {
    type: "function_call_output",
    call_id: id,
    output: JSON.stringify({ output, metadata: { exit_code: exitCode, duration_seconds: 0.4 } })
  }
]

const patch = "*** Begin Patch\n*** Update File: src/total.js\n@@\n-const a = 1\n+const a = 2\n*** End Patch"

const patched = (id: string) =>
  shell(id, ["apply_patch", patch], 0, "Success. Updated the following files:\nM src/total.js\n")

const longPatch = (id: string) =>
  shell(
    id,
    ["apply_patch", patch.replace("+const a = 2", `+// ${"long ".repeat(2000)}\n*** Add File: src/second.js\n+1`)],
    0,
    "Success. Updated the following files:\nM src/total.js\nA src/second.js\n"
  )

const task = "Round the total to cents and make sure the tests pass."

const tests = (id: string, exitCode: number, output: string) => shell(id, ["bash", "-lc", "npm test"], exitCode, output)

const lines =
  (...values: ReadonlyArray<Line>): Written =>
  () =>
    values.map((value) => `${JSON.stringify(value)}\n`).join("")

const place =
  (text: (cwd: string) => string, ...values: ReadonlyArray<Line>): Written =>
  (cwd) =>
    [head, message("user", text(cwd)), ...values].map((value) => `${JSON.stringify(value)}\n`).join("")

const green = "Test Files  2 passed (2)\n     Tests  9 passed (9)\n"
const red = "Test Files  1 failed | 1 passed (2)\n     Tests  1 failed | 8 passed (9)\n"

const passed = { status: "complete", nudge: false, gates: { tests: "passed" } } as const
const failed = { status: "incomplete", nudge: true, gates: { tests: "failed" }, contradicted: true } as const

const done = message("assistant", "The total is rounded to cents, and all tests pass.")

const stops: ReadonlyArray<Stop> = [
  {
    name: "passed",
    record: lines(head, state, message("user", task), state, ...patched("c1"), state, ...tests("c2", 0, green), done),
    wanted: passed
  },
  {
    name: "failed-and-called-passed",
    record: lines(head, state, message("user", task), ...patched("c1"), ...tests("c2", 1, red), done),
    wanted: failed
  },
  {
    name: "edited-after-the-run",
    record: lines(head, message("user", task), ...patched("c1"), ...tests("c2", 0, green), ...longPatch("c3"), done),
    wanted: { status: "incomplete", gates: { tests: "stale" } }
  },
  {
    name: "with-git-in-the-head-and-the-directory-in-tags",
    record: (cwd) =>
      [
        { id: head["id"], timestamp: head["timestamp"], instructions: "Be brief.", git: { branch: "main" } },
        message("user", "<user_instructions>\n\nRun nothing.\n\n</user_instructions>"),
        message("user", `<environment_context>\n  <cwd>${cwd}</cwd>\n  <shell>zsh</shell>\n</environment_context>`),
        message("user", task),
        ...patched("c1"),
        ...tests("c2", 1, red),
        done
      ]
        .map((value) => `${JSON.stringify(value)}\n`)
        .join(""),
    wanted: failed
  },
  {
    name: "with-the-directory-in-words",
    record: place(
      (cwd) =>
        `<environment_context>\nCurrent working directory: ${cwd}\nApproval policy: never\n</environment_context>`,
      message("user", task),
      ...patched("c1"),
      ...tests("c2", 0, green),
      done
    ),
    wanted: passed
  },
  {
    name: "second-task",
    record: lines(
      head,
      message("user", task),
      ...patched("c1"),
      ...tests("c2", 1, red),
      message("assistant", "One test still fails."),
      message("user", "Fix that one, too, and make sure the tests pass."),
      ...patched("c3"),
      ...tests("c4", 0, green),
      done
    ),
    wanted: passed
  }
]

describe("rollouts of before October 2025", () => {
  it.effect("are read as newer ones are", judged(stops))
})
