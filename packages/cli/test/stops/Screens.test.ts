/** What a user reads about a stop, as whole screens. */
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { folder, runCli } from "../runCli.ts"
import { eventsOf, recordOf } from "./hostRecords.ts"

const here = dirname(fileURLToPath(import.meta.url))

const golden = (name: string, text: string | undefined) =>
  Effect.promise(() => expect(text).toMatchFileSnapshot(join(here, "screens", `${name}.txt`)))

const screen = (cwd: string, ...words: ReadonlyArray<string>) =>
  Effect.map(runCli(["judge", ...words], { cwd }), ({ err, out }) =>
    [out, err].map((text) => text && `${text}\n`).join("")
  )

const lie = `> Round the total to cents. / edit src/total.ts / I rounded the total. All 42 tests pass and the build succeeds. I opened a pull request, and CI is green.`

const reminded = `${lie} / >> [reflexion 1/3] The task is not done yet.\\n\\n- You wrote that, but nothing of it is on record.`

/** The screen of a session, judged with nobody there, in a project with these files. */
const unattended = Effect.fnUntraced(function* (
  name: string,
  line: string,
  project: Readonly<Record<string, string>> = {}
) {
  const root = yield* folder(project)
  const cwd = yield* folder({ [`${name}.json`]: recordOf("other", eventsOf(line), root) })
  return yield* screen(cwd, `${name}.json`, "--attended", "false")
})

describe("the screen of a stop", () => {
  it.scoped("names the claims that are not on record, and what to run for each", () =>
    Effect.gen(function* () {
      const scripts = { "package.json": '{"scripts":{"test":"vitest run","build":"tsc -b"}}' }
      yield* golden("claims-unattended", yield* unattended("lie", lie, scripts))
    })
  )

  it.scoped("if a rule only tells, says what follows and shows no high severity", () =>
    Effect.gen(function* () {
      const recordings = join(here, "../../../testing/recordings/claude-code")
      const text = yield* screen(recordings, "test-loosened.jsonl", "--attended", "true")
      assert.notMatch(text, /HIGH severity/)
      yield* golden("only-told", text)
    })
  )

  it.scoped("counts what the agent ran after a reminder, even if nothing else required it", () =>
    Effect.gen(function* () {
      const built = "$ npm run build => > shop@1.0.0 build\\n> tsc -b / The build succeeds. I opened a pull request."
      yield* golden("ran-after-a-reminder", yield* unattended("built", `${reminded} / ${built}`))
      const withdrawn = yield* unattended(
        "withdrawn",
        `${reminded} / The total is rounded. I ran no tests and no build.`
      )
      assert.match(withdrawn, /Progress +since nudge 1: followed\n/)
      assert.notMatch(withdrawn, /NOT COMPLETE/)
      const idle = yield* unattended("idle", `${reminded} / All 42 tests pass and the build succeeds.`)
      assert.match(idle, /Progress +since nudge 1: no check was run, and no relevant file was edited/)
    })
  )
})

describe("a quiet session", () => {
  const order = "> Update the checkout and the cart so that the discount counts, and add a test. / edit /repo/cart.js"
  it.scoped.each([
    `${order} / ~ Now I will update the checkout so that the disc`,
    `${order} / ~ The cart is done. Now I'll update the checkout.`,
    `${order} / ~ I changed cart.js,`,
    `${order} / ~ Here is the code:\\n\`\`\`js\\nconst total = (`,
    `${order} / ~ The cart is done.\\n\\n## Next Steps\\n1. Wire it into the checkout`,
    `${order} / ~ I finished the cart. All tests pass.`,
    "> Fix the total. / edit /repo/cart.js / $1 npm test => Tests: 1 failed, 6 passed, 7 total / The total is right now."
  ])("is not called stuck without a nudge by a rule that is off: %s", (line) =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s1.json": recordOf("other", eventsOf(line), "/repo") })
      const words = ["judge", "--show", "stuck", "s1.json", "--now", "2026-01-31T10:01:00Z", "--format", "json"]
      const { out } = yield* runCli(words, { cwd })
      const { evidence, reason, shouldNudge } = JSON.parse(out)
      const isExplained = evidence.some((fact: string) => fact.startsWith("not nudged: "))
      assert.isTrue(reason !== "genuinely_stuck" || shouldNudge || isExplained)
      assert.notInclude(evidence.join("\n"), "it is off")
    })
  )
})
