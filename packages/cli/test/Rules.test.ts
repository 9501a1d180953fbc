import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hooksHome } from "./hooksHome.ts"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

const file = ".config/reflexion/config.json"

describe("reflexion rules", () => {
  it.scopedLive("lists every rule with its level", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { code, out } = yield* home.run("rules")
      assert.strictEqual(code, 0)
      assert.match(out, /^claims\/disproved +push +The final text says that a check passed/mu)
      assert.match(out, /^todos\/open +tell +/mu)
      assert.include(out, '"rules": { "todos/open": "off" }')
    })
  )

  it.scopedLive("shows one with its examples, its level here and why", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(file, '{ "rules": { "todos/open": "push" } }')
      const own = yield* home.run("rules todos/open")
      assert.strictEqual(own.code, 0)
      assert.include(bare(own.out), "Level push: your configuration says so.")
      assert.include(own.out, "todos: Add the page (completed); Link the page (pending)")
      home.put(file, '{ "profile": "strict" }')
      assert.include(
        bare((yield* home.run("rules todos/open")).out),
        "Level push: in the strict profile every rule does."
      )
      home.put(file, "{}")
      assert.include(bare((yield* home.run("rules todos/open")).out), "Level tell: it does so by itself.")
    })
  )

  it.scopedLive("says the same as JSON", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(file, '{ "rules": { "stop/cut-off": "off" } }')
      const { out } = yield* home.run("rules --format json")
      const { rules, version } = JSON.parse(out)
      assert.strictEqual(version, 1)
      const found = rules.find(({ id }: { readonly id: string }) => id === "stop/cut-off")
      assert.deepInclude(found, { level: "off", default: "push", because: "your configuration says so" })
      assert.isAtLeast(found.fires.length, 3)
    })
  )

  it.scopedLive("refuses a rule that there is not, with the nearest name", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { code, err } = yield* home.run("rules todos/opne")
      assert.strictEqual(code, 2)
      assert.include(err, 'there is no rule "todos/opne"; did you mean todos/open?')
      home.put(file, '{\n  "rules": { "todos/opne": "off" }\n}')
      const wrong = yield* home.run("rules")
      assert.strictEqual(wrong.code, 2)
      assert.include(bare(wrong.err), '2:14: rules.todos/opne: unknown key; did you mean "todos/open"?')
    })
  )
})
