import { assert, describe, it } from "@effect/vitest"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as FileSwaps from "@reflexion/testing/FileSwaps"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Settings from "../src/Settings.ts"
import * as SettingsReader from "../src/SettingsReader.ts"
import * as Trust from "../src/Trust.ts"
import { type Scratch, scratch } from "./support/session.ts"

/** What only trust gives, each with a word that says whose it is. */
const configuration = (whose: string): string =>
  JSON.stringify({
    maxAttempts: 3,
    model: `local/${whose}`,
    models: { providers: { local: { api: "chat-completions", url: `https://${whose}.example/v1`, keyEnv: "KEY" } } },
    verify: [{ gate: "tests", command: `${whose} test` }],
    gates: [{ name: "e2e", command: `${whose} e2e` }]
  })

const files = ({ root }: Scratch): ReadonlyArray<FileSwaps.Swapped> => [
  { file: join(root, ".reflection", "config.json"), user: configuration("user"), stranger: configuration("stranger") },
  { file: join(root, ".reflection.md"), user: "Mind the user.", stranger: "Mind the stranger." },
  { file: join(root, "reflection.md"), user: "user", stranger: "stranger" }
]

const trusted = Effect.gen(function* () {
  const scratched = yield* scratch
  const { directories } = scratched.hook
  mkdirSync(directories.config, { recursive: true })
  writeFileSync(join(directories.config, "config.json"), '{ "maxAttempts": 1 }')
  mkdirSync(join(scratched.root, ".reflection"))
  const swaps = yield* FileSwaps.make(files(scratched))
  swaps.put("user")
  Trust.trust(directories, Trust.Workspace.at(directories, scratched.root))
  const load = Effect.sync(() =>
    Settings.load({ directories, env: {}, root: scratched.root, build: "test", settle: SettingsReader.settle })
  )
  return { swaps, load, scratched }
})

/** What a configuration has of what trust gives, by whose it is. */
const givenBy = ({ config, problem }: Settings.Settled): string => {
  assert.isNull(problem)
  const { gates, maxAttempts, model, models, verify }: ReflexionConfig = config
  const told = gates.filter(({ untrusted }) => untrusted !== true)
  const text = JSON.stringify([model, models, verify, told])
  const whose = ["user", "stranger"].filter((one) => text.includes(one))
  return [...whose, maxAttempts].join(" ")
}

const nobodys = "1"
const users = "user 3"

describe("files that are swapped while they are looked at", () => {
  it.scoped("give a hook no word of a stranger's, now or from the cache", () =>
    Effect.gen(function* () {
      const { load, swaps } = yield* trusted
      const settled = (side: FileSwaps.Side) => {
        swaps.put(side)
        return Effect.map(load, givenBy)
      }
      const runs = yield* FileSwaps.everyWindow(swaps, load, (found, window) =>
        Effect.gen(function* () {
          assert.include([nobodys, users], givenBy(found), window)
          assert.strictEqual(yield* settled("user"), users, window)
          assert.strictEqual(yield* settled("stranger"), nobodys, window)
        })
      )
      assert.isAbove(runs, 20)
    })
  )
})
