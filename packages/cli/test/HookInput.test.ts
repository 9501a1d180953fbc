/** The hooks as `install` writes them into a host's settings, run as the host runs them, on all that standard input can be. */
import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import { Effect, Schema } from "effect"
import { spawn, spawnSync, type StdioOptions } from "node:child_process"
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { type Home, hooksHome } from "./hooksHome.ts"
import { builtHooks } from "./runCli.ts"

const settings = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" } as const

type Host = keyof typeof settings

/** Both have the same loader; that of the second is tried at night. */
const hosts: ReadonlyArray<Host> =
  process.env["REFLEXION_TESTS"] === "night" ? ["claude-code", "codex"] : ["claude-code"]

const Hooks = Schema.Struct({
  hooks: Schema.Record({
    key: Schema.String,
    value: Schema.Array(Schema.Struct({ hooks: Schema.Array(Schema.Struct({ command: Schema.String })) }))
  })
})

const decodeHooks = Schema.decodeUnknownSync(Schema.parseJson(Hooks))
const decodeDecision = Schema.decodeUnknownSync(Schema.parseJson(Decision.Decision))

interface Answer {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly peak: number
}

const silence = { code: 0, out: "", err: "" }

interface Installed extends Home {
  readonly host: Host
  /** The commands by event. */
  readonly commands: ReadonlyArray<readonly [event: string, command: string]>
  readonly payload: (event: string, more?: object) => string
  readonly logged: () => ReadonlyArray<Decision.Decision>
}

const installed = (host: Host) =>
  Effect.gen(function* () {
    const home = yield* hooksHome
    const { code, err } = yield* home.run(`install ${host}`, { hooks: builtHooks })
    assert.strictEqual(code, 0, err)
    const commands = Object.entries(decodeHooks(home.read(settings[host])).hooks).flatMap(([event, groups]) =>
      groups.flatMap(({ hooks }) => hooks.map(({ command }) => [event, command] as const))
    )
    const recording = new URL(`../../testing/recordings/${host}/claim-contradicted.jsonl`, import.meta.url)
    const record = home.put("s1.jsonl", readFileSync(recording, "utf8").replaceAll("/home/dev/shop", home.project))
    const log = ".local/state/reflexion/log.jsonl"
    return {
      ...home,
      host,
      commands,
      payload: (event, more = {}) =>
        JSON.stringify({
          session_id: "s1",
          turn_id: "t1",
          prompt_id: "p1",
          transcript_path: record,
          cwd: home.project,
          hook_event_name: event,
          permission_mode: "default",
          stop_hook_active: false,
          source: "startup",
          prompt: host === "codex" ? "reflection status" : "/reflection status",
          tool_name: "TodoWrite",
          ...more
        }),
      logged: () =>
        (home.read(log) ?? "")
          .trim()
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => decodeDecision(line))
    } satisfies Installed
  })

const commandOf = ({ commands }: Installed, event: string): string =>
  commands.find(([name]) => name === event)?.[1] ?? assert.fail(`no hook at ${event}`)

const textOf = (stream: Readable): (() => string) => {
  let text = ""
  stream.setEncoding("utf8").on("data", (more: string) => {
    text += more
  })
  return () => text
}

/** Runs it through a shell, as hosts do. `begin` is given its standard input, and what ends it when the hook has ended. */
const started = (
  { home }: Home,
  command: string,
  given: {
    readonly begin?: (input: Writable) => void
    readonly input?: number | "ignore"
    readonly env?: Readonly<Record<string, string>>
  }
) =>
  Effect.promise(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const stdio: StdioOptions = [given.input ?? "pipe", "pipe", "pipe"]
        const peak = join(home, "peak")
        const child = spawn("/bin/sh", ["-c", command], {
          stdio,
          cwd: home,
          env: { HOME: home, PATH: process.env["PATH"], ...given.env }
        })
        const { stderr, stdin, stdout } = child
        if (stdout === null || stderr === null) throw new Error("no pipes")
        const [out, err] = [textOf(stdout), textOf(stderr)]
        // The hook may end before it has read everything.
        stdin?.on("error", () => {})
        child.on("error", reject).on("close", (code) => {
          stdin?.destroy()
          resolve({ code, out: out(), err: err(), peak: existsSync(peak) ? Number(readFileSync(peak, "utf8")) : 0 })
        })
        if (stdin !== null) (given.begin ?? (() => {}))(stdin)
      })
  )

const said = ({ code, err, out }: Answer) => ({ code, out, err })

/** A hook whose standard input is written and left open. */
const leftOpen = (hook: Installed, event: string, text: string | Uint8Array, env?: Readonly<Record<string, string>>) =>
  started(hook, commandOf(hook, event), { begin: (input) => void input.write(text), ...(env !== undefined && { env }) })

/** The same by a pipe of the file system's, where Node's own are sockets. */
const leftOpenPipe = (hook: Installed, event: string, text: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const path = join(hook.home, `pipe-${event}-${text.length}`)
      spawnSync("mkfifo", [path])
      const descriptor = openSync(path, constants.O_RDWR)
      if (text !== "") writeSync(descriptor, text)
      return descriptor
    }),
    (input) => started(hook, commandOf(hook, event), { input }),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  )

const closed = (hook: Installed, event: string, text: string | Uint8Array) =>
  started(hook, commandOf(hook, event), { begin: (input) => void input.end(text) })

const isPush = ({ out }: Answer): boolean => out.includes("[reflexion 1/3]")

/** In kB, as Node has it. */
const isSmall = ({ peak }: Answer): boolean => peak > 1000 && peak / 1024 < 300

const isStatus = ({ out }: Answer): boolean => out.includes("reflexion is on")

const reasons = (hook: Installed): ReadonlyArray<string> => hook.logged().map(({ reason }) => reason)

const failures = (hook: Installed): ReadonlyArray<string> =>
  hook
    .logged()
    .filter(({ decision }) => decision === "failure")
    .map(({ reason }) => reason)

describe.each(hosts)("the installed hooks of %s", (host) => {
  it.scopedLive("read a payload whose pipe stays open, at every event", () =>
    Effect.gen(function* () {
      const hook = yield* installed(host)
      assert.isAbove(hook.commands.length, 3)
      const events = [...new Set(hook.commands.map(([event]) => event))]
      const answers = yield* Effect.forEach(
        events,
        (event) =>
          // A session for each: an interruption would end the review of the stop beside it.
          Effect.forEach(["", "\n"], (end) =>
            leftOpen(hook, event, hook.payload(event, { session_id: `${event}${end.length}` }) + end)
          ),
        { concurrency: "unbounded" }
      )
      for (const answer of answers.flat()) assert.deepInclude(answer, { code: 0, err: "" })
      assert.deepStrictEqual(failures(hook), [])
      const of = (event: string) => answers[events.indexOf(event)] ?? []
      assert.isTrue(of("Stop").every(isPush))
      assert.isTrue(of("UserPromptSubmit").every(isStatus))
    })
  )

  it.scopedLive("read it from a pipe of the file system, and where Node's own way to its pipes is closed", () =>
    Effect.gen(function* () {
      const hook = yield* installed(host)
      assert.isTrue(isPush(yield* leftOpenPipe(hook, "Stop", hook.payload("Stop"))))
      const closedWay = hook.put("closed.cjs", "process.binding = undefined")
      const env = { NODE_OPTIONS: `--require=${closedWay}` }
      assert.isTrue(isPush(yield* leftOpen(hook, "Stop", hook.payload("Stop", { session_id: "s2" }), env)))
      assert.deepStrictEqual(said(yield* leftOpen(hook, "Stop", "", env)), silence)
      assert.match(reasons(hook).at(-1) ?? "", /^no payload came on standard input$/)
    })
  )

  it.scopedLive("end by themselves where nothing comes, or a part of the payload", () =>
    Effect.gen(function* () {
      const hook = yield* installed(host)
      const half = hook.payload("Stop").slice(0, -1)
      const events = [...new Set(hook.commands.map(([event]) => event))]
      const answers = yield* Effect.forEach(
        events,
        (event) =>
          Effect.all([leftOpen(hook, event, ""), leftOpen(hook, event, half), leftOpenPipe(hook, event, "")], {
            concurrency: "unbounded"
          }),
        { concurrency: "unbounded" }
      )
      for (const answer of answers.flat()) assert.deepStrictEqual(said(answer), silence)
      const logged = hook.logged()
      assert.lengthOf(logged, answers.flat().length)
      for (const decision of logged) {
        assert.strictEqual(decision.decision, "failure")
        assert.match(
          decision.reason,
          /^(?:no payload came on standard input$|the payload is no JSON, or only a part of it came: )/
        )
      }
      const { out } = yield* hook.run("report")
      assert.include(out, "the payload is no JSON, or only a part of it came")
      assert.include(out, "no payload came on standard input")
    })
  )

  it.scopedLive("end at once where standard input ends, is closed, or is anything else", () =>
    Effect.gen(function* () {
      const hook = yield* installed(host)
      const stop = commandOf(hook, "Stop")
      const part = hook.put("part", hook.payload("Stop").slice(0, 40))
      const runs = [
        closed(hook, "Stop", ""),
        closed(hook, "Stop", hook.payload("Stop").slice(0, 40)),
        started(hook, stop, { input: "ignore" }),
        started(hook, `${stop} <&-`, {}),
        started(hook, `${stop} < ${hook.home}`, {}),
        started(hook, `${stop} < ${part}`, {}),
        started(hook, `${stop} < /dev/zero`, {}),
        leftOpen(hook, "Stop", "{}"),
        leftOpen(hook, "Stop", "[]")
      ]
      for (const run of runs) assert.deepStrictEqual(said(yield* run), silence)
      assert.lengthOf(hook.logged(), runs.length)
      assert.isTrue(hook.logged().every(({ decision }) => decision === "failure"))
      assert.isFalse(reasons(hook).some((reason) => reason.includes("within")))
      const whole = hook.put("whole", `${hook.payload("Stop")}\n`)
      assert.isTrue(isPush(yield* started(hook, `${stop} < ${whole}`, {})))
    })
  )

  it.scopedLive("read a payload behind a byte order mark", () =>
    Effect.gen(function* () {
      const hook = yield* installed(host)
      for (const end of ["", "\r\n"]) {
        const at = (event: string) =>
          closed(hook, event, `\uFEFF${hook.payload(event, { session_id: `ß${end.length}` })}${end}`)
        assert.isTrue(isPush(yield* at("Stop")))
        assert.isTrue(isStatus(yield* at("UserPromptSubmit")))
        assert.deepInclude(yield* at("SessionStart"), { code: 0, err: "" })
      }
      assert.isTrue(hook.logged().every(({ sessionId }) => sessionId?.startsWith("ß")))
      assert.deepStrictEqual(failures(hook), [])
      assert.deepStrictEqual(said(yield* closed(hook, "Stop", "\uFEFF{")), silence)
      assert.match(reasons(hook).at(-1) ?? "", /^the payload is no JSON/)
    })
  )

  it.scopedLive("refuse what is too large, in little memory and without reading the rest", () =>
    Effect.gen(function* () {
      const hook = yield* installed(host)
      const peak = hook.put(
        "peak.cjs",
        'process.on("exit", () => require("node:fs").writeFileSync(process.env.HOME + "/peak", String(process.resourceUsage().maxRSS)))'
      )
      const env = { NODE_OPTIONS: `--require=${peak}` }
      const megabyte = Buffer.alloc(1024 * 1024, "a")
      /** A text without an end. */
      const endless = (input: Writable): void => {
        input.write(hook.payload("Stop").replace(/\}$/, ',"more":"'))
        const more = (): void => {
          while (!input.destroyed && input.write(megabyte));
        }
        input.on("drain", more)
        more()
      }
      const cases: ReadonlyArray<readonly [(input: Writable) => void, RegExp]> = [
        [endless, /^the payload is larger than 32 MB/],
        [(input) => void input.end(Buffer.alloc(50 * 1024 * 1024, "[")), /^the payload is larger than 32 MB/]
      ]
      for (const [begin, reason] of cases) {
        const answer = yield* started(hook, commandOf(hook, "Stop"), { begin, env })
        assert.deepStrictEqual(said(answer), silence)
        assert.isTrue(isSmall(answer), String(answer.peak))
        assert.match(reasons(hook).at(-1) ?? "", reason)
      }
      const prompt = hook.payload("UserPromptSubmit", { prompt: "\u00e9\u20ac".repeat(6_000_000) })
      const begin = (input: Writable): void => void input.end(prompt)
      const answer = yield* started(hook, commandOf(hook, "UserPromptSubmit"), { begin, env })
      assert.deepStrictEqual(said(answer), silence)
      assert.isTrue(isSmall(answer), String(answer.peak))
      assert.lengthOf(hook.logged(), cases.length)
    })
  )
})
