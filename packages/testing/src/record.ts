/** Plays the scenarios with the real binaries and keeps the transcripts: `npm run record [NAME…]`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import * as Process from "node:process"
import type { ClaudeCodeScenario } from "./scenarios/ClaudeCodeScenario.ts"
import * as ClaudeCodeScenarios from "./scenarios/ClaudeCodeScenarios.ts"
import * as CodexScenario from "./scenarios/CodexScenario.ts"
import * as CodexScenarios from "./scenarios/CodexScenarios.ts"
import { sanitise, sanitiseCodex, sanitiseOpenCode } from "./scenarios/Sanitise.ts"
import * as OpenCodeScenario from "./scenarios/OpenCodeScenario.ts"
import * as OpenCodeScenarios from "./scenarios/OpenCodeScenarios.ts"
import { play, ScenarioError } from "./scenarios/PlayedScenario.ts"
import * as Recordings from "./scenarios/Recordings.ts"
import type * as Sandbox from "./sandbox/Sandbox.ts"

/** A session as it is to be kept: its record, and those of its agents by the names of their files. */
interface Kept {
  readonly sandbox: Sandbox.Sandbox
  readonly main: string
  readonly sidechains: Readonly<Record<string, string>>
}

/** One scenario of a host, and how it is played. */
interface Take {
  readonly host: Recordings.Host
  readonly scenario: Pick<Recordings.Recording, "name" | "description" | "expected">
  readonly play: ReturnType<typeof claudeCode> | ReturnType<typeof codex> | ReturnType<typeof openCode>
}

/** The same for every recording of a scenario. */
const sessionId = (name: string) => {
  const hex = Crypto.createHash("sha256").update(name).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

const readAll = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const texts = yield* Effect.forEach(files, (file) => fs.readFileString(file))
  return Object.fromEntries(files.map((file, index) => [path.basename(file), texts[index] ?? ""]))
})

const claudeCode = (scenario: ClaudeCodeScenario) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { sandbox, session } = yield* play(scenario, sessionId(scenario.name))
    const [main, ...sidechains] = session.transcripts
    const kept: Kept = { sandbox, main: yield* fs.readFileString(main), sidechains: yield* readAll(sidechains) }
    return kept
  })

const codex = (scenario: CodexScenario.CodexScenario) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { sandbox, session } = yield* CodexScenario.play(scenario)
    const stream = session.steps.flatMap(({ events }) => events.map((event) => `${JSON.stringify(event)}\n`)).join("")
    const main =
      session.rollout === null || scenario.kept === "stream" ? stream : yield* fs.readFileString(session.rollout)
    const kept: Kept = { sandbox, main, sidechains: yield* readAll(session.agents) }
    return kept
  })

const openCode = (scenario: OpenCodeScenario.OpenCodeScenario) =>
  Effect.map(OpenCodeScenario.play(scenario), ({ sandbox, session: { agents, main } }) => {
    const kept: Kept = { sandbox, main, sidechains: agents }
    return kept
  })

const takes: ReadonlyArray<Take> = [
  ...ClaudeCodeScenarios.all.map(
    (scenario) => ({ host: "claude-code", scenario, play: claudeCode(scenario) }) as const
  ),
  ...CodexScenarios.all.map((scenario) => ({ host: "codex", scenario, play: codex(scenario) }) as const),
  ...OpenCodeScenarios.all.map((scenario) => ({ host: "opencode", scenario, play: openCode(scenario) }) as const)
]

const sanitised = { "claude-code": sanitise, codex: sanitiseCodex, opencode: sanitiseOpenCode }

const extensions = { "claude-code": "jsonl", codex: "jsonl", opencode: "json" }

const hostVersion = (transcript: string) =>
  /"(?:cli_)?version":\s?"(\d{1,4}\.\d{1,4}\.\d{1,6})"/.exec(transcript)?.[1] ?? "unknown"

/** What no recording may carry out of the machine that made it. */
const leak = (sandbox: Sandbox.Sandbox, transcript: string) =>
  [sandbox.root, Process.cwd(), "/root/"].find((secret) => transcript.includes(secret))

const keep = ({ host, scenario }: Take, { main, sandbox, sidechains }: Kept) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = Recordings.folder(host)
    yield* fs.remove(path.join(folder, scenario.name), { recursive: true, force: true })
    const store = (name: string, record: string) =>
      Effect.gen(function* () {
        const text = sanitised[host](sandbox, record)
        const found = leak(sandbox, text)
        if (found !== undefined) {
          return yield* new ScenarioError({ scenario: scenario.name, detail: `it names ${found}` })
        }
        yield* fs.makeDirectory(path.dirname(path.join(folder, name)), { recursive: true })
        yield* fs.writeFileString(path.join(folder, name), text)
        return name
      })
    const file = yield* store(`${scenario.name}.${extensions[host]}`, main)
    const agents = yield* Effect.forEach(Object.entries(sidechains), ([name, text]) =>
      store(`${scenario.name}/subagents/${name}`, text)
    )
    const { description, expected, name } = scenario
    const version = hostVersion(main)
    const recording: Recordings.Recording = {
      name,
      description,
      file,
      sidechains: agents,
      hostVersion: version,
      expected
    }
    return recording
  })

const previous = (host: Recordings.Host) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const file = path.join(Recordings.folder(host), "index.json")
    return (yield* fs.exists(file)) ? yield* Schema.decode(Recordings.Index)(yield* fs.readFileString(file)) : []
  })

/** Names what is to be played again, as `NAME` or `HOST/NAME`; without a name, everything. */
const isWanted = (wanted: ReadonlyArray<string>, { host, scenario }: Take) =>
  wanted.length === 0 || [scenario.name, host, `${host}/${scenario.name}`].some((name) => wanted.includes(name))

const record = (host: Recordings.Host, wanted: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const before = new Map((yield* previous(host)).map((recording) => [recording.name, recording]))
    const index: Array<Recordings.Recording> = []
    for (const take of takes.filter((one) => one.host === host)) {
      const { description, expected, name } = take.scenario
      const known = before.get(name)
      if (known !== undefined && !isWanted(wanted, take)) {
        index.push({ ...known, description, expected })
        continue
      }
      yield* Effect.logInfo(`recording ${host}/${name}`)
      index.push(
        yield* Effect.scoped(
          Effect.gen(function* () {
            return yield* keep(take, yield* take.play)
          })
        )
      )
    }
    const file = path.join(Recordings.folder(host), "index.json")
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    yield* fs.writeFileString(file, `${yield* Schema.encode(Recordings.Index)(index)}\n`)
  })

const hosts: ReadonlyArray<Recordings.Host> = ["claude-code", "codex", "opencode"]

NodeRuntime.runMain(
  Effect.forEach(hosts, (host) => record(host, Process.argv.slice(2))).pipe(Effect.provide(NodeContext.layer))
)
