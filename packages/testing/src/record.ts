/** Plays the scenarios with the real Claude Code binary and keeps the transcripts: `npm run record [NAME…]`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Process from "node:process"
import * as ClaudeCodeHost from "./ClaudeCodeHost.ts"
import { type ClaudeCodeScenario, tools } from "./ClaudeCodeScenario.ts"
import * as ClaudeCodeScenarios from "./ClaudeCodeScenarios.ts"
import { sanitise } from "./internal/sanitise.ts"
import * as Recordings from "./Recordings.ts"
import * as Sandbox from "./Sandbox.ts"
import { ScriptedAnthropic } from "./ScriptedAnthropic.ts"

class RecordingError extends Data.TaggedError("RecordingError")<{
  readonly scenario: string
  readonly detail: string
}> {
  override get message() {
    return `The scenario ${this.scenario} was not recorded: ${this.detail}`
  }
}

const sessionId = (index: number) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`

const hostVersion = (transcript: string) => /"version":"(\d{1,4}\.\d{1,4}\.\d{1,6})"/.exec(transcript)?.[1] ?? "unknown"

/** What no recording may carry out of the machine that made it. */
const leak = (sandbox: Sandbox.Sandbox, transcript: string) =>
  [sandbox.root, Process.cwd(), "/root/"].find((secret) => transcript.includes(secret))

const play = (scenario: ClaudeCodeScenario, index: number) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make({
      name: "shop",
      project: scenario.project,
      ...(scenario.externalTools === undefined ? {} : { tools: scenario.externalTools })
    })
    return yield* Effect.gen(function* () {
      const session = yield* ClaudeCodeHost.run({
        sandbox,
        sessionId: sessionId(index),
        steps: scenario.steps,
        tools,
        permissions: scenario.permissions ?? { allow: ["Agent", "Bash", "Edit", "Write"], ask: false },
        ...scenario.session
      })
      const requests = yield* (yield* ScriptedAnthropic).requests
      if (requests.some((request) => request.answeredBy === "unscripted")) {
        return yield* new RecordingError({
          scenario: scenario.name,
          detail: "the model was asked more than is scripted"
        })
      }
      return { sandbox, session }
    }).pipe(Effect.provide(ScriptedAnthropic.layer(scenario.script(sandbox.workspace))))
  })

const keep = (scenario: ClaudeCodeScenario, sandbox: Sandbox.Sandbox, session: ClaudeCodeHost.Session) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = Recordings.folder("claude-code")
    const [main, ...sidechains] = session.transcripts
    yield* fs.remove(path.join(folder, scenario.name), { recursive: true, force: true })
    const store = (source: string, name: string) =>
      Effect.gen(function* () {
        const text = sanitise(sandbox, yield* fs.readFileString(source))
        const found = leak(sandbox, text)
        if (found !== undefined) {
          return yield* new RecordingError({ scenario: scenario.name, detail: `it names ${found}` })
        }
        yield* fs.makeDirectory(path.dirname(path.join(folder, name)), { recursive: true })
        yield* fs.writeFileString(path.join(folder, name), text)
        return text
      })
    const text = yield* store(main, `${scenario.name}.jsonl`)
    const names = sidechains.map((file) => `${scenario.name}/subagents/${path.basename(file)}`)
    yield* Effect.forEach(sidechains, (file, index) => store(file, names[index] ?? ""))
    const recording: Recordings.Recording = {
      name: scenario.name,
      description: scenario.description,
      file: `${scenario.name}.jsonl`,
      sidechains: names,
      hostVersion: hostVersion(text),
      expected: scenario.expected
    }
    return recording
  })

const previous = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(Recordings.folder("claude-code"), "index.json")
  return (yield* fs.exists(file)) ? yield* Schema.decode(Recordings.Index)(yield* fs.readFileString(file)) : []
})

const record = (wanted: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const before = new Map((yield* previous).map((recording) => [recording.name, recording]))
    const index: Array<Recordings.Recording> = []
    for (const [position, scenario] of ClaudeCodeScenarios.all.entries()) {
      const known = before.get(scenario.name)
      if (known !== undefined && wanted.length > 0 && !wanted.includes(scenario.name)) {
        index.push({ ...known, description: scenario.description, expected: scenario.expected })
        continue
      }
      yield* Effect.logInfo(`recording ${scenario.name}`)
      index.push(
        yield* Effect.scoped(
          Effect.flatMap(play(scenario, position), ({ sandbox, session }) => keep(scenario, sandbox, session))
        )
      )
    }
    const file = path.join(Recordings.folder("claude-code"), "index.json")
    yield* fs.writeFileString(file, `${yield* Schema.encode(Recordings.Index)(index)}\n`)
  })

NodeRuntime.runMain(record(Process.argv.slice(2)).pipe(Effect.provide(NodeContext.layer)))
