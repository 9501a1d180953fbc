import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hooksHome } from "./hooksHome.ts"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

const file = ".config/reflexion/config.json"
const projects = "project/.reflection/config.json"

describe("reflexion rules", () => {
  it.scopedLive("lists every rule with its level", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { code, out } = yield* home.run("rules")
      assert.strictEqual(code, 0)
      assert.match(out, /^claims\/contradicted +push +push +The final text/mu)
      assert.match(out, /^claims\/unfounded +tell +push +/mu)
      assert.include(out, '"rules": { "loops/planning": "off" }')
    })
  )

  it.scopedLive("shows one with its level here and why", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(file, '{ "rules": { "claims/unfounded": "push" } }')
      const own = yield* home.run("rules claims/unfounded")
      assert.strictEqual(own.code, 0)
      assert.include(bare(own.out), "Level push: your configuration says so.")
      assert.include(own.out, "no call of the session can have done it.")
      home.put(file, '{ "profile": "strict" }')
      assert.include(
        bare((yield* home.run("rules claims/unfounded")).out),
        "Level push: in the strict profile every rule does."
      )
      home.put(file, "{}")
      assert.include(
        bare((yield* home.run("rules claims/unfounded")).out),
        "Level tell: it is no plain fact, and has not proved itself on enough stops that nobody had seen."
      )
    })
  )

  it.scopedLive("says the same as JSON", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(file, '{ "rules": { "host/cut-off": "off" } }')
      const { out } = yield* home.run("rules --format json")
      const { rules, version } = JSON.parse(out)
      assert.strictEqual(version, 1)
      const found = rules.find(({ id }: { readonly id: string }) => id === "host/cut-off")
      assert.deepInclude(found, { level: "off", default: "push", because: "your configuration says so" })
      assert.hasAllKeys(found, ["id", "level", "unattended", "because", "default", "what", "why"])
    })
  )

  it.scopedLive(
    "names the nearest rule where there is none of that name, and lets a configuration be that names one",
    () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        const { code, err } = yield* home.run("rules gates/failng")
        assert.strictEqual(code, 2)
        assert.include(err, 'there is no rule "gates/failng"; did you mean gates/failing?')
        home.put(file, '{ "rules": { "gates/failng": "off" } }')
        assert.strictEqual((yield* home.run("rules")).code, 0)
        assert.include(
          bare((yield* home.run("doctor")).out),
          "no rule is called `gates/failng`: `reflexion rules` lists them"
        )
      })
  )

  it.scopedLive("says of a rule that the project turns down that only the project turns it up again", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(projects, '{ "rules": { "claims/unfounded": "off", "host/cut-off": "tell" } }')
      home.put(file, '{ "rules": { "claims/unfounded": "push" } }')
      const off = bare((yield* home.run("rules claims/unfounded")).out)
      assert.include(off, "off: the project's file lowers it to off, which your own configuration does not lift.")
      assert.include(off, "To turn it on, take it out of the project's file (.reflection/config.json).")
      assert.notInclude(off, '"tell" }')
      assert.include(bare((yield* home.run("rules host/cut-off")).out), "tell: the project's file lowers it to tell")
      home.put(file, '{ "rules": { "claims/unfounded": "off" } }')
      const both = bare((yield* home.run("rules claims/unfounded")).out)
      assert.include(both, "off: your configuration says so, and so does the project's file.")
      assert.include(both, "take it out of the project's file (.reflection/config.json) and out of yours.")
      home.put(projects, "{}")
      const own = bare((yield* home.run("rules claims/unfounded")).out)
      assert.include(own, '"rules": { "claims/unfounded": "tell" } in your own configuration turns it on.')
    })
  )

  it.scopedLive("says what a project's file raises in vain", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(projects, '{ "rules": { "claims/unfounded": "push", "host/cut-off": "push" } }')
      const all = bare((yield* home.run("rules")).out)
      assert.include(
        all,
        "That the project's file raises claims/unfounded (push) has no effect: a project only turns rules down."
      )
      const one = bare((yield* home.run("rules claims/unfounded")).out)
      assert.include(
        one,
        "Level tell: it is no plain fact, and has not proved itself on enough stops that nobody had seen."
      )
      assert.include(one, "That the project's file raises it to push has no effect")
      assert.notInclude(bare((yield* home.run("rules host/cut-off")).out), "no effect")
      home.put(projects, "{}")
      assert.notInclude((yield* home.run("rules")).out, "no effect")
    })
  )

  it.scopedLive("says under advisory that nothing sends the agent on", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(file, '{ "profile": "advisory" }')
      assert.include(bare((yield* home.run("rules")).out), "The profile is advisory: no rule sends the agent on")
      const push = bare((yield* home.run("rules host/cut-off")).out)
      assert.include(
        push,
        "push: it is a plain fact of the record; under the profile advisory it still does not send the agent on."
      )
      assert.include(bare((yield* home.run("rules policy/own-settings")).out), "tell: it is no plain fact")
      home.put(file, "{}")
      assert.notInclude((yield* home.run("rules")).out, "advisory")
    })
  )

  it.scopedLive("names the area's rules, or where all are listed, where no name is near", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      assert.include((yield* home.run("rules foo")).err, 'no rule "foo"; `reflexion rules` lists them')
      const area = bare((yield* home.run("rules gates/something-else")).err)
      assert.include(area, "; there are gates/failing, gates/not-run, gates/not-delivered")
      assert.include(bare((yield* home.run("rules claims")).err), "; there are claims/contradicted, claims/unfounded")
    })
  )

  it.scopedLive("says of no level that nothing is found, and of tell that the verdict is not complete", () =>
    Effect.gen(function* () {
      const { out } = yield* (yield* hooksHome).run("rules --help")
      assert.notInclude(bare(out), "nothing is found")
      assert.match(bare(out), /off nothing is named; what it would find is still not called done/u)
      assert.match(bare(out), /tell you read a line, once in a task; the verdict is not complete/u)
    })
  )
})
