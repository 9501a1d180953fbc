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

const goldenOf = (name: string): string => join(here, "screens", `${name}.txt`)

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

type Sessions = Readonly<Record<string, ReadonlyArray<unknown>>>

/** The screen of each session, judged with nobody there, in a project with these files. */
const unattended = (all: Sessions, project: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const root = yield* folder(project)
    const texts = Object.entries(all).map(([name, events]) => [
      `${name}.json`,
      JSON.stringify({ version: 1, host: "other", sessionId: name, cwd: root, events })
    ])
    const cwd = yield* folder(Object.fromEntries(texts))
    const judging = (name: string) => screen(cwd, `${name}.json`, "--attended", "false")
    return yield* Effect.forEach(Object.keys(all), judging, { concurrency: 2 })
  }).pipe(Effect.scoped, Effect.runPromise)

describe("what somebody reads of a stop", () => {
  it("names the claims that are not on record, and what to run for each", async () => {
    const [text] = await unattended({ lie }, { "package.json": scripts })
    await expect(text).toMatchFileSnapshot(goldenOf("claims-unattended"))
  })

  it("says what follows where a rule only tells, and shouts nothing that nobody acts on", async () => {
    const text = await Effect.runPromise(screen(recordings, "test-loosened.jsonl", "--attended", "true"))
    expect(text).not.toMatch(/HIGH severity/)
    await expect(text).toMatchFileSnapshot(goldenOf("only-told"))
  })

  it("counts what the agent ran after a reminder, though nobody else required it", async () => {
    const output = "> shop@1.0.0 build\n> tsc -b"
    const built = [run("npm run build", 0, output), agent("The build succeeds. I opened a pull request.")]
    const withdrawn = [agent("The total is rounded. I ran no tests and no build.")]
    const idle = [agent("All 42 tests pass and the build succeeds.")]
    const sessions = {
      built: [...lie, reminder, ...built],
      withdrawn: [...lie, reminder, ...withdrawn],
      idle: [...lie, reminder, ...idle]
    }
    const screens = await unattended(sessions, {})
    await expect(screens[0]).toMatchFileSnapshot(goldenOf("ran-after-a-reminder"))
    expect(screens[1]).toMatch(/Progress +since reminder 1: followed\n/)
    expect(screens[1]).not.toMatch(/NOT COMPLETE/)
    expect(screens[2]).toMatch(/Progress +since reminder 1: no check was run, and nothing was edited that counts/)
  })
})
