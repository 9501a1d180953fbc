import { assert, describe, it } from "@effect/vitest"
import * as Loops from "../../src/judge/loops/Loops.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, notice, run, user } from "../support/events.ts"
import { tokens } from "../support/secrets.ts"

const fold = (events: ReadonlyArray<TranscriptEvent>): Loops.Loops => events.reduce(Loops.step, Loops.initial)

const loops = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<Loops.Loop> => Loops.read(fold(events))

/** In a word each, as `pattern period×count`. */
const found = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  loops(events).map(({ count, pattern, period }) => `${pattern} ${period}×${count}`)

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const rounds = (
  count: number,
  make: (index: number) => ReadonlyArray<TranscriptEvent>
): ReadonlyArray<TranscriptEvent> => times(count, make).flat()

const read = (path: string, output = `the text of ${path}`): ToolCall => call("Read", { file_path: path }, { output })

const red = (): ToolCall => run("pytest tests/test_x.py -q", 1, "1 failed, 3 passed in 0.12s")

const green = (): ToolCall => run("npm test", 0, "4 passed")

const change = (index: number): ToolCall =>
  edit("x.py", { input: { file_path: "x.py", old_string: `a${index}`, new_string: `b${index}` } })

const unknownResult = () => call("Bash", { command: "ls" }, { status: null, output: null })

const denied = () => call("WebFetch", { url: "https://x.example" }, { status: "denied", output: null })

const writeSame = () => call("Write", { file_path: "x", content: "x" }, { output: "ok" })

const press = () => call("browser_press_key", { key: "ArrowDown" }, { output: '{"ok":true}' })

const installFailing = () => run("npm install", 1, "npm error code ECONNRESET")

const grep = (index: number) =>
  call("Grep", index % 2 === 0 ? { path: "src", pattern: "x" } : { pattern: "x", path: "src", glob: null })

const longOutput = (end: string) => `${"abc def\n".repeat(5000)}${end}`

const failedChange = (index: number) => ({ ...change(index), status: "error" as const, output: "old_string not found" })

const twoInTurns = (count: number) => rounds(count, () => [read("a.txt"), run("ls /workspace", 0, "a.txt")])

const turnedPage = (index: number) =>
  call("Read", { file_path: "a.ts", offset: index * 100 }, { output: `page ${index}` })

const page = (index: number) =>
  call("Read", { file_path: "a.ts", offset: index * 100, limit: 100 }, { output: `page ${index}` })

const writeBatch = (index: number) =>
  call("write", { path: `/tmp/batch-${index}.md`, content: "same" }, { output: `wrote /tmp/batch-${index}.md` })

const say = () => agent("I will now fix the parser and run the tests.")

const grown = () => ({ ...agent("I will now fix the parser."), id: "m1" })

describe("the same call", () => {
  it("with the same result three times in a row is a loop", () => {
    assert.deepStrictEqual(found(times(2, () => run("git status", 0, "clean"))), [])
    assert.deepStrictEqual(found(times(3, () => run("git status", 0, "clean"))), ["same_result 1×3", "action 1×3"])
  })

  it("that fails three times in a row is a loop", () => {
    assert.deepStrictEqual(found(times(2, red)), [])
    assert.deepStrictEqual(found(times(5, red)), ["failing_call 1×5", "action 1×5"])
  })

  it("names the calls, the period, the count and what proves them", () => {
    const calls = times(4, () => run("git status --short", 0, "clean"))
    const [loop] = loops(calls)
    assert.deepStrictEqual(loop, {
      pattern: "same_result",
      period: 1,
      count: 4,
      calls: [{ tool: "Bash", summary: "git status --short" }],
      callIds: calls.map(({ id }) => id ?? "")
    })
  })

  it("with another result each time is work", () => {
    assert.deepStrictEqual(found(times(6, (index) => run("./next.sh", 0, `line ${"abcdef"[index]}`))), [])
    assert.deepStrictEqual(found(times(6, (index) => run("npm test", 1, `${6 - index} failed`))), [])
  })

  it("is over once its result changes", () => {
    assert.deepStrictEqual(found([...times(4, red), run("pytest tests/test_x.py -q", 0, "4 passed")]), [])
  })

  it("is over once something else is done", () => {
    assert.deepStrictEqual(found([...times(4, red), read("x.py")]), [])
    assert.deepStrictEqual(found([...times(4, red), change(0)]), [])
    assert.deepStrictEqual(found([...times(4, red), change(0), red()]), [])
  })

  it("is a loop again after an edit that has not helped and was not followed by another", () => {
    assert.deepStrictEqual(found([...times(4, red), change(0), ...times(5, red)]), ["failing_call 1×5", "action 1×5"])
  })

  it("whose result the host does not tell takes longer to be one", () => {
    assert.deepStrictEqual(found(times(4, unknownResult)), [])
    assert.deepStrictEqual(found(times(5, unknownResult)), ["same_result 1×5", "action 1×5"])
  })

  it("counts once, when it is settled, however often the host reports it", () => {
    const calls = times(2, red).flatMap((one) => [{ ...one, status: "pending" as const, output: null }, one, one])
    assert.deepStrictEqual(found(calls), [])
    assert.strictEqual(fold(calls).recent.length, 2)
  })

  it("of several subagents at the same time is none of this agent's", () => {
    assert.deepStrictEqual(found(times(5, () => ({ ...red(), agentId: "a1" }))), [])
  })

  it("interrupted by the user says nothing", () => {
    assert.deepStrictEqual(found(times(5, () => ({ ...red(), status: "interrupted" as const }))), [])
  })

  it("denied again and again is a failing call", () => {
    assert.deepStrictEqual(found(times(3, denied)), ["failing_call 1×3", "action 1×3"])
  })

  it("begins anew with the user's next message and with an interruption, and not with anything else", () => {
    assert.deepStrictEqual(found([...times(2, red), user("Try again."), ...times(2, red)]), [])
    assert.deepStrictEqual(found([...times(3, red), notice("aborted")]), [])
    const feedback = user("[reflexion 1/3] The task is not done yet.", { synthetic: true })
    assert.deepStrictEqual(found([...times(2, red), feedback, agent("I try again."), red()]), [
      "failing_call 1×3",
      "action 1×3"
    ])
  })

  it("that checks and is green takes longer, as one that changes does", () => {
    assert.deepStrictEqual(found(times(4, green)), [])
    assert.deepStrictEqual(found(times(5, green)), ["same_result 1×5", "action 1×5"])
  })

  it("to write the same again takes longer to be a loop: something unseen may take it back", () => {
    assert.deepStrictEqual(found(times(4, writeSame)), [])
    assert.deepStrictEqual(found(times(5, writeSame)), ["same_result 1×5"])
  })

  it("that the agent cannot see the effect of takes much longer", () => {
    assert.deepStrictEqual(found(times(19, press)), [])
    assert.deepStrictEqual(found(times(20, press)), ["same_result 1×20"])
  })

  it("to install something that works at the third try is none", () => {
    assert.deepStrictEqual(
      found([installFailing(), installFailing(), run("npm install", 0, "added 3 packages in 2s")]),
      []
    )
  })
})

describe("near-duplicates", () => {
  const same: ReadonlyArray<readonly [what: string, command: (index: number) => string]> = [
    ["white space", (index) => `npm  run${" ".repeat(index + 1)}lint `],
    ["the kind of quotes", (index) => (index % 2 === 0 ? `rg 'a b' src` : `rg "a b" src`)],
    ["noise in the environment", (index) => (index % 2 === 0 ? "CI=1 NO_COLOR=1 npm run lint" : "npm run lint")],
    ["where errors go", (index) => (index % 2 === 0 ? "npm run lint 2>&1" : "npm run lint")],
    ["an echoed status", (index) => (index % 2 === 0 ? 'npm run lint; echo "exit: $?"' : "npm run lint")],
    ["an identifier", (index) => `./check --id 8f14e45f-ceea-467f-ab31-0123456789a${index}`],
    ["a moment", (index) => `./check --since 2026-03-02T09:0${index}:00Z`],
    ["a second of the epoch", (index) => `./check --at 177244${index}000`],
    ["a temporary file", (index) => `diff a /tmp/tmp.aX9${index}dEfG/b`]
  ]

  it.each(same)("differ in %s and are the same", (_, command) => {
    assert.deepStrictEqual(found(times(4, (index) => run(command(index), 1, "1 problem"))), [
      "failing_call 1×4",
      "action 1×4"
    ])
  })

  const other: ReadonlyArray<readonly [what: string, command: (index: number) => string]> = [
    ["the words searched for", (index) => `grep -q needle${index} haystack.txt`],
    ["the lines read", (index) => `sed -n '${index * 50 + 1},${index * 50 + 50}p' src/a.ts`],
    ["the file", (index) => `cat src/part-${index}.ts`],
    ["the temporary file by a name of its own", (index) => `cat /tmp/file-${index}.md`],
    ["the commit", (index) => `git show 4a24c1b${index} --stat`],
    ["the directory", (index) => `cd packages/p${index} && npm run lint`],
    ["a variable that matters", (index) => `SEED=${index} npm test`],
    ["the port", (index) => `./ask localhost:300${index}`],
    ["an option", (index) => `npm test -- ${["--bail", "--silent", "--verbose", "--ci"][index]}`]
  ]

  it.each(other)("differ in %s and are different calls", (_, command) => {
    assert.deepStrictEqual(found(times(4, (index) => run(command(index), 1))), [])
  })

  it("are known in the arguments of other tools, too", () => {
    assert.deepStrictEqual(found(times(3, grep)), ["same_result 1×3", "action 1×3"])
  })

  const results: ReadonlyArray<readonly [what: string, output: (index: number) => string]> = [
    ["durations", (index) => `3 passed in ${8 + index}.${index}2s`],
    ["durations in words", (index) => `took ${9 + index} ms, ${index + 2} seconds in all`],
    ["moments", (index) => `2026-03-02T09:00:0${index}.123Z GET /x\n[09:1${index}:00] done`],
    ["process numbers", (index) => `killed (session sess-${index}, pid ${900 + 70 * index})`],
    ["addresses", (index) => `<Thing at 0x7f${index}a80>`],
    ["hashes", (index) => `built 4a24c1b${index}e${index}`],
    ["line numbers", (index) => `src/a.ts:${9 + index}:5 error`],
    ["lines in a trace", (index) => `File "a.py", line ${9 + index}, in main`],
    ["ports", (index) => `listening on http://localhost:${9998 + index}/`],
    ["temporary folders", (index) => `wrote /tmp/pytest-of-me/pytest-${index}/out`],
    ["colours", (index) => (index % 2 === 0 ? "\u001b[31mfailed\u001b[0m" : "failed")],
    ["metadata", (index) => `{"status": "ok", "duration_seconds": 1.0${index}, "execution_count": ${99 + index}}`]
  ]

  it.each(results)("come to the same whatever their %s", (_, output) => {
    assert.deepStrictEqual(found(times(4, (index) => run("./check", 1, output(index)))), [
      "failing_call 1×4",
      "action 1×4"
    ])
  })

  const news: ReadonlyArray<readonly [what: string, output: (index: number) => string]> = [
    ["counts", (index) => `${index} passed`],
    ["percentages", (index) => `${index}0 %`],
    ["codes", (index) => `exit: ${index}`],
    ["names", (index) => `FAIL test_${"abcd"[index]}`],
    ["versions", (index) => `v1.2.${index}`],
    ["lines", (index) => `line ${index}`]
  ]

  it.each(news)("come to something else with other %s", (_, output) => {
    assert.deepStrictEqual(found(times(4, (index) => run("./check", 1, output(index)))), [])
  })

  it("differ where a long output differs at its ends", () => {
    assert.deepStrictEqual(found(times(3, () => run("./check", 1, longOutput("the end")))).length, 2)
    assert.deepStrictEqual(found(times(3, (index) => run("./check", 1, longOutput(`end ${index}`)))), [])
  })
})

describe("edit, test, edit, test", () => {
  it("is work, twelve times over", () => {
    assert.deepStrictEqual(found(rounds(12, (index) => [red(), change(index)])), [])
    assert.deepStrictEqual(found(rounds(12, (index) => [change(index), red()])), [])
  })

  const writes: ReadonlyArray<readonly [what: string, command: (index: number) => string]> = [
    ["sed -i", (index) => `sed -i 's/a/b${index}/' x.py`],
    ["a redirection", (index) => `echo 'x = ${index}' > x.py`],
    ["a here-document", (index) => `cat > x.py <<'EOF'\nx = ${index}\nEOF`],
    ["tee", (index) => `echo 'x = ${index}' | tee x.py`],
    [
      "apply_patch",
      (index) => `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x.py\n-a\n+b${index}\n*** End Patch\nEOF`
    ],
    ["git apply", (index) => `git apply fix-${index}.patch`],
    ["python", (index) => `python -c "open('x.py', 'w').write('x = ${index}')"`],
    [
      "an interpreter's here-document",
      (index) => `python - <<'EOF'\nfrom pathlib import Path\nPath('x.py').write_text('${index}')\nEOF`
    ]
  ]

  it.each(writes)("is work where %s writes", (_, command) => {
    const events = rounds(12, (index) => [run(command(index), 0), red()])
    assert.deepStrictEqual(found(events), [])
  })

  it("with a failed edit in between is none", () => {
    assert.deepStrictEqual(found([red(), failedChange(0), red(), failedChange(1), red()]), ["action 1×3"])
  })

  it("with the very same edit each time is a cycle in the end", () => {
    assert.deepStrictEqual(found(rounds(4, () => [change(0), red()])), [])
    assert.deepStrictEqual(found(rounds(6, () => [change(0), red()])), ["cycle 2×6"])
  })
})

describe("two calls in turns", () => {
  it("of two calls with the same results is a loop at the third round", () => {
    assert.deepStrictEqual(found(twoInTurns(2)), [])
    assert.deepStrictEqual(found(twoInTurns(3)), ["cycle 2×3", "action 2×3"])
    assert.deepStrictEqual(loops(twoInTurns(3))[0]?.calls, [
      { tool: "Read", summary: "a.txt" },
      { tool: "Bash", summary: "ls /workspace" }
    ])
  })

  it("with results that change is none", () => {
    const events = rounds(6, (index) => [read("a.txt", `line ${"abcdef"[index]}`), run("ls", 0, `${index} files`)])
    assert.deepStrictEqual(found(events), [])
  })

  it("that something new breaks is over", () => {
    assert.deepStrictEqual(found([...twoInTurns(3), call("Write", { file_path: "out", content: "x" })]), [])
  })

  it("of a browser's retries and clicks is none", () => {
    const events = rounds(8, () => [
      call("browser_navigate", { url: "https://x.example/app" }, { status: "error", output: "timeout" }),
      call("browser_click", { selector: "#retry" }, { output: '{"ok": true}' })
    ])
    assert.deepStrictEqual(found(events), [])
  })

  it("of a wait and a look at what was waited for is none", () => {
    assert.deepStrictEqual(found(rounds(10, () => [run("sleep 60", 0), run("./deploy-state.sh", 0, "pending")])), [])
  })
})

describe("cycles", () => {
  it.each([3, 5, 8])("of %d calls are loops at the third round", (period) => {
    const events = (count: number) => rounds(count, () => times(period, (index) => read(`part-${index}.ts`)))
    assert.deepStrictEqual(found(events(2)), [])
    assert.deepStrictEqual(found(events(3)), [`cycle ${period}×3`, `action ${period}×3`])
  })

  it("are none where a page turns each round", () => {
    const events = rounds(6, (index) => [read("a.ts"), read("b.ts"), turnedPage(index)])
    assert.deepStrictEqual(found(events), [])
  })
})

describe("actions", () => {
  it("repeated three times among few others are a loop", () => {
    const events = [red(), read("a.py"), red(), read("b.py"), red()]
    assert.deepStrictEqual(found(events), ["action 1×3"])
  })

  it("repeated among many others are none", () => {
    const events = [red(), read("a.py"), read("b.py"), red(), read("c.py"), read("d.py"), red()]
    assert.deepStrictEqual(found(events), [])
  })

  it("are none with an edit in between", () => {
    assert.deepStrictEqual(found([red(), read("a.py"), red(), change(0), red()]), [])
  })

  it("are none with another result in between", () => {
    const other = run("pytest tests/test_x.py -q", 1, "2 failed, 2 passed in 0.12s")
    assert.deepStrictEqual(found([red(), read("a.py"), other, read("b.py"), red()]), [])
  })

  it("are over with the first call that is not one of them", () => {
    assert.deepStrictEqual(found([red(), read("a.py"), red(), red(), red(), red(), read("b.py")]), [])
  })
})

describe("distinct calls", () => {
  it("that fail alike are a search: twelve greps without a hit", () => {
    assert.deepStrictEqual(found(times(12, (index) => run(`grep -q needle${index} haystack.txt`, 1))), [])
  })

  it("that page through a file are reading", () => {
    assert.deepStrictEqual(found(times(20, page)), [])
  })

  it("in a batch gone through twice are none", () => {
    assert.deepStrictEqual(found([...times(15, writeBatch), ...times(15, writeBatch)]), [])
  })
})

describe("pollers", () => {
  const pollers: ReadonlyArray<readonly [what: string, poll: () => ToolCall]> = [
    ["gh pr checks", () => run("gh pr checks 12", 8, "build\tpending\t0\thttps://x.example/1")],
    ["gh run watch", () => run("gh run watch 77 --exit-status", 1, "in progress")],
    ["sleep", () => run("sleep 30", 0)],
    ["sleep and a look", () => run("sleep 60 && gh run view 77", 0, "queued")],
    ["tail", () => run("tail -n 20 build.log", 0, "compiling")],
    ["kubectl wait", () => run("kubectl wait --for=condition=ready pod/x --timeout=30s", 1, "timed out")],
    ["kubectl get", () => run("kubectl get pods", 0, "x 0/1 Pending")],
    ["docker ps", () => run("docker ps", 0, "up")],
    ["a pull request's state", () => run("gh pr view 12 --json state,statusCheckRollup", 0, '{"state":"OPEN"}')],
    ["the forge", () => run("gh api repos/a/b/actions/runs --jq '.[0].status'", 0, "queued")],
    ["a platform's own status", () => run("fly status", 0, "pending")],
    ["a health check", () => run("curl -s http://localhost:3000/health", 0, '{"ready":"no"}')],
    ["the output of a background task", () => call("BashOutput", { bash_id: "b1" }, { output: "running" })],
    ["a process", () => call("process", { action: "poll", session_id: "p1" }, { output: "running" })],
    ["a job's state", () => call("mcp__ci__job_status", { job: "build-42" }, { output: '{"status":"running"}' })],
    ["an agent at work", () => call("wait_agent", { id: "a" }, { output: "running" })]
  ]

  it.each(pollers)("are none for a long time: %s", (_, poll) => {
    assert.deepStrictEqual(found(times(19, poll)), [])
  })

  it.each(pollers)("are loops in the end if nothing ever changes: %s", (_, poll) => {
    assert.strictEqual(found(times(40, poll)).length, 1)
  })

  it.each(pollers)("are none while they progress: %s", (_, poll) => {
    const at = (index: number) => ({ ...poll(), output: `${index} of 60 done` })
    assert.deepStrictEqual(found(times(60, at)), [])
  })

  it.each([
    "gh api -X POST repos/a/b/dispatches",
    "gh issue create --title x",
    "curl -d x http://localhost/run",
    "curl --json '{}' http://localhost/run",
    "git status"
  ])("are not %s", (command) => {
    assert.isAbove(found(times(3, () => run(command, 1, "no"))).length, 0)
  })

  it("are no cover for more than the next call", () => {
    assert.strictEqual(found([run("sleep 5", 0), ...times(4, red)]).length, 2)
  })

  it("are no cover for other work in the same command", () => {
    assert.strictEqual(found(times(3, () => run("npm test > out.log; tail -n 3 out.log", 1, "1 failed"))).length, 2)
    assert.strictEqual(
      found(times(3, () => run("curl -X POST -d x http://localhost/run && npm test", 1, "1 failed"))).length,
      2
    )
  })
})

describe("monologues", () => {
  it("are the same message three times", () => {
    assert.deepStrictEqual(found([say(), say()]), [])
    assert.deepStrictEqual(found([say(), say(), say()]), ["monologue 1×3"])
    assert.deepStrictEqual(loops([say(), say(), say()])[0]?.calls, [
      { tool: "message", summary: "I will now fix the parser and run the tests." }
    ])
  })

  it("are none with a call in between", () => {
    assert.deepStrictEqual(found(rounds(5, (index) => [agent("Let me look."), read(`${index}.ts`)])), [])
  })

  it("go on through a reminder", () => {
    const feedback = user("[reflexion 1/3] The task is not done yet.", { synthetic: true })
    assert.deepStrictEqual(found(rounds(3, () => [agent("All is done."), feedback])), ["monologue 1×3"])
  })

  it("count a message once that a host reports while it grows", () => {
    assert.deepStrictEqual(found([grown(), grown(), grown()]), [])
  })

  it.each([
    ["a rule", "-".repeat(600)],
    ["a table", "| 1 | 2 | 3 |\n".repeat(40)],
    ["numbers", "0, 0, 0, 0\n".repeat(80)],
    ["prose", "The parser reads tokens. It keeps open brackets, so that errors name both ends of a range. ".repeat(3)]
  ])("are not %s", (_, text) => {
    assert.deepStrictEqual(found([agent(text)]), [])
  })
})

describe("the feedback", () => {
  const openings: ReadonlyArray<readonly [pattern: Loops.Loop["pattern"], opening: string]> = [
    ["planning", "STOP: Planning Loop Detected"],
    ["action", "STOP: Action Loop Detected"],
    ["same_result", "STOP: Action Loop Detected"],
    ["failing_call", "STOP: Action Loop Detected"],
    ["cycle", "STOP: Action Loop Detected"],
    ["monologue", "STOP: Monologue Loop Detected"]
  ]

  it.each(openings)("on %s opens with %j, names the call and the count, and is short", (pattern, opening) => {
    const calls = [{ tool: "Bash", summary: "npm test" }]
    const text = Loops.feedback({ pattern, period: 1, count: 7, calls, callIds: [] })
    assert.isTrue(text.startsWith(opening))
    assert.include(text, "npm test")
    assert.include(text, "7")
    assert.isBelow(text.length, 2000)
  })

  it("shows no secret", () => {
    const [, secret = ""] = tokens.find(([kind]) => kind === "github-token") ?? []
    assert.isNotEmpty(secret)
    const events = times(3, () =>
      run(`curl -X POST -H 'Authorization: Bearer ${secret}' https://x.example`, 1, "denied")
    )
    const text = JSON.stringify([fold(events), loops(events).map(Loops.feedback)])
    assert.isAbove(loops(events).length, 0)
    assert.notInclude(text, secret)
  })
})
