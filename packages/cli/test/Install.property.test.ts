import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Predicate } from "effect"
import { parse } from "jsonc-parser"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as HookBundle from "../src/install/HookBundle.ts"
import * as HookCommand from "../src/install/HookCommand.ts"
import * as Hosts from "../src/host/Hosts.ts"
import * as Plan from "../src/install/Plan.ts"
import * as Arbitrary from "./arbitraryJson.ts"
import { type Home, hooksHome } from "./hooksHome.ts"

type Json = Readonly<Record<string, unknown>>

const value = (text: string): unknown => parse(text.replace("\uFEFF", ""), [], { allowTrailingComma: true })

const record = (given: unknown): Json => (Predicate.isReadonlyRecord(given) ? given : {})

const list = (given: unknown): ReadonlyArray<unknown> => (Array.isArray(given) ? given : [])

/** What a person or the host may do to an installed file: on the value, so that the same can be done to the original. */
const foreignEdit = fc.constantFrom<(settings: Json) => Json>(
  (settings) => ({ ...settings, added: { later: [1] } }),
  (settings) => Object.fromEntries(Object.entries(settings).toReversed()),
  (settings) => {
    const hooks = record(settings["hooks"])
    const mine = { hooks: [{ type: "command", command: "mine" }] }
    return { ...settings, hooks: { ...hooks, Stop: [mine, ...list(hooks["Stop"])] } }
  },
  (settings) => ({ ...settings, hooks: { ...record(settings["hooks"]), SessionEnd: [{ hooks: [] }] } })
)

const file = (home: Home): string => join(home.home, ".claude", "settings.json")

const put = (home: Home, text: string): void => {
  mkdirSync(join(home.home, ".claude"), { recursive: true })
  writeFileSync(file(home), text)
}

const read = (home: Home): string => readFileSync(file(home), "utf8")

const [claudeCode] = Hosts.all

const requestIn = ({ home, project }: Home): Plan.Request => {
  const env = { HOME: home }
  const directories = UserDirectories.make(env)
  if (claudeCode === undefined) throw new Error("no host")
  return {
    host: claudeCode,
    scope: "global",
    directories,
    where: { env, cwd: project, root: project },
    isOurs: (command) => HookCommand.parse(command, HookBundle.rootFolder(directories)) !== null,
    wraps: (command) => HookCommand.wraps(command, HookBundle.rootFolder(directories))
  }
}

const install = (home: Home, events: ReadonlyArray<string>): void => {
  const request = requestIn(home)
  const hook = join(HookBundle.rootFolder(request.directories), "claude-code", "1", "hook.cjs")
  const entries = events.map((event) => ({
    event,
    timeout: 10,
    command: HookCommand.render({ node: "/node", hook, event })
  }))
  for (const change of Plan.hooks(request, entries).changes) Plan.apply(request, change)
}

const uninstall = (home: Home): void => {
  const request = requestIn(home)
  const { changes, problems } = Plan.uninstall(request)
  if (problems.length > 0) throw new Error(`${problems.join()} ${JSON.stringify(read(home))}`)
  for (const change of changes) Plan.apply(request, change)
}

const events = ["Stop", "SubagentStop", "SessionStart"]

const check = <A>(arbitrary: fc.Arbitrary<A>, body: (home: Home, given: A) => void) =>
  Effect.map(hooksHome, (home) =>
    fc.assert(
      fc.property(arbitrary, (given) => {
        rmSync(join(home.home, ".claude"), { recursive: true, force: true })
        rmSync(join(home.home, ".local"), { recursive: true, force: true })
        body(home, given)
      }),
      { numRuns: 20 }
    )
  )

describe("for any settings file", () => {
  it.scoped("installing and uninstalling is the identity, and installing twice is installing once", () =>
    check(Arbitrary.file, (home, { text }) => {
      put(home, text)
      install(home, events)
      const installed = read(home)
      assert.notStrictEqual(installed, text)
      install(home, events)
      assert.strictEqual(read(home), installed)
      uninstall(home)
      assert.strictEqual(read(home), text)
    })
  )

  it.scoped("an edit made in between stays, nothing of ours does", () =>
    check(fc.tuple(Arbitrary.file, foreignEdit, Arbitrary.hand, fc.boolean()), (home, [given, edit, hand, again]) => {
      put(home, given.text)
      install(home, events)
      put(home, hand(edit(record(value(read(home))))).text)
      if (again) install(home, [...events, "PostToolUse"])
      uninstall(home)
      assert.deepStrictEqual(value(read(home)), edit(record(value(given.text))))
    })
  )
})
