import { assert, describe } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fill } from "../../../scripts/configuration.mjs"
import { scenes } from "./scenes.ts"

/** A table without what a formatter puts into it. */
const cells = (text: string) => text.replaceAll(/ +/gu, " ").replaceAll(/-+/gu, "-")

interface Shown {
  readonly keys: ReadonlyArray<{ readonly key: string; readonly description: string | null; readonly here: unknown }>
  readonly rules: ReadonlyArray<{ readonly id: string; readonly attended: string; readonly unattended: string }>
}

describe("reflexion doctor --show", () => {
  scenes(
    String.raw`
    # configuration: every key says what it does, and is on the page
    $ doctor --show configuration --format json ¦ page

    # configuration: the values in force, with the default if it differs
    put {config} { "profile": "strict", "memory": { "retentionDays": 7 } } ¦ put {own} { "maxAttempts": 1, "model": "auto" }
    $ doctor --show configuration ¦ + profile "strict" (default "balanced") ¦ + memory.retentionDays 7 (default 30)
    + maxAttempts 1 (default 3) ¦ + model "off" models.

    # rules: each has its level in this project
    put {config} { "rules": { "loops/planning": "nudge" } }
    put {own} { "rules": { "gates/failing": "tell", "claims/unfounded": "nudge" } }
    $ doctor --show rules --format json
    level loops/planning nudge nudge ¦ level gates/failing tell tell ¦ level claims/unfounded tell nudge
    $ doctor --show rules ¦ ~ gates/failing tell, tell\. A check that the user ordered
    put {config} { "profile": "advisory" }
    $ doctor --show rules ¦ + no rule nudges the agent, whatever its level

    # models: which can be asked, in which order, and why not; no key is shown
    put {config} {"model":"{claude}","models":{"fallback":["openai/gpt-5","anthropic/claude-haiku-4-5"]},"crossReview":{"auditor":"openai/gpt-5"}}
    $ ANTHROPIC_API_KEY={key} doctor --show models ¦ ~ {claude} is asked first openai/gpt-5 .*OPENAI_API_KEY is not set
    + auditor: ¦ - {key}
    $ ANTHROPIC_API_KEY={key} doctor --show models --format json ¦ json judging.0.excluded null
    ~ "excluded": "[^"]+.*"excluded": "[^"]+ ¦ json limits.tokensPerDay 2000000
    $* ANTHROPIC_API_KEY={key} doctor ¦ + models {claude} is asked first
    $1 doctor --show models
    $1 doctor ¦ ~ ✗ models {claude}, but this model cannot be used

    # models: none of an untrusted project; if models are off, what auto would ask
    put {own} {"model":"evil/one","models":{"providers":{"evil":{"api":"openai","url":"http://x"}}}}
    $ OPENAI_API_KEY=sk doctor --show models ¦ - evil ¦ ~ Models that auto would ask \(models are off\) openai/
    `,
    {
      live: true,
      words: {
        config: ".config/reflexion/config.json",
        own: "project/.reflection/config.json",
        claude: "anthropic/claude-sonnet-4-5",
        key: "sk-ant-0123456789abcdef"
      },
      verbs: {
        page: (_, __, { out }) => {
          const { keys }: Shown = JSON.parse(out)
          assert.isTrue(keys.every(({ description }) => description !== null))
          const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
          assert.strictEqual(cells(fill(page, keys)), cells(page))
        },
        level: (expected, _, { out }) => {
          const { rules }: Shown = JSON.parse(out)
          const levels = rules.map(({ attended, id, unattended }) => `${id} ${attended} ${unattended}`)
          assert.include(levels, expected)
        }
      }
    }
  )
})
