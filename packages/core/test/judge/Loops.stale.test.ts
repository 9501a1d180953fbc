import { assert, describe, it } from "@effect/vitest"
import * as Loops from "../../src/judge/loops/Loops.ts"
import { saysEnded, saysWrong } from "../../src/session/output/ProgressWords.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { call, run, user } from "../support/events.ts"

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

/** With so many seconds between the calls. */
const spaced = (seconds: number, calls: ReadonlyArray<TranscriptEvent>): ReadonlyArray<TranscriptEvent> =>
  calls.map((event, index) =>
    event.type === "tool_call"
      ? { ...event, at: at(index * (seconds + 2)), endedAt: at(index * (seconds + 2) + 2) }
      : event
  )

const rounds = (count: number, make: (index: number) => ReadonlyArray<ToolCall>): ReadonlyArray<ToolCall> =>
  Array.from({ length: count }, (_, index) => make(index)).flat()

const edit = (index: number) => call("Edit", { file_path: "src/a.ts", old_string: "a", new_string: `b${index}` })

const read = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<Loops.Loop> =>
  Loops.read(events.reduce(Loops.step, Loops.initial))

const patterns = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  read(events).map(({ pattern }) => pattern)

const tool = (output: string) => () => call("mcp__github__get_workflow_run", { run_id: 5 }, { output })

describe("checks, runs and pipelines that have ended", () => {
  const ended: ReadonlyArray<readonly [what: string, look: () => ToolCall]> = [
    ["failed checks", () => run("gh pr checks 3", 1, "build\tfail\t1m\nlint\tpass\t20s")],
    ["passed checks", () => run("gh pr checks 3", 0, "build\tpass\t1m\nlint\tpass\t20s")],
    ["a run", () => run("gh run view 55 --json status,conclusion", 0, '{"conclusion":"failure","status":"completed"}')],
    ["a run as a person sees it", () => run("gh run view 55", 0, "X main CI · 55\n\nJOBS\nX build in 1m2s (ID 7)")],
    [
      "a log",
      () => run("gh run view 55 --log-failed", 0, "test\tRunning 3 tests\ntest\tError: Cannot find module ./env")
    ],
    ["a pipeline", () => run("glab ci status", 0, "(failed) • 02m 10s  test  build\nPipeline state: failed")],
    ["the API", () => run("gh api repos/a/b/commits/x/check-runs", 0, '{"conclusion":"success"}')],
    ["a tool", tool('{"status":"completed","conclusion":"failure"}')]
  ]

  it.each(ended)("are a loop after a few looks: %s", (_, look) => {
    assert.deepStrictEqual(patterns(rounds(2, () => [look()])), [])
    assert.isNotEmpty(patterns(rounds(3, () => [look()])))
    assert.deepStrictEqual(
      patterns(
        spaced(
          60,
          rounds(4, () => [look()])
        )
      ),
      []
    )
    assert.isNotEmpty(
      patterns(
        spaced(
          60,
          rounds(5, () => [look()])
        )
      )
    )
  })

  it.each(ended)("are one after a wait, too: %s", (_, look) => {
    const waited = () => {
      const { input, ...rest } = look()
      const { command } = Object.assign({ command: "" }, input)
      return command === "" ? look() : { ...rest, input: { command: `sleep 60; ${command}` } }
    }
    assert.isNotEmpty(patterns(rounds(5, () => [waited()])))
  })

  it.each([
    ["one is pending", () => run("gh pr checks 3", 8, "build\tpending\t0\nlint\tpass\t20s")],
    ["one is running", () => run("gh run view 55", 0, "* main CI · 55\n\nJOBS\n* build (ID 7)\n✓ lint in 20s (ID 8)")],
    ["one is queued", () => run("gh run view 5 --json status", 0, '{"status":"queued","conclusion":""}')],
    ["one is in progress", tool('{"status":"in_progress","conclusion":null,"previous":"failure"}')],
    ["the pipeline runs", () => run("glab ci status", 0, "(running) • 02m 10s  test  build\n(success) lint")],
    [
      "the log is not there",
      () =>
        run("gh run view 5 --log-failed", 1, "run 5 is still in progress; logs will be available when it is complete")
    ]
  ] as const)("are watched on while %s", (_, look) => {
    assert.deepStrictEqual(patterns(rounds(12, () => [look()])), [])
    assert.deepStrictEqual(
      patterns(
        spaced(
          60,
          rounds(19, () => [look()])
        )
      ),
      []
    )
  })

  it("are news where another run has ended", () => {
    const looks = rounds(8, (index) => [run(`gh run view ${index}`, 0, "X build failed")])
    assert.deepStrictEqual(patterns(looks), [])
  })

  it("are looked at anew after each push", () => {
    const looks = rounds(6, (index) => [
      edit(index),
      run("git commit -am wip && git push", 0, "1..2 fix -> fix"),
      run("gh pr checks 3", 1, "build\tfail\t1m")
    ])
    assert.deepStrictEqual(patterns(looks), [])
  })

  it.each(["", "no checks reported on the 'fix' branch", "build\tskipping\t0", "2 of 3 checks"])(
    "are not what this shows: %s",
    (output) => {
      assert.isFalse(saysEnded(output, "state"))
    }
  )
})

const click = (selector: string) => call("browser_click", { selector }, { output: "clicked" })
const page = (output: string) => call("browser_snapshot", {}, { output })

const signIn = () => [click("#login"), page("heading: Log in\nalert: Invalid password")]
const missing = ["HOST", "USER", "KEY", "PORT", "NAME", "URL"]

describe("the same failure with something done in between", () => {
  const restarts: ReadonlyArray<readonly [what: string, round: (index: number) => ReadonlyArray<ToolCall>]> = [
    [
      "a container that is started anew",
      () => [
        run("docker compose restart web", 0, "Container web Started"),
        run("docker compose logs --tail 1 web", 0, "web | Error: missing DATABASE_URL")
      ]
    ],
    [
      "a server that is ended by its number",
      (index) => [
        run(`kill ${4001 + index}; npm run dev &`, 0, `[1] ${4002 + index}`),
        run("curl -sf localhost:3000", 7)
      ]
    ],
    [
      "a server in the background",
      (index) => [
        call("Bash", { command: "npm run dev" }, { background: true, output: `running with ID: b${"xyzuvw"[index]}` }),
        run("curl -s localhost:3000", 0, "<h1>500</h1> Internal server error")
      ]
    ],
    [
      "a server that writes a log",
      () => [
        run("pkill -f server.js", 0),
        run("nohup node server.js > server.log 2>&1 &", 0),
        run("sleep 2", 0),
        run("tail -n 3 server.log", 0, "Error: listen EADDRINUSE: address already in use :::3000")
      ]
    ],
    [
      "a rollout",
      () => [
        run("kubectl get pods", 0, "web-0 CrashLoopBackOff"),
        run("kubectl rollout restart deploy/web", 0, "deployment.apps/web restarted")
      ]
    ],
    [
      "tests after an installation",
      (index) => [run("npm install", 0, `up to date in ${index}s`), run("npm test", 1, "1 failed, 3 passed")]
    ]
  ]

  it.each(restarts)("is a loop: %s", (_, round) => {
    assert.isNotEmpty(patterns(rounds(6, round)))
    assert.isNotEmpty(patterns(spaced(25, rounds(6, round))))
    assert.deepStrictEqual(patterns(rounds(2, round)), [])
  })

  it.each(restarts)("names what is done and how often: %s", (_, round) => {
    const [loop] = read(rounds(6, round))
    assert.isAtLeast(loop?.count ?? 0, 5)
    assert.isAtLeast(loop?.calls.length ?? 0, 2)
    assert.isAtLeast(loop?.callIds.length ?? 0, 10)
  })

  it.each(restarts)("is none with an edit of the sources in each round: %s", (_, round) => {
    assert.deepStrictEqual(patterns(rounds(8, (index) => [edit(index), ...round(index % 6)])), [])
    assert.deepStrictEqual(
      patterns(rounds(8, (index) => [run(`sed -i 's/a/${index}/' .env`, 0), ...round(index % 6)])),
      []
    )
  })

  it.each(restarts)("is none where a script of another text runs in each round: %s", (_, round) => {
    const patched = (index: number) => [run(`python - <<'X'\nfix(${index})\nX`, 0, "ok"), ...round(index % 6)]
    assert.deepStrictEqual(patterns(rounds(8, patched)), [])
  })

  it("in a browser takes more rounds", () => {
    assert.deepStrictEqual(patterns(rounds(8, signIn)), [])
    assert.isNotEmpty(patterns(rounds(12, signIn)))
    assert.isNotEmpty(patterns(spaced(25, rounds(12, signIn))))
  })

  it.each([
    ["the page changes", (index: number) => [click("#next"), page(`page ${index}: 2 failed orders`)]],
    ["other things are pressed", (index: number) => [click(`#row-${index}`), page("alert: Invalid row")]],
    [
      "other words are typed",
      (index: number) => [
        call("browser_type", { selector: "#name", text: `name ${index}` }, { output: "typed" }),
        click("#save"),
        page("alert: Invalid name")
      ]
    ],
    ["nothing is wrong", () => [click("#next"), page("0 errors")]]
  ] as const)("in a browser is none where %s", (_, round) => {
    assert.deepStrictEqual(patterns(rounds(15, round)), [])
  })

  it("is none where the user said to wait for it", () => {
    const task = user("Restart web and keep an eye on the pods until they are up.")
    const looks = rounds(6, () => [
      run("kubectl rollout restart deploy/web", 0, "restarted"),
      run("kubectl get pods", 0, "web-0 Error")
    ])
    assert.deepStrictEqual(patterns([task, ...looks]), [])
    assert.isNotEmpty(patterns([user("Get web to run."), ...looks]))
  })

  it("is none where something else failed last", () => {
    const looks = rounds(6, (index) => [
      run("docker compose restart web", 0, "Container web Started"),
      run("docker compose logs --tail 1 web", 0, `web | Error: missing ${missing[index]}`)
    ])
    assert.deepStrictEqual(patterns(looks), [])
  })

  it("is none in a bisection", () => {
    const looks = rounds(4, () => [
      run("git bisect bad", 0, "Bisecting: some revisions left"),
      run("npm test", 1, "1 failed")
    ])
    assert.deepStrictEqual(patterns(looks), [])
  })
})

describe("a result that says something is wrong", () => {
  it.each(["Error: dead", "<h1>500</h1> Internal server error", "web-0 CrashLoopBackOff", "could not connect"])(
    "%s",
    (output) => {
      assert.isTrue(saysWrong(output))
    }
  )

  it.each(["0 errors", "no errors", "errors: 0", '{"error": null}', "errorless", "ok", "x".repeat(2000)])(
    "not %s",
    (output) => {
      assert.isFalse(saysWrong(output))
    }
  )
})

describe("a look that comes some time after something was done", () => {
  it("is no poll", () => {
    const looks = rounds(4, () => [
      call("browser_click", { selector: "#login" }, { status: "error", output: "element not found" }),
      page("blank page")
    ])
    assert.isNotEmpty(patterns(spaced(25, looks)))
  })

  it("is found at every step once it is one", () => {
    const looks = spaced(
      60,
      rounds(60, () => [run("tail -n 5 server.log", 0, "Error: dead")])
    )
    const found = looks.map((_, index) => patterns(looks.slice(0, index + 1)).length > 0)
    assert.isTrue(found.lastIndexOf(false) < found.indexOf(true))
  })
})
