import { assert, describe, it } from "@effect/vitest"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import { Effect, FastCheck as fc, Predicate } from "effect"
import { parse } from "jsonc-parser"
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Hosts from "../src/host/Hosts.ts"
import * as HookBundle from "../src/install/HookBundle.ts"
import * as HookCommand from "../src/install/HookCommand.ts"
import * as Plan from "../src/install/Plan.ts"
import { type Home, hooksHome } from "./hooksHome.ts"

type Json = Readonly<Record<string, unknown>>

const command = fc.oneof(
  fc.constantFrom("echo done", "/opt/other/reflexion/hooks/check.sh", 'say "a, b" // c'),
  fc.string({ maxLength: 12 })
)
const handler = fc.record({ type: fc.constant("command"), command, timeout: fc.nat(600) }, { requiredKeys: ["type"] })
const group = fc.record(
  { matcher: fc.string({ maxLength: 6 }), hooks: fc.array(handler, { maxLength: 3 }) },
  { requiredKeys: ["hooks"] }
)
const events = fc.constantFrom("Stop", "SubagentStop", "PreCompact", "PostToolUse")
const hooks = fc.dictionary(events, fc.array(group, { maxLength: 3 }), { maxKeys: 4 })
const other = fc.dictionary(
  fc.constantFrom("permissions", "env", "a b", "ünï", "hooksDisabled"),
  // In the parser that the tests use, a key of this name sets the prototype.
  fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
  { maxKeys: 4 }
)

/** A settings file's value: keys of other programs before and after `hooks`, or no `hooks` at all. */
const settings = fc
  .tuple(other, fc.option(hooks, { nil: undefined }), other)
  .map(([before, found, after]) => ({ ...before, ...(found !== undefined && { hooks: found }), ...after }))

const gaps = ["", " ", "\n  ", "\n\n\t", ' /* c, "x" */ ', '// c {"a": 1},\n   ', "\n  // c\n\t"]

/** JSON as people write it: comments, odd white space, trailing commas, both line ends, a byte order mark. */
const hand = fc
  .tuple(fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([choices, isOdd, isCrlf, hasMark]) => (value: unknown): string => {
    let at = 0
    const choose = (count: number): number => (choices[at++ % choices.length] ?? 0) % count
    const gap = (): string => gaps[choose(gaps.length)] ?? ""
    const list = (items: ReadonlyArray<string>): string =>
      `${items.map((item) => gap() + item + gap()).join(",")}${items.length > 0 && choose(4) === 0 ? "," : ""}${gap()}`
    const print = (one: unknown): string => {
      if (Array.isArray(one)) return `[${list(one.map(print))}]`
      if (!Predicate.isReadonlyRecord(one)) return JSON.stringify(one)
      return `{${list(Object.entries(one).map(([key, inner]) => `${JSON.stringify(key)}${gap()}:${gap()}${print(inner)}`))}}`
    }
    const indent = ["", "  ", "\t"][choose(3)]
    const text = isOdd ? `${gap()}${print(value)}${gap()}` : JSON.stringify(value, null, indent)
    return `${hasMark ? "\uFEFF" : ""}${isCrlf ? text.replaceAll("\n", "\r\n") : text}`
  })

const value = (text: string): unknown => parse(text.replace("\uFEFF", ""), [], { allowTrailingComma: true })

const record = (given: unknown): Json => (Predicate.isReadonlyRecord(given) ? given : {})

const list = (given: unknown): ReadonlyArray<unknown> => (Array.isArray(given) ? given : [])

/**
 * How a person or the host may change an installed file. It changes the value, so the test can change the original
 * alike.
 */
const foreignEdit = fc.constantFrom<(found: Json) => Json>(
  (found) => ({ ...found, added: { later: [1] } }),
  (found) => Object.fromEntries(Object.entries(found).toReversed()),
  (found) => {
    const own = record(found["hooks"])
    const mine = { hooks: [{ type: "command", command: "mine" }] }
    return { ...found, hooks: { ...own, Stop: [mine, ...list(own["Stop"])] } }
  },
  (found) => ({ ...found, hooks: { ...record(found["hooks"]), SessionEnd: [{ hooks: [] }] } })
)

const file = ".claude/settings.json"

const requestsIn = ({ home, project }: Home): ReadonlyArray<Plan.Request> => {
  const env = { HOME: home }
  const directories = UserDirectories.make(env)
  const folder = HookBundle.rootFolder(directories)
  return Hosts.all.slice(0, 1).map((host) => ({
    host,
    scope: "global",
    directories,
    where: { env, cwd: project, root: project },
    isOurs: (one) => HookCommand.parse(one, folder) !== null
  }))
}

const install = (home: Home, names: ReadonlyArray<string>): void => {
  for (const request of requestsIn(home)) {
    const hook = join(HookBundle.rootFolder(request.directories), "claude-code", "1", "hook.cjs")
    const command = (event: string): string => HookCommand.render({ node: "/node", hook, event })
    const entries = names.map((event) => ({ event, timeout: 10, command: command(event) }))
    for (const change of Plan.hooks(request, entries).changes) Plan.apply(request, change)
  }
}

const uninstall = (home: Home): void => {
  for (const request of requestsIn(home)) {
    const { changes, problems } = Plan.uninstall(request)
    assert.deepStrictEqual(problems, [], home.read(file) ?? "")
    for (const change of changes) Plan.apply(request, change)
  }
}

const names = ["Stop", "SubagentStop", "SessionStart"]

const check = <A>(arbitrary: fc.Arbitrary<A>, body: (home: Home, given: A) => void) =>
  Effect.map(hooksHome, (home) =>
    fc.assert(
      fc.property(arbitrary, (given) => {
        rmSync(join(home.home, ".claude"), { recursive: true, force: true })
        rmSync(join(home.home, ".local"), { recursive: true, force: true })
        body(home, given)
      }),
      { numRuns: process.env["REFLEXION_TESTS"] === "night" ? 100 : 20 }
    )
  )

describe("for any settings file", () => {
  it.scoped("installing and uninstalling is the identity, and installing twice is installing once", () =>
    check(fc.tuple(settings, hand), (home, [found, write]) => {
      const text = write(found)
      home.put(file, text)
      install(home, names)
      const installed = home.read(file)
      assert.notStrictEqual(installed, text)
      install(home, names)
      assert.strictEqual(home.read(file), installed)
      uninstall(home)
      assert.strictEqual(home.read(file), text)
    })
  )

  it.scoped("an edit between install and uninstall stays, and nothing of ours does", () =>
    check(fc.tuple(settings, hand, foreignEdit, hand, fc.boolean()), (home, [found, first, edit, second, again]) => {
      home.put(file, first(found))
      install(home, names)
      home.put(file, second(edit(record(value(home.read(file) ?? "")))))
      if (again) install(home, [...names, "PostToolUse"])
      uninstall(home)
      assert.deepStrictEqual(value(home.read(file) ?? ""), edit(record(value(first(found)))))
    })
  )
})
