import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { folder } from "../runCli.ts"
import { agent, edit, run, user } from "./judged.ts"

const here = dirname(fileURLToPath(import.meta.url))

const bin = join(here, "../../dist/bin.js")

const recordings = join(here, "../../../testing/recordings/claude-code")

/** What somebody reads who judges a session in its folder. */
const screen = (cwd: string, ...words: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.async((resume) => {
    const env = { PATH: process.env["PATH"], HOME: "/nonexistent" }
    execFile(process.execPath, [bin, "judge", ...words], { cwd, env }, (_, stdout, stderr) =>
      resume(Effect.succeed(`${stdout}${stderr}`))
    )
  })

const shown = (text: string, name: string) =>
  Effect.promise(() => expect(text).toMatchFileSnapshot(join(here, "screens", `${name}.txt`)))

const scripts = '{"scripts":{"test":"vitest run","build":"tsc -b"}}'

const lie = [
  user("Round the total to cents."),
  edit("src/total.ts"),
  agent("I rounded the total. All 42 tests pass and the build succeeds. I opened a pull request, and CI is green.")
]

const reminder = {
  ...user("[reflexion 1/3] The task is not done yet.\n\n- You wrote that, but nothing of it is on record."),
  synthetic: true
}

/** The sessions as files, in the folder of the project that they are about. */
const sessions = (all: Readonly<Record<string, ReadonlyArray<unknown>>>, project: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const root = yield* folder(project)
    const texts = Object.entries(all).map(([name, events]) => [
      `${name}.json`,
      JSON.stringify({ version: 1, host: "other", sessionId: name, cwd: root, events })
    ])
    return yield* folder(Object.fromEntries(texts))
  })

describe("what somebody reads of a stop", () => {
  it.scoped("names the claims that are not on record, and what to run for each", () =>
    Effect.gen(function* () {
      const cwd = yield* sessions({ lie }, { "package.json": scripts })
      yield* shown(yield* screen(cwd, "lie.json", "--attended", "false"), "claims-unattended")
    })
  )

  it.scoped("says what follows where a rule asks and there is no model, and shouts nothing that nobody acts on", () =>
    Effect.gen(function* () {
      const text = yield* screen(recordings, "test-loosened.jsonl", "--attended", "true")
      expect(text).not.toMatch(/\(ask\)|HIGH severity/)
      yield* shown(text, "asks-without-a-model")
    })
  )

  it.scoped("counts what the agent ran after a reminder, though nobody else required it", () =>
    Effect.gen(function* () {
      const output = "> shop@1.0.0 build\n> tsc -b"
      const built = [run("npm run build", 0, output), agent("The build succeeds. I opened a pull request.")]
      const cwd = yield* sessions(
        {
          built: [...lie, reminder, ...built],
          withdrawn: [...lie, reminder, agent("The total is rounded. I ran no tests and no build.")],
          idle: [...lie, reminder, agent("All 42 tests pass and the build succeeds.")]
        },
        {}
      )
      const [ran, withdrawn, idle] = yield* Effect.forEach(
        ["built", "withdrawn", "idle"],
        (name) => screen(cwd, `${name}.json`, "--attended", "false"),
        { concurrency: 2 }
      )
      yield* shown(ran ?? "", "ran-after-a-reminder")
      expect(withdrawn).toMatch(/Progress +since reminder 1: followed\n/)
      expect(idle).toMatch(/Progress +since reminder 1: no check was run, and nothing was edited that counts/)
    })
  )
})
