/** Lets promptfoo put the questions: it is fetched by npx, run in a folder of its own, and its results are read back. */
import { spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { ModelOptions } from "./ModelOptions.ts"
import { CannotRun } from "./ModelRun.ts"
import { variable } from "./PromptfooProvider.ts"
import type { Trial } from "./Trial.ts"
import * as TrialJson from "./TrialJson.ts"

/** The last one that runs on Node 20. */
export const version = "0.121.20"

const folder = fileURLToPath(new URL("../../promptfoo/", import.meta.url))

/** It sends nothing to its makers, asks nobody for a newer version, and keeps its database in a folder that is thrown away. */
const quiet = (scratch: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: [process.env["NODE_OPTIONS"] ?? "", `--import=${pathToFileURL(Path.join(folder, "quiet.mjs")).href}`]
    .join(" ")
    .trim(),
  PROMPTFOO_DISABLE_TELEMETRY: "1",
  PROMPTFOO_DISABLE_UPDATE: "1",
  PROMPTFOO_DISABLE_REMOTE_GENERATION: "true",
  PROMPTFOO_DISABLE_SHARING: "1",
  PROMPTFOO_SELF_HOSTED: "1",
  PROMPTFOO_CONFIG_DIR: scratch,
  PROMPTFOO_CACHE_ENABLED: "false",
  NO_UPDATE_NOTIFIER: "1"
})

/** What is read of the file that promptfoo writes. */
const Results = Schema.Struct({
  results: Schema.Struct({
    results: Schema.Array(
      Schema.Struct({
        success: Schema.Boolean,
        error: Schema.optional(Schema.NullOr(Schema.String)),
        response: Schema.optional(
          Schema.Struct({
            output: Schema.optional(Schema.Unknown),
            error: Schema.optional(Schema.NullOr(Schema.String))
          })
        )
      })
    )
  })
})

const decodeResults = Schema.decodeUnknownEither(Schema.parseJson(Results))

const inOrder = (one: Trial, other: Trial): number => one.repeat - other.repeat

/** The trials in promptfoo's results; every one of them has to be there. */
export const trialsIn = (text: string, expected: number): Either.Either<ReadonlyArray<Trial>, string> =>
  Either.gen(function* () {
    const { results } = yield* Either.mapLeft(decodeResults(text), ({ message }) => `promptfoo's results: ${message}`)
    const trials: Array<Trial> = []
    for (const { error, response, success } of results.results) {
      const trial = TrialJson.decode(response?.output)
      if (Either.isLeft(trial))
        return yield* Either.left(`promptfoo: ${response?.error ?? error ?? "an answer without a result"}`)
      if (success !== (trial.right.problem === null && trial.right.right === true))
        return yield* Either.left(`promptfoo graded ${trial.right.id} otherwise than it was answered`)
      trials.push(trial.right)
    }
    return trials.length === expected
      ? trials.toSorted(inOrder)
      : yield* Either.left(`promptfoo gave ${trials.length} answers to ${expected} questions`)
  })

const ended = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Promise<number | string> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32"
    })
    child.on("error", ({ message }) => resolve(message))
    child.on("close", (code, signal) => resolve(code ?? signal ?? "an unknown end"))
  })

/** Where a test failed, which is what is measured. */
const failedTests = 100

const settings = "--no-cache --no-write --no-share --no-table --no-progress-bar".split(" ")

const argumentsOf = ({ concurrency, repeats }: ModelOptions, output: string): ReadonlyArray<string> => [
  "--yes",
  "--prefer-offline",
  `promptfoo@${version}`,
  "eval",
  "--config",
  "promptfooconfig.mjs",
  "--repeat",
  `${repeats}`,
  "--max-concurrency",
  `${concurrency}`,
  ...settings,
  "--output",
  output
]

const run = async (
  options: ModelOptions,
  argv: ReadonlyArray<string>,
  expected: number
): Promise<Either.Either<ReadonlyArray<Trial>, string>> => {
  const scratch = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-promptfoo-"))
  try {
    const output = Path.join(scratch, "results.json")
    const env = { ...process.env, ...quiet(scratch), [variable]: JSON.stringify(argv) }
    const code = await ended("npx", argumentsOf(options, output), env)
    if (code !== 0 && code !== failedTests) return Either.left(`promptfoo ended with ${code}: its messages are above`)
    if (!Fs.existsSync(output)) return Either.left("promptfoo wrote no results: its messages are above")
    return trialsIn(Fs.readFileSync(output, "utf8"), expected)
  } finally {
    Fs.rmSync(scratch, { recursive: true, force: true })
  }
}

/** Every trial as promptfoo puts it, repeat by repeat. `argv` is what this run was started with. */
export const driven = (
  options: ModelOptions,
  argv: ReadonlyArray<string>,
  expected: number
): Effect.Effect<ReadonlyArray<Trial>, CannotRun> =>
  Effect.flatMap(
    Effect.promise(() => run(options, argv, expected)),
    Either.match({
      onLeft: (problem) => Effect.fail(new CannotRun(problem)),
      onRight: (trials) => Effect.succeed(trials)
    })
  )
