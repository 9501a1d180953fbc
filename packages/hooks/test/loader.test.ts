import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import { marker } from "@reflexion/core/internal/model/calls/HostProcess"
import { Effect, Schema } from "effect"
import { spawn, spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { join } from "node:path"
import { place } from "./support/bundled.ts"
import { configure, edited, scratch } from "./support/session.ts"
import { live, works } from "../../core/test/support/works.ts"

const decode = Schema.decodeSync(Schema.parseJson(Schema.Array(Decision.Decision)))

const silence = { status: 0, stderr: "", stdout: "" }

/** All of them at night, otherwise the first: each takes a process or more. */
const some = <A>(first: A, ...more: ReadonlyArray<A>): ReadonlyArray<A> =>
  process.env["REFLEXION_TESTS"] === "night" ? [first, ...more] : [first]

/** The hook as it is installed, and functions that run it as the host does. */
const installed = Effect.gen(function* () {
  const scratched = yield* scratch
  const { home } = scratched
  const folder = join(home, "hook")
  Fs.mkdirSync(folder)
  place("claude-code", folder)
  const asks = { session_id: "s", hook_event_name: "UserPromptSubmit", cwd: home, prompt: "/reflection status" }
  const payload = JSON.stringify(asks)
  /** `input`: the text that the hook gets, or the file descriptor that it reads. */
  const start = (event: string, input: string | number, env: Readonly<Record<string, string>> = {}) => {
    const { signal, status, stderr, stdout } = spawnSync(process.execPath, [join(folder, "hook.cjs"), event], {
      ...(typeof input === "string" ? { input } : { stdio: [input, "pipe", "pipe"] }),
      encoding: "utf8",
      env: { HOME: home, PATH: process.env["PATH"], ...env },
      timeout: 30_000
    })
    assert.isNull(signal)
    return { status, stderr, stdout }
  }
  const run = (input = payload) => start("UserPromptSubmit", input)
  const code = join(home, ".cache", "reflexion", "code")
  const cache = (): string => join(code, Fs.readdirSync(code)[0] ?? "none")
  const log = join(home, ".local", "state", "reflexion", "log.jsonl")
  const logged = (): ReadonlyArray<Decision.Decision> =>
    decode(`[${Fs.readFileSync(log, "utf8").trim().split("\n").join()}]`)
  return { scratched, cache, folder, home, logged, payload, run, start }
})

const inHook = (title: string, work: (hook: Effect.Effect.Success<typeof installed>) => void) =>
  it.scoped(title, () => Effect.map(installed, work))

describe("the hook's code cache", () => {
  inHook("is made by the first run, and again after it was cut or changed", ({ cache, run }) => {
    const first = run()
    assert.deepInclude(first, { status: 0, stderr: "" })
    assert.include(first.stdout, "reflexion is on")
    const made = Fs.readFileSync(cache())
    assert.isAbove(made.length, 100_000)
    const lost = Buffer.from(made).fill(0, 8192, 16_384)
    for (const damage of some(lost, made.subarray(0, made.length / 3), Buffer.alloc(0))) {
      Fs.writeFileSync(cache(), damage)
      assert.deepStrictEqual(run(), first)
      assert.isAbove(Fs.readFileSync(cache()).length, 100_000)
    }
  })
})

describe("a hook of a host that answers a question of ours", () => {
  inHook("says nothing and logs nothing", ({ home, payload, run, start }) => {
    assert.deepStrictEqual(start("UserPromptSubmit", payload, { [marker]: "1" }), silence)
    assert.notInclude(Fs.readdirSync(home), ".local")
    assert.include(run().stdout, "reflexion is on")
  })
})

describe("a payload that is there when its time is up", () => {
  const timer = [
    "const { setTimeout: real } = globalThis",
    "const nap = new Int32Array(new SharedArrayBuffer(4))",
    "globalThis.setTimeout = (work) => { const timer = real(work, 1); Atomics.wait(nap, 0, 0, 20); return timer }"
  ].join("\n")

  works("is still read", function* () {
    const { home, payload, start } = yield* installed
    const file = join(home, "preload.cjs")
    Fs.writeFileSync(file, timer)
    const fifo = join(home, "fifo")
    spawnSync("mkfifo", [fifo])
    const input = Fs.openSync(fifo, Fs.constants.O_RDWR)
    yield* Effect.addFinalizer(() => Effect.sync(() => Fs.closeSync(input)))
    Fs.writeSync(input, payload)
    const { stderr, stdout } = start("UserPromptSubmit", input, { NODE_OPTIONS: `--require=${file}` })
    assert.strictEqual(stderr, "")
    assert.include(stdout, "reflexion is on")
  })
})

describe("a hook that cannot run", () => {
  inHook("says nothing to the host, and logs why", ({ folder, home, logged, run }) => {
    const main = join(folder, "hook-main.cjs")
    const whole = Fs.readFileSync(main)
    const half = whole.subarray(0, 200_000)
    const damages = some<string | Buffer>("throw new Error('broken')", "", "}{", "\0".repeat(500), half)
    for (const damaged of damages) {
      Fs.writeFileSync(main, damaged)
      assert.deepStrictEqual(run(), silence)
    }
    Fs.rmSync(main)
    assert.deepStrictEqual([run(), run("no payload")], [silence, silence])
    const decisions = logged()
    assert.strictEqual(decisions.length, damages.length + 2)
    const common = { host: "claude-code", event: "UserPromptSubmit", sessionId: "s", directory: home } as const
    for (const decision of decisions.slice(0, -1)) {
      assert.deepInclude(decision, { ...common, decision: "failure" })
      assert.match(
        decision.reason,
        /hook-main\.cjs does not run, install it again with `reflexion install claude-code`/
      )
    }
    assert.include(decisions[0]?.reason, "broken")
    assert.include(decisions.at(-2)?.reason, "ENOENT")
    assert.isNull(decisions.at(-1)?.sessionId)
    Fs.writeFileSync(main, whole)
    assert.include(run().stdout, "reflexion is on")
  })

  inHook("is ended in time, even in an endless loop", ({ folder, logged, start }) => {
    const naps = "for (;;) { try { for (;;) Atomics.wait(nap, 0, 0, 20) } catch {} finally { } }"
    const main = `const nap = new Int32Array(new SharedArrayBuffer(4)); ${naps}`
    Fs.writeFileSync(join(folder, "hook-main.cjs"), main)
    assert.deepStrictEqual(start("Interrupt", "{}"), silence)
    assert.match(logged()[0]?.reason ?? "", /^Interrupt took longer than the 2\.5 s that a hook has for it/)
  })

  inHook("ends normally if no folder for its state can be made", ({ home, start }) => {
    const transcript = join(home, "s.jsonl")
    Fs.writeFileSync(transcript, "")
    const common = { session_id: "s", transcript_path: transcript, cwd: home }
    for (const place of some("/dev/null", "/proc/x")) {
      const env = { XDG_STATE_HOME: place, XDG_CACHE_HOME: place }
      const stop = JSON.stringify({ ...common, hook_event_name: "Stop" })
      assert.deepStrictEqual(start("Stop", stop, env), silence, place)
      const typed = JSON.stringify({ ...common, hook_event_name: "UserPromptSubmit", prompt: "/reflection stop" })
      assert.include(start("UserPromptSubmit", typed, env).stdout, "could not do what", place)
    }
  })

  inHook("says in one line which part of it is missing, and what to do", ({ folder, run, scratched }) => {
    configure(scratched, {})
    Fs.rmSync(join(folder, "hook-consult.cjs"))
    const { stdout } = run()
    const problem = "hook-consult.cjs is missing or damaged: install it again with `reflexion install claude-code`"
    assert.include(stdout, problem)
    assert.notInclude(stdout, "more)")
  })
})

const claim = "Done, the rounding is fixed and all tests pass."

/** A stop of an agent that was asked for passing tests and ran none, under checks of the user's. */
const stopping = Effect.map(installed, (hook) => {
  const { scratched } = hook
  const agent = edited(scratched).says(claim)
  const check = (command: string): void => configure(scratched, { checks: [{ name: "tests", command }] })
  const stop = { session_id: "s1", hook_event_name: "Stop", transcript_path: agent.file, cwd: scratched.root }
  const input = (message = claim): string =>
    JSON.stringify({ ...stop, permission_mode: "default", last_assistant_message: message })
  return { ...hook, check, input }
})

describe("a hook that looks at more than evidence", () => {
  works("uses evidence alone if its other part is missing, and logs that", function* () {
    const { check, folder, input, logged, run, start } = yield* stopping
    check("exit 1")
    // From now on, the hook has the configuration in its cache.
    run()
    Fs.rmSync(join(folder, "hook-consult.cjs"))
    const { status, stdout } = start("Stop", input())
    assert.strictEqual(status, 0)
    assert.include(stdout, "[reflexion 1/3]")
    const [failure, nudge] = logged()
    assert.match(failure?.reason ?? "", /only the evidence was examined: .*hook-consult\.cjs/)
    assert.strictEqual(nudge?.decision, "nudge")
  })

  live("when killed, ends the check that it runs, and blocks no later stop", function* () {
    const { check, folder, home, input, start } = yield* stopping
    const beat = join(home, "beat")
    check(`while :; do date +%s%N > ${beat}; sleep 0.05; done`)
    const env = { HOME: home, PATH: process.env["PATH"] }
    const hook = spawn(process.execPath, [join(folder, "hook.cjs"), "Stop"], { env, stdio: "pipe" })
    hook.stdin.end(input())
    const beats = Effect.sync(() => (Fs.existsSync(beat) ? Fs.readFileSync(beat, "utf8") : ""))
    yield* Effect.repeat(Effect.delay(beats, "20 millis"), { until: (text) => text !== "" })
    hook.kill("SIGKILL")
    const isStill = Effect.gen(function* () {
      const before = yield* beats
      return (yield* Effect.delay(beats, "400 millis")) === before
    })
    yield* Effect.repeat(isStill, { until: (still) => still })
    check("exit 4")
    assert.include(start("Stop", input("It is done, and the tests pass.")).stdout, "exited 4")
  })
})
