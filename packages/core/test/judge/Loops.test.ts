import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Loops from "../../src/judge/loops/Loops.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, run, transcript, user } from "../support/events.ts"
import { tokens } from "../support/secretKinds.ts"
import { session, table } from "../support/sessions.ts"
import { utmost, utmostContext } from "../support/utmost.ts"
import { list, pairs } from "../support/rows.ts"
import { Loop } from "../../src/session/facts/Loop.ts"
import { anyEvent } from "../support/anyEvents.ts"

const words = {
  order: "> Fix the crash in src/part-3.ts.",
  asks: String.raw`Both let it through.\n\n- Confirm whether to drop it.`,
  red: "$1 pytest tests/test_x.py -q => 1 failed, 3 passed in 0.12s",
  green: "$ npm test => 4 passed",
  clean: "$ git status => clean",
  change: "edit x.py: a ==> b",
  read: 'call Read {"file_path":"a.txt"} => the text',
  list: "$ ls /workspace => a.txt",
  same: 'call Write {"file_path":"x","content":"x"} => ok',
  press: 'call browser_press_key {"key":"ArrowDown"} => {"ok":true}',
  fails: "$1 npm install => npm error code ECONNRESET",
  nudge: ">> [reflexion 1/3] The task is not done yet.",
  say: "I will now fix the parser and run the tests.",
  round: "red / change",
  turns: "read / list",
  three: "$ cat a => a / $ cat b => b / $ cat c => c",
  wait: "$ sleep 60 / $ ./deploy-state.sh => pending",
  clicks:
    'call! browser_navigate {"url":"https://x.example/app"} => timeout / call browser_click {"selector":"#retry"} => {"ok": true}'
}

const fold = (events: ReadonlyArray<TranscriptEvent>): Loops.Loops => events.reduce(Loops.step, Loops.initial)

const found = (events: ReadonlyArray<TranscriptEvent>): string =>
  Loops.read(fold(events))
    .map(({ count, pattern, period }) => `${pattern} ${period}×${count}`)
    .join(", ")

/** `{i}` is the number of the round, and its letter is `{a}`. */
const rounds = (count: number, line: string): ReadonlyArray<TranscriptEvent> =>
  Array.from({ length: count }, (_, index) =>
    session(line.replaceAll("{i}", String(index)).replaceAll("{a}", "abcdefghijklmnopqrstuvwxyz"[index] ?? "z"), words)
  ).flat()

const rows = String.raw`
  // Rounds, the round, what is found.
  3 :: clean :: same_result 1×3, action 1×3 ¦ 2 :: red :: ¦ 5 :: red :: failing_call 1×5, action 1×5 ¦ 6 :: $ ./next.sh => line {a} ::
  6 :: $1 npm test => {i} failed :: ¦ 4 :: $? ls :: ¦ 5 :: $? ls :: same_result 1×5, action 1×5 ¦ 4 :: green :: ¦ 5 :: green :: same_result 1×5, action 1×5
  4 :: same :: ¦ 5 :: same :: same_result 1×5 ¦ 19 :: press :: ¦ 20 :: press :: same_result 1×20 ¦ 12 :: red / edit x.py: a{i} ==> b{i} ::
  12 :: edit x.py: a{i} ==> b{i} / red :: ¦ 4 :: change / red :: ¦ 6 :: change / red :: cycle 2×6 ¦ 2 :: turns :: ¦ 3 :: turns :: cycle 2×3, action 2×3
  6 :: $ cat a.txt => line {a} / $ ls => {i} files :: ¦ 8 :: clicks :: ¦ 10 :: wait :: ¦ 3 :: three :: cycle 3×3, action 3×3 ¦ 3 :: say :: monologue 1×3
  3 :: say / nudge :: monologue 1×3 ¦ 5 :: Let me look. / call Read {"file_path":"{i}.ts"} => x ::
  2 :: $ cat 0 / $ cat 1 / $ cat 2 / $ cat 3 / $ cat 4 / $ cat 5 / $ cat 6 / $ cat 7 ::
  3 :: $ cat 0 / $ cat 1 / $ cat 2 / $ cat 3 / $ cat 4 / $ cat 5 / $ cat 6 / $ cat 7 :: cycle 8×3, action 8×3
  6 :: read / list / call Read {"file_path":"a.ts","offset":{i}} => page {i} :: ¦ 12 :: $1 grep -q needle{i} haystack.txt ::
  20 :: call Read {"file_path":"a.ts","offset":{i}} => page {i} ::
  // Writes that no editor makes.
  12 :: $ sed -i 's/a/b{i}/' x.py / red :: ¦ 12 :: $ echo 'x = {i}' > x.py / red ::
  12 :: $ apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x.py\n-a\n+b{i}\n*** End Patch\nEOF / red :: ¦ 12 :: $ git apply fix-{i}.patch / red ::
  12 :: $ python -c "open('x.py', 'w').write('x = {i}')" / red ::
  // Once through: what ends a loop, and what does not.
  1 :: 4x red / $ pytest tests/test_x.py -q => 4 passed :: ¦ 1 :: 4x red / read :: ¦ 1 :: 4x red / change ::
  1 :: 4x red / change / 5x red :: failing_call 1×5, action 1×5 ¦ 1 :: 2x red / > Try again. / 2x red :: ¦ 1 :: 3x red / notice aborted ::
  1 :: 2x red / nudge / I try again. / red :: failing_call 1×3, action 1×3 ¦ 1 :: 2x fails / $ npm install => added 3 packages in 2s ::
  1 :: red / edit! x.py / red / edit! x.py / red :: action 1×3 ¦ 1 :: red / $ cat a / red / $ cat b / red :: action 1×3
  1 :: red / $ cat a / $ cat b / red / $ cat c / $ cat d / red :: ¦ 1 :: red / $ cat a / red / change / red ::
  1 :: red / $ cat a / $1 pytest tests/test_x.py -q => 2 failed, 2 passed / $ cat b / red :: ¦ 1 :: red / $ cat a / 4x red / $ cat b ::
  1 :: $ sleep 5 / 4x red :: failing_call 1×4, action 1×4 ¦ 1 :: 3x $1 npm test > out.log; tail -n 3 out.log => 1 failed :: failing_call 1×3, action 1×3
  1 :: 3x $1 curl -X POST -d x http://localhost/run && npm test => 1 failed :: failing_call 1×3, action 1×3
  1 :: 3x turns / call Write {"file_path":"out","content":"x"} ::
`

describe("the loops that are found", () => {
  it.each(table(rows))("%s× %s: %s", (count, line = "", expected) => {
    assert.strictEqual(found(rounds(Number(count), line)), expected)
  })

  it("a call reported twice and a message that grows count once", () => {
    const calls = [1, 2].flatMap((id) => rounds(1, `#c${id} $pending pytest / #c${id} $1 pytest => 1 failed`))
    assert.strictEqual(found(calls), "")
    assert.lengthOf(fold(calls).recent, 2)
    assert.strictEqual(found(rounds(3, "#m1 say")), "")
    const denied = [1, 2, 3].map(() => call("WebFetch", { url: "https://x.test" }, { status: "denied", output: null }))
    assert.strictEqual(found(denied), "failing_call 1×3, action 1×3")
  })

  it("a loop names its calls, period, count and call ids", () => {
    const run = rounds(4, "$ git status --short => clean") as ReadonlyArray<ToolCall>
    const calls = [{ tool: "Bash", summary: "git status --short" }]
    const callIds = run.map(({ id }) => id ?? "")
    assert.deepStrictEqual(Loops.read(fold(run))[0], { pattern: "same_result", period: 1, count: 4, calls, callIds })
  })
})

/** Calls that differ in braces: `{i}` is a number, `{a}` a letter, `{a|b}` one of them in turn, `{ }` white space. */
const same = String.raw`
  white space :: $1 npm  run{ }lint => 1 problem ¦ noise in the environment :: $1 {CI=1 NO_COLOR=1 |}npm run lint => 1 problem
  where errors go :: $1 npm run lint{ 2>&1|} => 1 problem ¦ an echoed status :: $1 npm run lint{; echo "exit: $?"|} => 1 problem
  a second of the epoch :: $1 ./check --at 177244{i}000 => 1 problem ¦ a temporary file :: $1 diff a /tmp/tmp.aX9{i}dEfG/b => 1 problem
  hashes :: $1 ./check => built 4a24c1b{i}e{i} ¦ lines in a trace :: $1 ./check => File "a.py", line 9{i}, in main
  temporary folders :: $1 ./check => wrote /tmp/pytest-of-me/pytest-{i}/out ¦ colours :: $1 ./check => {\e[31mfailed\e[0m|failed}
  metadata :: $1 ./check => {"status": "ok", "duration_seconds": 1.0{i}, "execution_count": 9{i}}
`

const other = String.raw`
  the words searched for :: $1 grep -q needle{i} haystack.txt ¦ the lines read :: $1 sed -n '{i}1,{i}9p' src/a.ts ¦ the file :: $1 cat src/part-{i}.ts
  a temporary file's own name :: $1 cat /tmp/file-{i}.md ¦ the commit :: $1 git show 4a24c1b{i} --stat ¦ the folder :: $1 cd packages/p{i} && npm run lint
  a variable that matters :: $1 SEED={i} npm test ¦ the port :: $1 ./ask localhost:300{i} ¦ an option :: $1 npm test -- --{a}
  counts :: $1 ./check => {i} passed ¦ percentages :: $1 ./check => {i}0 % ¦ codes :: $1 ./check => exit: {i} ¦ names :: $1 ./check => FAIL test_{a}
  versions :: $1 ./check => v1.2.{i} ¦ lines :: $1 ./check => line {i}
`

const varied = (line: string): ReadonlyArray<TranscriptEvent> =>
  [0, 1, 2, 3].flatMap((at) => {
    const spaced = line.replaceAll("{ }", " ".repeat(at + 1))
    const chosen = spaced.replaceAll(/\{([^{}]*)\|([^{}]*)\}/g, at % 2 === 0 ? "$1" : "$2")
    return session(chosen.replaceAll("{i}", String(at)).replaceAll("{a}", "abcd"[at] ?? ""))
  })

const loop = "failing_call 1×4, action 1×4"

const long = (end: string) => run("./check", 1, `${"abc def\n".repeat(5000)}${end}`)

describe("calls", () => {
  it.each(table(same))("calls that differ only in %s count as the same: %s", (_, line = "") => {
    assert.strictEqual(found(varied(line)), loop)
  })

  it.each(table(other))("calls that differ in %s do not count as the same: %s", (_, line = "") => {
    assert.strictEqual(found(varied(line)), "")
  })

  it("other tools' calls compare by arguments in any order, long results by their ends", () => {
    const grep = [
      { path: "src", pattern: "x" },
      { pattern: "x", path: "src", glob: null },
      { path: "src", pattern: "x" }
    ]
    assert.strictEqual(found(grep.map((input) => call("Grep", input))), "same_result 1×3, action 1×3")
    assert.strictEqual(found([long("x"), long("x"), long("x")]), "failing_call 1×3, action 1×3")
    assert.strictEqual(found([long("x"), long("y"), long("z")]), "")
  })
})

const pollers = String.raw`
  gh pr checks :: $8 gh pr checks 12 => build\tpending\t0\thttps://x.example/1 ¦ sleep :: $ sleep 30
  sleep and a look :: $ sleep 60 && gh run view 77 => queued ¦ tail :: $ tail -n 20 build.log => compiling
  kubectl wait :: $1 kubectl wait --for=condition=ready pod/x --timeout=30s => timed out
  the forge :: $ gh api repos/a/b/actions/runs --jq '.[0].status' => queued ¦ a health check :: $ curl -s http://localhost:3000/health => {"ready":"no"}
  a background task :: call BashOutput {"bash_id":"b1"} => running ¦ a job's state :: call mcp__ci__job_status {"job":"build-42"} => {"status":"running"}
  an agent at work :: call wait_agent {"id":"a"} => running
`

const unlisted = String.raw`
  a queue of jobs :: $ squeue --me => 4711 gpu train me R 1 node7 ¦ a graphics card :: $ nvidia-smi --query-gpu=utilization.gpu --format=csv => 97 %
  a script of the project's :: $ ./ops/how_far.sh => stage b ¦ a service by its address :: $7 curl -s https://ci.example.com/9 => curl: (7) Failed to connect
  a tool of another host's :: call mcp__lab__sample {"id":7} => no news
`

const at = (seconds: number): string => new Date(Date.parse("2026-03-02T09:00:00Z") + seconds * 1000).toISOString()

/** The call so many times, each so many seconds after the end of the one before. */
const every = (seconds: number, count: number, line: string, lasting = 2): ReadonlyArray<TranscriptEvent> =>
  rounds(count, line).map((one, index) => ({
    ...one,
    at: at(index * (seconds + lasting)),
    ...(one.type === "tool_call" && { endedAt: at(index * (seconds + lasting) + lasting) })
  }))

describe("polling", () => {
  it.each(table(pollers))("19 equal polls are no loop, 40 are one: %s", (_, line = "") => {
    assert.strictEqual(found(rounds(19, line)), "")
    assert.notStrictEqual(found(rounds(40, line)), "")
    assert.strictEqual(found(rounds(60, `${line.split(" => ")[0]} => {i} of 60 done`)), "")
  })

  it.each(table(unlisted))("unlisted calls with pauses: 19 are no loop, 64 are one: %s", (_, line = "") => {
    for (const seconds of [60, 20]) assert.strictEqual(found(every(seconds, 19, line)), "")
    assert.notStrictEqual(found(every(60, 64, line)), "")
  })

  it.each(list`
    $ ./ops/state.sh => pending ¦ $ gcloud builds describe 12 => status: QUEUED ¦ $ terraform-state show => 3 resources not ready
    $ ./deploy-info => UPDATE_IN_PROGRESS
  `)("a call whose result says `pending` or alike is a poll: %s", (line) => {
    assert.strictEqual(found(rounds(12, line)), "")
    assert.notStrictEqual(found(rounds(40, line)), "")
  })

  it.each(list`
    $1 cargo test => running 3 tests\\ntest a ... FAILED ¦ $1 python train.py => Running epoch 1\\nTraceback (most recent call last):\\nValueError
    $1 grep -n pending src/queue.ts => 12: pending ¦ $1 gh api -X POST repos/a/b/dispatches => no ¦ $1 gh issue create --title x => no
    $1 curl --json '{}' http://localhost/run => no ¦ $1 git status => no
  `)("not a poll, so four repeats are a loop: %s", (line) => assert.notStrictEqual(found(rounds(4, line)), ""))

  it.each(list`
    $1 npm test => 1 failed, 3 passed ¦ $1 python reproduce.py => ValueError: no price ¦ call Read {"file_path":"src/a.ts"} => const a = 1
    $ grep -rn price src => src/a.ts:1:price ¦ $ git status --short =>  M src/a.ts
  `)("not a poll despite pauses, and neither is a slow call: %s", (line) => {
    assert.notStrictEqual(found(every(45, 5, line)), "")
    assert.notStrictEqual(found(every(3, 5, "$ ./simulate => energy 7", 90)), "")
  })
})

const looks = (count: number): string =>
  Array.from({ length: count }, (_, at) => `call Read {"file_path":"src/part-${at}.ts"} => text ${at}`).join(" / ")

const plans = (line: string, info: { readonly attended?: boolean } = {}): boolean => {
  const events = { ...transcript(session(line, words)), ...info }
  return StuckAssessment.assessTranscript(events, { now: null }).assessment.loops.some(
    ({ pattern }) => pattern === "planning"
  )
}

/** Whether the agent plans, the session, and `nobody` if nobody is there. */
const planning = String.raw`
  false :: order / looks 7 ¦ true :: order / looks 8 ¦ true :: order / looks 6 / $ npm test => 12 passed / looks 12 ¦ false :: order / looks 8 / asks
  false :: order / looks 8 / asks :: nobody ¦ false :: order / looks 12 / notice aborted ¦ false :: order / looks 6 / 6x call TaskCreate {"subject":"Read"}
  false :: order / looks 18 / 4x $ npm test => 12 passed
  false :: > /review the changes. Report only, do not change anything. / looks 12 / Reviewed: no issues. ¦ false :: > Why does it crash? / looks 20
  false :: > Review the change in src/a.ts. / looks 20 ¦ false :: > Run the tests and report. / looks 20
`

const seen = (line: string): string => line.replaceAll(/looks (\d+)/g, (_, count: string) => looks(Number(count)))

describe("planning", () => {
  it.each(table(planning))("%s: %s %s", (expected, line = "", who = "") => {
    assert.strictEqual(String(plans(seen(line), { attended: who !== "nobody" })), expected)
  })

  it.each(list`
    $ git status ¦ $ git log --oneline -5 => a1b2c3 x ¦ $ git diff main...HEAD => +1 ¦ $ git show HEAD => +1 ¦ $ git branch -a => * main
    $ gh pr view 7 --comments => x ¦ $1 rg -n token src ¦ call WebFetch {"url":"https://x.example"} => a ¦ call TodoWrite {"todos":[]} => a
    $8 gh pr checks 7 => e2e pending
  `)("is not ended by %s", (look) => assert.isTrue(plans(seen(`order / looks 8 / ${look}`))))

  it.each(list`
    edit src/part-3.ts ¦ $ cat > src/a.ts <<'EOF'\\nx\\nEOF ¦ $ git commit -am x ¦ $ python reproduce.py => 7 ¦ call mcp__repo__apply {"id":1}
    call Task {"prompt":"Fix it."} => done
  `)("is ended by %s, unless there were twelve looks", (work) => {
    assert.isFalse(plans(seen(`order / looks 11 / ${work}`)))
    for (const line of [`looks 12 / ${work}`, `${work} / looks 12`]) assert.isTrue(plans(seen(`order / ${line}`)))
  })

  it("no planning if at least two calls among the looks do work, at any place", () => {
    const works = fc.constantFrom("edit src/part-3.ts", "$ python reproduce.py => 7", "$ git commit -am x")
    fc.assert(
      fc.property(fc.array(works, { minLength: 2, maxLength: 4 }), fc.nat({ max: 12 }), (done, index) => {
        const all = looks(22).split(" / ")
        assert.isFalse(plans(["order", ...all.slice(0, index), ...done, ...all.slice(index)].join(" / ")))
      })
    )
  })
})

const silent = (
  line: string,
  { silence = 60, ...settings }: ReflexionConfig.PartialConfig & { silence?: number } = {}
) => {
  const timed = session(line, words).map((event, index) => ({ ...event, at: at(index) }))
  const context = { config: ReflexionConfig.merge(utmost, settings) }
  const now = at(timed.length - 1 + silence)
  return StuckAssessment.assessTranscript(transcript(timed), { now, context }).assessment
}

describe("the rule of a silent agent's loop", () => {
  it.each(["4x $ cat src/part-3.ts => const part = 3", "4x red", "4x … I am looking into the crash."])("%s", (loop) => {
    const levels = (["nudge", "tell", "off"] as const).map((level) => {
      const { finding, loops, shouldNudge, stuck } = silent(`order / ${loop}`, { rules: { "loops/repeat": level } })
      return [finding?.level, loops.length > 0, stuck, shouldNudge]
    })
    assert.deepStrictEqual(levels.slice(0, 2), [
      ["nudge", true, true, true],
      ["tell", true, true, false]
    ])
    assert.deepStrictEqual(levels[2]?.slice(0, 2), [undefined, false])
  })

  it("after a long silence, a loop at level `tell` still words the nudge", () => {
    const { finding, nudge } = silent(seen("order / looks 12"), { silence: 600, rules: { "loops/planning": "tell" } })
    assert.deepInclude(finding, { rule: "loops/planning", level: "tell" })
    assert.isTrue(nudge?.startsWith("STOP: Planning Loop Detected"))
  })
})

const stopped = (line: string) => {
  const timed = session(line, words).map((event, index) => ({ ...event, at: at(index * 30) }))
  const { feedback, shouldContinue, status } = Judgment.judge(transcript(timed), { context: utmostContext })
  return { feedback, said: `${status}${shouldContinue ? ", nudged" : ""}` }
}

describe("a stop after the same failing call", () => {
  const watching = "> Keep an eye on the pipeline and let me know the outcome."
  const ordered = "> Fix the total and make the tests pass. / edit src/total.ts / 3x $1 npm test => Tests: 1 failed"
  const five =
    "> Fix the total. / edit src/total.ts / 5x $1 npm test => Tests: 1 failed, 3 passed / `npm test` fails each time."

  it.each([
    ["abstained", `${watching} / 5x $8 gh pr checks 7 --watch=false => e2e pending / e2e is pending yet.`],
    ["abstained", `${watching} / 5x $1 [ -e build/ok ] / \`build/ok\` is not there yet.`],
    ["incomplete", `${watching} / 5x $3 ./ci-state 7 => deploy: in progress (3 s) / The deployment goes on.`],
    ["stuck, nudged", "> Fix the image. / 4x $2 make image 2>&1 | tail -20 => make: *** [image] Error 2"],
    ["abstained", "> Start `python boom.py` six times and note what it prints. / 6x $139 python boom.py => a / 139."],
    ["stuck, nudged", "> Start `python boom.py` two times. / 6x $139 python boom.py => fault"],
    ["stuck, nudged", "> Make `python boom.py` work. / 4x $139 python boom.py => fault"],
    ["stuck, nudged", "> Adjust the theme. / 4x $3 ./mkdocs.sh => missing theme / The theme is as you wanted it."],
    ["stuck, nudged", five],
    ["waiting_for_user", `${five} Which of the two totals is right?`],
    ["stuck, nudged", `${ordered} / I'm stuck: the test fails each time.`],
    ["stuck, nudged", `${ordered} / The test still fails, and I am out of ideas.`]
  ])("is %s: %s", (expected, line) => assert.strictEqual(stopped(line.replaceAll("`", "\\`")).said, expected))

  it("the nudge asks for another approach, with command and count, not for a rerun", () => {
    const { feedback } = stopped(`${ordered} / I'm stuck: the test fails each time.`)
    assert.include(feedback, "`npm test` failed 3 times in a row")
    assert.include(feedback, "a different approach")
    assert.notMatch(feedback ?? "", /(?:then|and) run it again|Run `npm test`/)
  })
})

describe("the text of a loop", () => {
  it.each(pairs`
    planning :: STOP: Planning Loop Detected ¦ action :: STOP: Action Loop Detected ¦ same_result :: STOP: Action Loop Detected
    failing_call :: STOP: Action Loop Detected ¦ cycle :: STOP: Action Loop Detected ¦ monologue :: STOP: Monologue Loop Detected
  `)("on %s opens with %j, names the call and the count, and is short", (pattern, opening) => {
    const calls = [{ tool: "Bash", summary: "npm test" }]
    const text = Loops.feedback({ pattern: pattern as Loops.Loop["pattern"], period: 1, count: 7, calls, callIds: [] })
    assert.isTrue(text.startsWith(opening))
    for (const part of ["npm test", "7"]) assert.include(text, part)
    assert.isBelow(text.length, 2000)
  })

  it.each(["-".repeat(600), "| 1 | 2 | 3 |\n".repeat(40), "The parser reads tokens. ".repeat(9)])(
    "one message alone is no loop, whatever it holds: %s",
    (text) => assert.strictEqual(found([agent(text)]), "")
  )

  it("shows no secret", () => {
    const [, secret = ""] = tokens.find(([kind]) => kind === "github-token") ?? []
    const events = [1, 2, 3].map(() => run(`curl -X POST -H 'Authorization: Bearer ${secret}' https://x.test`, 1, "no"))
    const all = Loops.read(fold(events))
    assert.isNotEmpty(all)
    assert.notInclude(JSON.stringify([fold(events), all.map(Loops.feedback)]), secret)
  })
})

const isLoops = Schema.is(Schema.Array(Loop))

const isHeard = (one: TranscriptEvent): boolean =>
  one.type !== "tool_call" ||
  (one.agentId === null && !["pending", "running", "interrupted"].includes(one.status ?? ""))

const events = fc.array(anyEvent, { maxLength: 60 })

it("any events: the state is bounded, and loops have one-line calls and a short text", () => {
  fc.assert(
    fc.property(events, (all) => {
      const state = fold(all)
      // The state has at most sixty-four calls with their summaries, and little else.
      assert.isBelow(JSON.stringify(state).length, 32_000)
      const loops = Loops.read(state)
      assert.isTrue(isLoops(loops))
      for (const loop of loops) {
        assert.isBelow(Loops.feedback(loop).length, 2001)
        assert.isAbove(loop.count, 2)
        for (const { summary } of loop.calls) assert.isTrue(summary.length <= 120 && !summary.includes("\n"))
      }
      // The fold starts again at the user's words. It ignores subagents and calls that are not settled.
      assert.deepStrictEqual(fold([...all, user("And now?")]), Loops.initial)
      assert.deepStrictEqual(state, fold(all.filter(isHeard)))
    })
  )
})

/** The texts that replace `{…}`: another text each time, and of another length. */
const volatile: Readonly<Record<string, (seed: number) => string>> = {
  time: (seed) => new Date(1_772_000_000_000 + seed * 977_777).toISOString(),
  clock: (seed) => `${(seed % 23) + 1}:${String(seed % 60).padStart(2, "0")}`,
  duration: (seed) => `${(seed * 7) % 900}.${seed % 97}s`,
  pid: (seed) => String(seed * 31),
  uuid: (seed) => `8f14e45f-ceea-467f-ab31-${(seed * 99_991).toString(16).padStart(12, "0").slice(-12)}`,
  address: (seed) => `0x7f${(seed * 65_537).toString(16)}`,
  port: (seed) => String(1024 + ((seed * 13) % 60_000)),
  line: (seed) => String(1 + ((seed * 3) % 4000))
}

const fill = (template: string, seed: number): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => volatile[name]?.(seed) ?? name)

const commands = ["npm test", "./check --run {uuid} --since {time}", "cat a.ts", "python x.py", "sed -i s/a/b/ a.ts"]

const outputs = list`
    1 failed, 3 passed in {duration} ¦ {time} GET http://localhost:{port}/x took {duration} ¦ src/a.ts:{line}:7 error at {address} ¦ [{clock}] pid {pid} started
    ok
  `

const step = fc.record({ command: fc.nat({ max: 2 }), output: fc.nat({ max: 1 }), exitCode: fc.constantFrom(0, 1) })

/** Rounds of up to three steps, gone through a few times. */
const history = fc.record({
  commands: fc.shuffledSubarray([...commands], { minLength: 3 }),
  outputs: fc.shuffledSubarray([...outputs], { minLength: 2 }),
  steps: fc
    .array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 6 })), { maxLength: 4 })
    .map((rounds) => rounds.flatMap(([round, times]) => Array.from({ length: times }, () => round).flat())),
  seed: fc.integer({ min: 1, max: 5000 })
})

type History = typeof history extends fc.Arbitrary<infer A> ? A : never

const play = (self: History, seed: number, isFixed = false): ReadonlyArray<ToolCall> =>
  self.steps.map(({ command, exitCode, output }, index) => {
    const of = (text: string | undefined, each: number) => fill(text ?? "", isFixed ? 7 : seed + index * each)
    const id = `c${index}`
    return run(of(self.commands[command], 17), exitCode, of(self.outputs[output], 29), { id })
  })

const shape = (calls: ReadonlyArray<ToolCall>): ReadonlyArray<ReadonlyArray<string>> =>
  calls.map((_, index) =>
    Loops.read(fold(calls.slice(0, index + 1))).map(
      ({ callIds, count, pattern, period }) => `${pattern} ${period}×${count} ${callIds.join(" ")}`
    )
  )

describe("the loops that are found", () => {
  it("the loops are the same, whatever times, ids and ports the session has", () => {
    let looping = 0
    fc.assert(
      fc.property(history, (self) => {
        const found = shape(play(self, self.seed))
        if (found.some((loops) => loops.length > 0)) looping += 1
        assert.deepStrictEqual(found, shape(play(self, self.seed * 3 + 1)))
        assert.deepStrictEqual(found, shape(play(self, 1, true)))
      }),
      { numRuns: 25, seed: 7 }
    )
    assert.isAbove(looping, 5)
  })

  it("outputs that differ only by a clock: a loop every second, none every 30 seconds", () => {
    fc.assert(
      fc.property(fc.constantFrom("./clock", "./click 7", "python app.py"), fc.nat({ max: 4000 }), (command, seed) => {
        const calls = (seconds: number) =>
          Array.from({ length: 30 }, (_, index) =>
            run(command, 0, `at ${(seed + index * 7) % 60}`, { at: new Date(index * seconds * 1000).toISOString() })
          )
        const found = Loops.read(fold(calls(1))).map(({ count, pattern }) => `${pattern} ${count}`)
        assert.deepStrictEqual(found, ["same_result 30"])
        assert.deepStrictEqual(Loops.read(fold(calls(30))), [])
      })
    )
  })
})
