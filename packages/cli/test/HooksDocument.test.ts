import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { parse } from "jsonc-parser"
import * as HooksDocument from "../src/install/HooksDocument.ts"
import type { HookEntry } from "../src/install/HooksDocument.ts"
import * as Arbitrary from "./arbitraryJson.ts"

const isOurs = (command: string): boolean => command.includes("/data/hooks/")

const entriesFor = (version: string, events: ReadonlyArray<string>): ReadonlyArray<HookEntry> =>
  events.map((event) => ({ event, command: `"/node" "/data/hooks/${version}/hook.cjs" ${event}`, timeout: 10 }))

const wanted = entriesFor("1", ["Stop", "SubagentStop", "SessionStart"])

const value = (text: string): unknown => parse(text.replace("\uFEFF", ""), [], { allowTrailingComma: true })

const install = (text: string, entries = wanted, added: ReadonlyArray<string> = []): string =>
  Either.getOrThrow(HooksDocument.install(text, { entries, isOurs, added }))

const addedBy = (before: string, after: string): ReadonlyArray<string> => {
  const known = Either.getOrThrow(HooksDocument.containers(before))
  return Either.getOrThrow(HooksDocument.containers(after)).filter((path) => !known.includes(path))
}

const remove = (text: string, added: ReadonlyArray<string>): string =>
  Either.getOrThrow(HooksDocument.remove(text, { isOurs, added }))

const ours = (text: string) => Either.getOrThrow(HooksDocument.installed(text, isOurs))

const bare = (text: string): string => text.replace(/\s/gu, "")

const problem = (text: string): string => {
  const { column, line, problem } = Either.getOrThrow(
    Either.flip(HooksDocument.install(text, { entries: wanted, isOurs, added: [] }))
  )
  return `${line}:${column}: ${problem}`
}

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

describe("HooksDocument", () => {
  const one = entriesFor("1", ["Stop"])

  it("writes into a file as its owner writes it", () => {
    const text = lines(
      "{",
      '    "model": "opus", // the good one',
      '    "permissions": { "allow": ["Bash(ls)"] } // few',
      "}"
    )
    assert.strictEqual(
      install(text, one),
      lines(
        "{",
        '    "model": "opus", // the good one',
        '    "permissions": { "allow": ["Bash(ls)"] }, // few',
        '    "hooks": {',
        '        "Stop": [{ "hooks": [{ "type": "command", "command": "\\"/node\\" \\"/data/hooks/1/hook.cjs\\" Stop", "timeout": 10 }] }]',
        "    }",
        "}"
      )
    )
  })

  it.each([
    ["{}", '{"hooks":{}}'],
    ['{"a":1}', "one line stays one line"],
    ['{\n  "a": 1,\n}', "a trailing comma"],
    ['\uFEFF{\r\n\t"a": 1\r\n}\r\n', "a mark, CRLF, tabs"]
  ])("takes out what it put into %j, to the byte where it had something in it", (text) => {
    const after = install(text, one)
    assert.deepStrictEqual(value(remove(after, addedBy(text, after))), value(text))
    if (text.includes("a")) assert.strictEqual(remove(after, addedBy(text, after)), text)
    if (!text.includes("\n")) return
    assert.strictEqual(after.includes("\r\n"), text.includes("\r\n"))
    assert.strictEqual(after.replaceAll("\r\n", "").includes("\n"), !text.includes("\r\n"))
  })

  it("adds what is shown while a command runs to one of ours that has none, and leaves what the user put there", () => {
    const shown = one.map((entry) => ({ ...entry, statusMessage: "reviewing" }))
    const before = install("{}", one)
    const after = install(before, shown)
    assert.include(after, '"timeout": 10, "statusMessage": "reviewing" }')
    assert.strictEqual(install(after, shown), after)
    assert.strictEqual(install("{}", shown), after)
    const own = after.replace('"reviewing"', '"mine"')
    assert.strictEqual(install(own, shown), own)
    assert.deepStrictEqual(value(remove(after, addedBy("{}", after))), {})
  })

  it("makes a document of a file that was only touched", () => {
    assert.lengthOf(ours(install("\n", one)), 1)
  })

  it("ends though a command of ours is not known again", () => {
    const strange = Either.getOrThrow(HooksDocument.install("{}", { entries: one, isOurs: () => false, added: [] }))
    assert.include(strange, "hook.cjs")
  })

  it("replaces the command of another version in its place and keeps what the user set", () => {
    const before = install("{}", one).replace('"timeout": 10', '"timeout": 25')
    const after = install(before, entriesFor("2", ["Stop"]))
    assert.strictEqual(after, before.replace("/1/", "/2/"))
  })

  it("takes out doubles and events that are no longer wanted, and their containers", () => {
    const twice = install(install("{}", one), entriesFor("1", ["Stop", "PostToolUse"]))
    const doubled = twice.replace(
      /"Stop": \[/,
      `"Stop": [ {"hooks":[{"type":"command","command":"/data/hooks/0/hook.cjs"}]},`
    )
    assert.lengthOf(ours(doubled), 3)
    const after = install(doubled, one, ["hooks.PostToolUse"])
    assert.deepStrictEqual(
      ours(after).map(({ event }) => event),
      ["Stop"]
    )
    assert.notInclude(after, "PostToolUse")
  })

  it("leaves a group of others that one of ours was moved into", () => {
    const text = lines(
      '{ "hooks": { "Stop": [ { "matcher": "", "hooks": [',
      '  { "type": "command", "command": "lint" },',
      '  { "type": "command", "command": "node /data/hooks/1/hook.cjs Stop" }',
      "] } ] } }"
    )
    assert.deepStrictEqual(value(remove(text, ["hooks", "hooks.Stop"])), {
      hooks: { Stop: [{ matcher: "", hooks: [{ type: "command", command: "lint" }] }] }
    })
  })

  it.each([
    ["{", "1:2: not valid JSON: close brace expected"],
    ['{\n  "a" 1\n}', "2:7: not valid JSON: colon expected"],
    ["[]", "1:1: the file should be a JSON object"],
    ['{"hooks":[]}', "1:10: hooks should be an object"],
    ['{"hooks":{"Stop":{}}}', "1:18: hooks.Stop should be a list"],
    ['{"hooks":{"Stop":[1]}}', "1:19: hooks.Stop[0] should be an object"],
    ['{"hooks":{"Other":[{}]}}', '1:20: hooks.Other[0] should be an object with a list "hooks"'],
    ['{"hooks":{"Stop":[{"hooks":1}]}}', "1:28: hooks.Stop[0].hooks should be a list"],
    ['{"hooks":{"Stop":[{"hooks":["x"]}]}}', "1:29: hooks.Stop[0].hooks[0] should be an object"],
    ['{"hooks":{},\n"hooks":{}}', '2:1: the key "hooks" is there twice']
  ])("refuses %s", (text, expected) => {
    assert.strictEqual(problem(text), expected)
  })

  it("property: installing changes nothing of others', and again changes nothing", () => {
    fc.assert(
      fc.property(Arbitrary.file, ({ comments, text, value: before }) => {
        const after = install(text)
        assert.lengthOf(ours(after), wanted.length)
        assert.strictEqual(install(after), after)
        for (const comment of comments) assert.include(after, comment)
        const bare = remove(after, addedBy(text, after))
        assert.deepStrictEqual(value(bare), JSON.parse(JSON.stringify(before)))
        for (const comment of comments) assert.include(bare, comment)
      }),
      { numRuns: 150 }
    )
  })

  it("property: what is not ours keeps its characters, but for the white space of what was empty", () => {
    fc.assert(
      fc.property(Arbitrary.file, ({ text }) => {
        let rest = bare(text)
        for (const char of bare(install(text))) if (rest.startsWith(char)) rest = rest.slice(char.length)
        assert.strictEqual(rest, "")
      }),
      { numRuns: 100 }
    )
  })
})
