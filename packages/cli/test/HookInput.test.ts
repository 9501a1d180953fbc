/** The hooks as `install` writes them into a host's settings, run as the host runs them, on what standard input can be. */
import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import type { Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { hooksHome } from "./hooksHome.ts"
import { builtHooks } from "./runCli.ts"

const decode = Schema.decodeUnknownSync(Schema.parseJson(Decision.Decision))

const silence = { code: 0, out: "", err: "" }

const installed = Effect.gen(function* () {
  const home = yield* hooksHome
  yield* home.run("install claude-code", { hooks: builtHooks })
  const { hooks }: { hooks: Record<string, ReadonlyArray<{ hooks: ReadonlyArray<{ command: string }> }>> } = JSON.parse(
    home.read(".claude/settings.json") ?? ""
  )
  const recording = new URL("../../testing/recordings/claude-code/claim-contradicted.jsonl", import.meta.url)
  const record = home.put("s1.jsonl", readFileSync(recording, "utf8").replaceAll("/home/dev/shop", home.project))
  const payload = (event: string, session = "s1") =>
    JSON.stringify({
      session_id: session,
      prompt_id: "p1",
      transcript_path: record,
      cwd: home.project,
      hook_event_name: event,
      permission_mode: "default",
      stop_hook_active: false,
      source: "startup",
      prompt: "/reflection status",
      tool_name: "TodoWrite"
    })
  const commandOf = (event: string): string => hooks[event]?.[0]?.hooks[0]?.command ?? assert.fail(event)
  /** Runs it through a shell, as hosts do; what `begin` leaves open stays open until the hook has ended. */
  const run = (event: string, begin: (input: Writable) => void, more = "") =>
    Effect.promise(async () => {
      const env = { HOME: home.home, PATH: process.env["PATH"] }
      const child = spawn("/bin/sh", ["-c", `${commandOf(event)}${more}`], { cwd: home.home, env })
      // The hook may end before it has read everything.
      child.stdin.on("error", () => {})
      begin(child.stdin)
      const [out, err, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise<number | null>((resolve) => child.on("exit", resolve))
      ])
      child.stdin.destroy()
      return { code, out, err }
    })
  const logged = () =>
    (home.read(".local/state/reflexion/log.jsonl") ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => decode(line))
  return { events: Object.keys(hooks), home, logged, payload, run }
})

const failures = (all: ReadonlyArray<Decision.Decision>) => all.filter(({ decision }) => decision === "failure")

describe("the installed hooks", () => {
  it.scopedLive("read a payload whose pipe stays open, with a byte order mark or without, at every event", () =>
    Effect.gen(function* () {
      const { events, logged, payload, run } = yield* installed
      for (const event of events) {
        for (const mark of ["", "\uFEFF"]) {
          // A session for each: an interruption would end the review of the stop next to it.
          const answer = yield* run(event, (input) => input.write(mark + payload(event, `${event}${mark.length}`)))
          assert.deepInclude(answer, { code: 0, err: "" })
          if (event === "Stop") assert.include(answer.out, "[reflexion 1/3]")
          if (event === "UserPromptSubmit") assert.include(answer.out, "reflexion is on")
        }
      }
      assert.deepStrictEqual(failures(logged()), [])
    })
  )

  it.scopedLive("end by themselves, silently, where no whole payload comes, and the log says so", () =>
    Effect.gen(function* () {
      const { home, logged, payload, run } = yield* installed
      const half = payload("Stop").slice(0, -1)
      const runs = [
        run("Stop", () => {}),
        run("Stop", (input) => input.write(half)),
        run("Stop", (input) => input.end("")),
        run("Stop", (input) => input.end(half)),
        run("Stop", (input) => input.write("[]")),
        run("Stop", () => {}, " <&-"),
        run("Stop", () => {}, ` < ${home.home}`),
        run("Stop", () => {}, " < /dev/zero")
      ]
      for (const one of runs) assert.deepStrictEqual(yield* one, silence)
      assert.lengthOf(failures(logged()), runs.length)
    })
  )

  it.scopedLive("refuse what is too large without reading the rest", () =>
    Effect.gen(function* () {
      const { logged, payload, run } = yield* installed
      const megabyte = Buffer.alloc(1024 * 1024, "a")
      const endless = (input: Writable): void => {
        input.write(payload("Stop").replace(/\}$/, ',"more":"'))
        const more = (): void => {
          while (!input.destroyed && input.write(megabyte));
        }
        input.on("drain", more)
        more()
      }
      for (const begin of [endless, (input: Writable) => input.end(Buffer.alloc(50 * 1024 * 1024, "["))]) {
        assert.deepStrictEqual(yield* run("Stop", begin), silence)
        assert.include(logged().at(-1)?.reason, "the payload is larger than 32 MB")
      }
    })
  )
})
