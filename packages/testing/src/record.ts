/** Plays the scenarios with the real Claude Code binary and keeps the transcripts: `npm run record [NAME…]`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import * as Process from "node:process"
import type * as ClaudeCodeHost from "./ClaudeCodeHost.ts"
import type { ClaudeCodeScenario } from "./ClaudeCodeScenario.ts"
import * as ClaudeCodeScenarios from "./ClaudeCodeScenarios.ts"
import { sanitise } from "./internal/sanitise.ts"
import { play, ScenarioError } from "./PlayedScenario.ts"
import * as Recordings from "./Recordings.ts"
import type * as Sandbox from "./Sandbox.ts"

/** The same for every recording of a scenario. */
const sessionId = (name: string) => {
  const hex = Crypto.createHash("sha256").update(name).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

const hostVersion = (transcript: string) => /"version":"(\d{1,4}\.\d{1,4}\.\d{1,6})"/.exec(transcript)?.[1] ?? "unknown"

/** What no recording may carry out of the machine that made it. */
const leak = (sandbox: Sandbox.Sandbox, transcript: string) =>
  [sandbox.root, Process.cwd(), "/root/"].find((secret) => transcript.includes(secret))

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
          return yield* new ScenarioError({ scenario: scenario.name, detail: `it names ${found}` })
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
    for (const scenario of ClaudeCodeScenarios.all) {
      const known = before.get(scenario.name)
      if (known !== undefined && wanted.length > 0 && !wanted.includes(scenario.name)) {
        index.push({ ...known, description: scenario.description, expected: scenario.expected })
        continue
      }
      yield* Effect.logInfo(`recording ${scenario.name}`)
      index.push(
        yield* Effect.scoped(
          Effect.flatMap(play(scenario, sessionId(scenario.name)), ({ sandbox, session }) =>
            keep(scenario, sandbox, session)
          )
        )
      )
    }
    const file = path.join(Recordings.folder("claude-code"), "index.json")
    yield* fs.writeFileString(file, `${yield* Schema.encode(Recordings.Index)(index)}\n`)
  })

NodeRuntime.runMain(record(Process.argv.slice(2)).pipe(Effect.provide(NodeContext.layer)))
