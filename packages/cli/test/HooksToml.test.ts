import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { parse } from "smol-toml"
import type { HookEntry } from "../src/install/HooksDocument.ts"
import * as HooksToml from "../src/install/HooksToml.ts"

const isOurs = (command: string): boolean => command.includes("/data/hooks/")

const entriesFor = (version: string): ReadonlyArray<HookEntry> =>
  ["Stop", "Interrupt"].map((event) => ({
    event,
    command: `"/n\\\\ode" "/data/hooks/${version}/hook.cjs" ${event}`,
    timeout: 30,
    ...(event === "Stop" && { statusMessage: 'reviewing "it"' })
  }))

const install = (text: string, version = "1"): string =>
  Either.getOrThrow(HooksToml.install(text, { entries: entriesFor(version), isOurs }))

const remove = (text: string): string => Either.getOrThrow(HooksToml.remove(text, isOurs))

const ours = (text: string) => Either.getOrThrow(HooksToml.installed(text, isOurs))

const theirs = `# mine
model = "x" # the good one

[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "say done"

[tui]
theme = 'dark'
`

describe("HooksToml", () => {
  it("knows whether there are hooks", () => {
    assert.isTrue(HooksToml.hasHooks(theirs))
    assert.isFalse(HooksToml.hasHooks('model = "x"\n[hooks.state."a:stop:0:0"]\ntrusted_hash = "x"\n'))
    assert.isFalse(HooksToml.hasHooks("=="))
  })

  it("gives a hook of ours the time that it needs, and leaves it a longer one", () => {
    const short = install(theirs).replace("timeout = 30", "timeout = 3")
    assert.strictEqual(install(short), install(theirs))
    const long = install(theirs).replace("timeout = 30", "timeout = 300")
    assert.strictEqual(install(long), long)
    assert.deepStrictEqual(
      ours(long).map(({ timeout }) => timeout),
      [300, 30]
    )
  })

  it("adds behind everything, so that others keep their places", () => {
    const after = install(theirs)
    assert.isTrue(after.startsWith(theirs))
    assert.deepStrictEqual(
      ours(after).map(({ command, event }) => [event, command]),
      entriesFor("1").map(({ command, event }) => [event, command])
    )
    assert.strictEqual(install(after), after)
    assert.strictEqual(remove(after), theirs)
  })

  it("replaces another version", () => {
    const after = install(install(theirs), "2")
    assert.lengthOf(ours(after), 2)
    assert.strictEqual(remove(after), theirs)
  })

  it("leaves what the host wrote between our lines", () => {
    const state = '[hooks.state."/h/config.toml:stop:1:0"]\ntrusted_hash = "sha256:1"\n'
    const after = install(theirs).replace("# reflexion: end", `${state}# reflexion: end`)
    assert.strictEqual(remove(after), theirs + state)
  })

  it.each([
    ["an inline table", "hooks = { Stop = [] }\n"],
    ["an inline list", "[hooks]\nStop = [{ hooks = [] }]\n"],
    ["no TOML", "model = \n"]
  ])("refuses %s", (_, text) => {
    assert.isTrue(Either.isLeft(HooksToml.install(text, { entries: entriesFor("1"), isOurs })))
  })

  it("refuses to take out what was rewritten, and says where", () => {
    const rewritten = install(theirs).replaceAll("timeout = 30\n", "timeout = 30 # mine\n")
    assert.isTrue(Either.isLeft(HooksToml.remove(rewritten, isOurs)))
  })

  it("property: adding and taking out is the identity, but for a last line's missing end", () => {
    const line = fc.constantFrom(
      'a = "x"',
      "# c",
      "",
      "  ",
      "[t]",
      "[[hooks.Stop]]",
      "[[hooks.Stop.hooks]]",
      'command = "say"',
      '[hooks.state."k"]',
      "[[hooks.PreToolUse]]"
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean(), (lines, eol, ends) => {
        const text = lines.join(eol) + (ends ? eol : "")
        const after = HooksToml.install(text, { entries: entriesFor("1"), isOurs })
        if (Either.isLeft(after)) return
        assert.deepStrictEqual(parse(remove(after.right)), parse(text))
        assert.include([text, `${text}\n`, `${text}\r\n`], remove(after.right))
      }),
      { numRuns: 200 }
    )
  })
})
