import { describe, it } from "@effect/vitest"
import { type Event, agent, edit, judged, run, type Stop, user } from "./judged.ts"

/** Typed while the agent works on its first order. */
const typed = (text: string): Event => ({ ...user(text), turn: 0 })

const green = run("npm test", 0, "Tests:       7 passed, 7 total")

/** A commit is ordered, and none made. */
const uncommitted = (...texts: ReadonlyArray<string>): Stop => ({
  name: texts.join(" / "),
  events: [
    typed("Correct the freight in src/freight.js, run npm test and commit."),
    edit("src/freight.js"),
    ...texts.map(typed),
    green,
    agent("The freight is right, and all 7 tests pass.")
  ]
})

/** The tests are ordered, and not run. */
const unrun = (text: string, ...more: ReadonlyArray<Event>): Stop => ({
  name: text,
  events: [
    typed("Correct the freight in src/freight.js and run npm test."),
    edit("src/freight.js"),
    typed(text),
    ...more,
    agent("The freight is corrected in src/freight.js.")
  ]
})

const nudged = (gate: string, result: string) =>
  ({ status: "incomplete", nudge: true, gates: { [gate]: result } }) as const
const free = (gate: string) => ({ nudge: false, gates: { [gate]: "not_required" } }) as const
const all = (stops: ReadonlyArray<Stop>, wanted: Stop["wanted"]): ReadonlyArray<Stop> =>
  stops.map((stop) => ({ ...stop, ...(wanted !== undefined && { wanted }) }))

describe("an order that a message in between speaks of", () => {
  it.effect(
    "is no longer asked for where the message does not plainly give it again",
    judged([
      ...all(
        [
          "No commit, please!",
          "I'd like to do the commit myself",
          "commit tomorrow, the diff is for me to read",
          "hold off committing",
          "keep it uncommitted",
          "forget about the commit",
          "bitte noch nicht committen",
          "on second thought no `git commit`"
        ].map((text) => uncommitted(text)),
        { status: "complete", nudge: false }
      ),
      ...all(
        [
          "the tests are slow here, leave them for tonight",
          "npm test is green over here already",
          "I have just tested it by hand",
          "npm test breaks my database, don't start it"
        ].map((text) => unrun(text)),
        free("tests")
      ),
      {
        ...unrun("the tests can stay for tonight"),
        project: {
          "AGENTS.md": "Always run `npm test` before you finish.\n",
          "package.json": '{"scripts":{"test":"jest"}}'
        },
        wanted: free("tests")
      }
    ])
  )

  it.effect(
    "stands where the message does something else",
    judged([
      ...all(
        [
          uncommitted("the freight is in cents, by the way"),
          uncommitted("commit, but don't push"),
          uncommitted("please write the commit message in French"),
          uncommitted("don't commit", "okay, do commit it after all"),
          uncommitted("the commit can wait", "now commit it, please")
        ],
        nudged("commit", "missing")
      ),
      ...all(
        [unrun("also add a test for negative weights"), unrun("the weights are in grams")],
        nudged("tests", "missing")
      ),
      {
        ...unrun("npm test needs node 22", run("npm test", 1, "Tests:       1 failed, 6 passed, 7 total")),
        wanted: { status: "incomplete", gates: { tests: "failed" } }
      }
    ])
  )
})
