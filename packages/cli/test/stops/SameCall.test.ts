import { describe, it } from "@effect/vitest"
import { agent, edit, judged, run, type Stop, tool, user } from "./judged.ts"

const green = "> app@1.0.0 test\n> vitest run\n\nTest Files  1 passed (1)\n     Tests  12 passed (12)"
const red = "> app@1.0.0 test\n> vitest run\n\n FAIL  test/hi.test.js > hi\nTests  1 failed | 11 passed (12)"
const project = { "package.json": '{"scripts":{"test":"vitest run"}}', "src/hi.js": "", "test/hi.test.js": "" }

const behind: Readonly<Record<string, string>> = {
  printf: "mkdir -p src && printf 'exports.hi = 1\\n' > src/hi.js && npm test",
  appended: "echo 'exports.hi = 1' >> src/hi.js; npm test",
  heredoc: "cat > src/hi.js <<'EOF'\nexports.hi = 1\nEOF\nnpm test",
  "heredoc-and": "cat > src/hi.js <<'EOF' && npm test\nexports.hi = 1\nEOF",
  sed: "sed -i 's/floor/round/' src/hi.js && npm test",
  perl: "perl -pi -e 's/floor/round/' src/hi.js\nnpm test",
  tee: "echo 'exports.hi = 1' | tee src/hi.js && npm test",
  python:
    "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('src/hi.js')\np.write_text('exports.hi = 1')\nEOF\nnpm test",
  node: "node -e \"require('fs').writeFileSync('src/hi.js', 'x')\" && npm test",
  patch: "git apply <<'EOF'\n--- a/src/hi.js\n+++ b/src/hi.js\n@@ -1 +1 @@\n-a\n+b\nEOF\nnpm test",
  "apply-patch":
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/hi.js\n@@\n-a\n+b\n*** End Patch\nEOF\nnpm test",
  copied: "cp /tmp/hi.js src/hi.js && npm test",
  subshell: "(sed -i 's/a/b/' src/hi.js && npm test)",
  filtered: "(sed -i 's/a/b/' src/hi.js && npm test) 2>&1 | tail -20",
  group: "{ sed -i 's/a/b/' src/hi.js; npm test; }",
  inner: "bash -c \"sed -i 's/a/b/' src/hi.js && npm test\"",
  "own-shell": "sed -i 's/a/b/' src/hi.js && bash -lc 'npm test'",
  moved: "cd /home/dev/app && sed -i 's/a/b/' src/hi.js && npm test 2>&1 | tail -8",
  function: "t() { npm test; }; sed -i 's/a/b/' src/hi.js; t",
  "kept-output": "sed -i 's/a/b/' src/hi.js && npm test > out.log 2>&1; tail -5 out.log; rm out.log",
  "teed-output": "sed -i 's/a/b/' src/hi.js && npm test 2>&1 | tee report.html",
  "status-printed": "sed -i 's/a/b/' src/hi.js; npm test; echo \"exit: $?\"",
  "twice-edited": "sed -i 's/a/b/' src/hi.js; npm test; sed -i 's/b/c/' src/hi.js; npm test"
}

const inOne = (name: string, command: string, wanted: Stop["wanted"], output = green, exitCode = 0): Stop => ({
  name,
  project,
  events: [
    user("Add a function hi to src/hi.js and make sure the tests pass."),
    run(command, exitCode, output),
    agent("I added hi in src/hi.js. `npm test` passes.")
  ],
  ...(wanted !== undefined && { wanted })
})

const proved = { status: "complete", nudge: false, gates: { tests: "passed" }, contradicted: false } as const

const stale = {
  status: "incomplete",
  gates: { tests: "stale" },
  finds: ["claims/contradicted"],
  contradicted: true
} as const

describe("an edit and a run in one call", () => {
  it.effect(
    "a run behind the edit is a run after it",
    judged([
      ...Object.entries(behind).map(([name, command]) => inOne(name, command, proved)),
      ...["printf", "heredoc", "tee", "python", "filtered", "teed-output"].map((name): Stop => ({
        ...inOne(`unordered-${name}`, behind[name] ?? "", proved),
        events: [
          user("Add a function hi to src/hi.js."),
          run(behind[name] ?? "", 0, green),
          agent("I added hi in src/hi.js. `npm test` passes.")
        ]
      }))
    ])
  )

  it.effect(
    "so is whatever tries the change",
    judged(
      [
        "printf 'exports.hi = 1' > src/hi.js && node -e \"console.log(require('./src/hi.js').hi)\"",
        "sed -i 's/a/b/' src/hi.js\nnode src/hi.js",
        "cat > src/hi.py <<'EOF'\nprint(1)\nEOF\npython3 src/hi.py"
      ].map((command, index): Stop => ({
        name: `tried-${index}`,
        project,
        events: [
          user("Add a function hi to src/hi.js."),
          run(command, 0, "1"),
          agent("I added hi in src/hi.js and it returns 1.")
        ],
        wanted: { status: "complete", nudge: false, spares: ["work/nothing-run"] }
      }))
    )
  )

  it.effect(
    "in the forms of Codex as well",
    judged(
      [
        ["exec_command", { cmd: "sed -i 's/a/b/' src/hi.js && npm test" }] as const,
        ["shell", { command: ["bash", "-lc", "sed -i 's/a/b/' src/hi.js && npm test"] }] as const,
        ["shell_command", { command: "cat > src/hi.js <<'EOF'\nx\nEOF\nnpm test" }] as const,
        ["local_shell", { command: ["/bin/zsh", "-lc", "printf x > src/hi.js; npm test"] }] as const
      ].map(([name, input], index): Stop => ({
        name: `codex-${index}`,
        project,
        events: [
          user("Add a function hi to src/hi.js and make sure the tests pass."),
          tool(name, input, { exitCode: 0, output: green }),
          agent("I added hi in src/hi.js. `npm test` passes.")
        ],
        wanted: proved
      }))
    )
  )

  it.effect(
    "an edit behind the run leaves it stale",
    judged(
      [
        "npm test && sed -i 's/a/b/' src/hi.js",
        "npm test\ncat > src/hi.js <<'EOF'\nx\nEOF",
        "npm test; printf x > src/hi.js",
        "(npm test; sed -i 's/a/b/' src/hi.js) 2>&1 | tail -20",
        "sed -i 's/a/b/' src/hi.js && npm test && sed -i 's/b/c/' src/hi.js"
      ].map((command, index) => ({ ...inOne(`stale-${index}`, command, stale), unattended: { nudge: true } }))
    )
  )

  it.effect(
    "a failing one is a failure",
    judged([
      ...["sed", "heredoc", "printf", "filtered"].map((name) =>
        inOne(
          `failed-${name}`,
          behind[name] ?? "",
          { status: "incomplete", nudge: true, gates: { tests: "failed" }, contradicted: true },
          red,
          name === "filtered" ? 0 : 1
        )
      ),
      ...["sed", "heredoc", "tee", "python"].map((name) =>
        inOne(
          `failed-unread-${name}`,
          behind[name] ?? "",
          { status: "incomplete", nudge: true, gates: { tests: "failed" }, contradicted: true },
          "boom",
          1
        )
      ),
      inOne(
        "an-edit-that-failed",
        behind["sed"] ?? "",
        { gates: { tests: "unknown" } },
        "sed: can't read src/hi.js: No such file or directory",
        2
      ),
      {
        name: "failed-then-edited",
        project,
        events: [
          user("Add a function hi to src/hi.js and make sure the tests pass."),
          run("npm test; sed -i 's/a/b/' src/hi.js", 0, red),
          agent("I added hi in src/hi.js. `npm test` passes.")
        ],
        wanted: { status: "incomplete", gates: { tests: ["failed", "stale"] }, contradicted: true, nudge: true }
      },
      {
        name: "no-run-at-all",
        project,
        events: [user("Add a function hi to src/hi.js."), edit("src/hi.js"), agent("I added hi in src/hi.js.")],
        unattended: { finds: ["work/nothing-run"], nudge: true }
      }
    ])
  )
})
