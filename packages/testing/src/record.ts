/** Plays the scenarios with the real binaries and saves the sessions. Arguments: NAME, HOST or HOST/NAME. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Process from "node:process"
import { HostFault } from "./contract/HostContract.ts"
import { sanitise, sanitiseCodex, sanitiseOpenCode } from "./scenarios/Sanitise.ts"
import * as Recordings from "./scenarios/Recordings.ts"
import { play, type Scenario } from "./scenarios/Scenario.ts"
import * as Scenarios from "./scenarios/Scenarios.ts"

const sanitised = { "claude-code": sanitise, codex: sanitiseCodex, opencode: sanitiseOpenCode }

const hostVersion = (record: string) =>
  /"(?:cli_)?version":\s?"(\d{1,4}\.\d{1,4}\.\d{1,6})"/.exec(record)?.[1] ?? "unknown"

const keep = Effect.fnUntraced(function* (host: Recordings.Host, scenario: Scenario) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = Recordings.folder(host)
  const { agents, main, sandbox } = yield* play(scenario, host)
  yield* fs.remove(path.join(folder, scenario.name), { recursive: true, force: true })
  const store = Effect.fnUntraced(function* (name: string, record: string) {
    const text = sanitised[host](sandbox, record)
    // No recording may contain these paths of this machine.
    const found = [sandbox.root, Process.cwd(), "/root/"].find((secret) => text.includes(secret))
    if (found !== undefined) return yield* new HostFault({ detail: `${scenario.name} names ${found}` })
    yield* fs.makeDirectory(path.dirname(path.join(folder, name)), { recursive: true })
    yield* fs.writeFileString(path.join(folder, name), text)
    return name
  })
  const recording: Recordings.Recording = {
    name: scenario.name,
    description: scenario.description,
    file: yield* store(`${scenario.name}.${host === "opencode" ? "json" : "jsonl"}`, main),
    sidechains: yield* Effect.forEach(Object.entries(agents), ([name, text]) =>
      store(`${scenario.name}/subagents/${name}`, text)
    ),
    hostVersion: hostVersion(main),
    expected: scenario.expected
  }
  return recording
}, Effect.scoped)

const isWanted = (host: Recordings.Host, { name }: Scenario, wanted: ReadonlyArray<string>) =>
  wanted.length === 0 || [name, host, `${host}/${name}`].some((one) => wanted.includes(one))

/** Recordings without a scenario stay as they are. */
const record = Effect.fnUntraced(function* (host: Recordings.Host, wanted: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const file = `${Recordings.folder(host)}/index.json`
  const index = new Map(
    (yield* Schema.decode(Recordings.Index)(yield* fs.readFileString(file))).map((one) => [one.name, one])
  )
  for (const scenario of Scenarios.of(host).filter((one) => isWanted(host, one, wanted))) {
    yield* Effect.logInfo(`recording ${host}/${scenario.name}`)
    index.set(scenario.name, yield* keep(host, scenario))
  }
  yield* fs.writeFileString(file, `${yield* Schema.encode(Recordings.Index)([...index.values()])}\n`)
})

const hosts: ReadonlyArray<Recordings.Host> = ["claude-code", "codex", "opencode"]

NodeRuntime.runMain(
  Effect.forEach(hosts, (host) => record(host, Process.argv.slice(2))).pipe(Effect.provide(NodeContext.layer))
)
