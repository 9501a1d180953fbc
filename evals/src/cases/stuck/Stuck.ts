import { agent, edit, harness, notice, read, run, shell, todos, tool, user } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const stuck: StuckExpectation = { reason: "genuinely_stuck", nudge: true }

const missing = run("npm run build", 1, "Error: Cannot find module 'terser'\n")

/** Nothing will happen any more unless somebody says a word. */
export const stuckSessions: ReadonlyArray<StuckCase> = [
  {
    id: "stuck/mid-sentence",
    why: "The stream broke off in the middle of a sentence, and the host says so.",
    events: [
      user("Refactor the auth module to use async functions."),
      read("src/auth.ts"),
      agent("I'll start with the `login` function. It currently uses callbacks, so I need to convert", {
        completed: false,
        outputTokens: 150
      })
    ],
    expect: stuck
  },
  {
    id: "stuck/zero-output",
    why: "Ten minutes without a single word or call.",
    silence: 600,
    events: [user("Add a dark mode toggle to the settings page.")],
    expect: stuck
  },
  {
    id: "stuck/zero-output-begun",
    why: "The host began an answer over a minute ago, and not a token of it has come.",
    silence: 90,
    events: [user("Add a dark mode toggle to the settings page."), agent("", { completed: false, outputTokens: 0 })],
    expect: stuck
  },
  {
    id: "stuck/zero-output-after-a-result",
    why: "The result came ten minutes ago and nothing was made of it.",
    silence: 600,
    events: [
      user("Add a dark mode toggle to the settings page."),
      agent("I'll look at the settings page first.", { completed: null }),
      read("src/Settings.tsx")
    ],
    expect: stuck
  },
  {
    id: "stuck/empty-answer",
    why: "The answer came, and it is empty.",
    silence: 120,
    events: [
      user("Add a dark mode toggle to the settings page."),
      read("src/Settings.tsx"),
      agent("", { outputTokens: 0 })
    ],
    expect: stuck
  },
  {
    id: "stuck/failed-edit-left",
    why: "The edit failed ten minutes ago and nobody took notice.",
    silence: 600,
    events: [
      user("Rename `fetchAll` to `list` everywhere."),
      tool(
        "edit",
        { file_path: "src/api.ts", old_string: "fetchAll", new_string: "list" },
        { status: "error", output: "String to replace not found in file." }
      )
    ],
    expect: stuck
  },
  {
    id: "stuck/only-planned",
    why: "A change was ordered, nine files were read, and a plan is all that came of it.",
    events: [
      user("Add rate limiting to the public API."),
      ...["server", "router", "auth", "limits", "config", "redis", "errors", "types", "index"].map((name) =>
        read(`src/${name}.ts`, `// ${name}`)
      ),
      agent(
        "Here is my plan:\n\n1. Add a token bucket in `src/limits.ts`\n2. Hook it into the router\n3. Return 429 with a Retry-After header"
      )
    ],
    expect: { ...stuck, nudge: false, loop: "planning" }
  },
  {
    id: "stuck/same-failure-four-times",
    why: "The same command failed four times with nothing changed in between.",
    events: [
      user("Get `npm run build` to work again."),
      missing,
      missing,
      missing,
      missing,
      agent("The build still fails because `terser` cannot be found.")
    ],
    expect: { ...stuck, loop: "failing_call", says: ["npm run build"] }
  },
  {
    id: "stuck/service-failed-an-hour-ago",
    why: "The request failed an hour ago: nothing tries again any more.",
    silence: 3600,
    events: [
      user("Stage the fixes and commit them."),
      run("git add -A", 0),
      agent("API Error: 500 Internal server error")
    ],
    expect: stuck
  },
  {
    id: "stuck/todos-left",
    why: "Three of the list's five points are open, and the agent has stopped: whether by mistake is for a model to read.",
    events: [
      user("Migrate the five screens to the new navigation."),
      todos("[~] Home", "[ ] Profile", "[ ] Settings", "[ ] Search", "[ ] Inbox"),
      edit("src/Home.tsx"),
      edit("src/Profile.tsx"),
      todos("[x] Home", "[x] Profile", "[ ] Settings", "[ ] Search", "[ ] Inbox"),
      agent("Home and Profile use the new navigation now.")
    ],
    expect: { reason: "working", nudge: false }
  },
  {
    id: "stuck/after-compaction",
    why: "The context was compacted in the middle of the work, and the agent never took it up again.",
    silence: 900,
    events: [
      user("Port the templates to JSX."),
      edit("src/a.jsx"),
      edit("src/b.jsx"),
      notice("compacted", "auto"),
      harness("This session is being continued from a previous conversation that ran out of context.")
    ],
    expect: stuck
  },
  {
    id: "stuck/tests-red-and-claimed-green",
    why: "What the agent says of the tests is not so, and it was to fix them.",
    events: [
      user("Fix the upload and run npm test."),
      edit("src/upload.ts"),
      run("npm test", 1, "  ● uploads large files\n\nTests:       1 failed, 3 passed, 4 total\n"),
      agent("Everything works now, all tests pass.")
    ],
    expect: { ...stuck, says: ["uploads large files"] }
  },
  {
    id: "stuck/spanish-cut-off",
    why: "The language does not matter where the host itself says that the message was cut off.",
    events: [
      user("Añade paginación a la lista de usuarios."),
      read("src/users.ts"),
      agent("Voy a modificar la consulta para que devuelva solo veinte usuarios por página y después", {
        completed: false,
        outputTokens: 31
      })
    ],
    expect: stuck
  },
  {
    id: "stuck/chinese-zero-output",
    why: "No output at all needs no language.",
    silence: 800,
    events: [user("请为用户列表添加分页功能。")],
    expect: stuck
  },
  {
    id: "stuck/interrupted-tool-of-a-crash",
    why: "The host crashed in the middle of a call, an hour ago, and nobody pressed Escape.",
    silence: 3600,
    events: [
      user("Fix the linter's findings."),
      run("npx eslint .", 1, "✖ 3 problems (3 errors, 0 warnings)"),
      edit("src/a.ts"),
      shell("npx eslint .", { status: "interrupted" })
    ],
    expect: { reason: ["genuinely_stuck", "waiting_for_user", "working"] }
  }
]
