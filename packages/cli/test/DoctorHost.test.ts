import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rmSync } from "node:fs"
import { CliProcess } from "../src/process/CliProcess.ts"
import * as DoctorHost from "../src/doctor/host.ts"
import * as Hosts from "../src/host/Hosts.ts"
import { type Home, hooksHome } from "./hooksHome.ts"

const processOf = ({ home, hooks, project }: Home) =>
  Layer.succeed(CliProcess, {
    env: { HOME: home },
    cwd: project,
    stdin: async function* () {},
    ask: null,
    stdout: { isTerminal: false, columns: undefined },
    stderr: { isTerminal: false, columns: undefined, write: () => {} },
    program: { node: process.execPath, hooks }
  })

const claudeCode = Hosts.all.filter(({ name }) => name === "claude-code")

/** What the doctor says in a home without the file that makes `/reflection` known to Claude Code. */
const said = Effect.fnUntraced(function* (change: Partial<Hosts.Host>) {
  const home = yield* hooksHome
  yield* home.run("install claude-code")
  rmSync(`${home.home}/.claude/commands/reflection.md`)
  const looked = yield* Effect.provide(
    Effect.forEach(claudeCode, (host) => DoctorHost.examine({ ...host, ...change }, null)),
    Layer.merge(NodeContext.layer, processOf(home))
  )
  return looked.flatMap(({ installed, section }) => {
    assert.isTrue(installed)
    return section.findings.map(({ term }) => term)
  })
})

describe("what the doctor sees of a host with hooks", () => {
  it.scoped("has what goes for that host alone", () =>
    Effect.gen(function* () {
      assert.include(yield* said({}), "/reflection")
      assert.notInclude(yield* said({}), "approval")
    })
  )
})
