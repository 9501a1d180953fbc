/** Quiet sessions with somebody there, assessed by the built command line: what rules that are off would find decides nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { folder } from "../runCli.ts"
import { agent, edit, run, user } from "./judged.ts"

const bin = fileURLToPath(new URL("../../dist/bin.js", import.meta.url))

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 10, 0, second)).toISOString()

const order = user("Update the checkout and the cart so that the discount counts, and add a test.")

const sayings = [
  "Now I will update the checkout so that the disc",
  "The cart is done. Now I'll update the checkout.",
  "The discount is passed to the",
  "I changed cart.js,",
  "Here is the code:\n```js\nconst total = (",
  "The cart is done.\n\n## Next Steps\n1. Wire it into the checkout",
  "I finished the cart. All tests pass.",
  "The cart and the checkout are updated."
]

interface Assessed {
  readonly file: string
  readonly reason: string
  readonly stuck: boolean
  readonly shouldNudge: boolean
  readonly evidence: ReadonlyArray<string>
}

const assess = (files: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Assessed>> =>
  Effect.async((resume) => {
    const words = ["judge", "--show", "stuck", ...files, "--now", at(60), "--format", "jsonl"]
    execFile(process.execPath, [bin, ...words], { env: { HOME: "/nonexistent" } }, (_, stdout) =>
      resume(
        Effect.succeed(
          stdout.split("\n").flatMap((line): ReadonlyArray<Assessed> => (line === "" ? [] : [JSON.parse(line)]))
        )
      )
    )
  })

const record = (events: ReadonlyArray<Readonly<Record<string, unknown>>>): string =>
  JSON.stringify({
    version: 1,
    host: "other",
    sessionId: "s1",
    cwd: null,
    events: events.map((event, second) => ({ ...event, at: at(second) }))
  })

describe("a quiet session", () => {
  it.scoped("is not called stuck without a nudge by a rule that is off", () =>
    Effect.gen(function* () {
      const texts = [
        ...sayings.map((text) => record([order, edit("/repo/cart.js"), { ...agent(text), completed: null }])),
        record([
          user("Fix the total."),
          edit("/repo/cart.js"),
          run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
          agent("The total is right now.")
        ])
      ]
      const root = yield* folder(Object.fromEntries(texts.map((text, index) => [`${index}.json`, text])))
      const found = yield* assess(texts.map((_, index) => `${root}/${index}.json`))
      assert.lengthOf(found, texts.length)
      for (const { evidence, reason, shouldNudge } of found) {
        assert.isTrue(
          reason !== "genuinely_stuck" || shouldNudge || evidence.some((fact) => fact.startsWith("not nudged: ")),
          reason
        )
        assert.notInclude(evidence.join("\n"), "it is off")
      }
    })
  )
})
