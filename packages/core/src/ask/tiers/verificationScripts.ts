/** Whether what a check runs is what it was before the task: whoever may write a check's script may write it away. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CheckResult } from "../checks/CheckResult.ts"
import * as Json from "../../base/json/Json.ts"
import type { RepoSignals } from "../../session/project/RepoSignals.ts"
import * as Git from "../../base/system/QuietGit.ts"
import type { Written } from "./sessionFiles.ts"

const recipes: ReadonlyArray<readonly [program: RegExp, files: RegExp]> = [
  [/\b(?:npm|pnpm|yarn|bun|npx|nx|turbo|lerna)\b/, /^(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml)$/],
  [
    /\b(?:jest|vitest|mocha|ava|playwright|cypress)\b/,
    /^(?:jest|vitest|vite|ava|playwright|cypress)\.config\.|^\.mocharc/
  ],
  [/\b(?:pytest|py\.test)\b/, /^(?:pytest\.ini|\.pytest\.ini|conftest\.py)$/],
  [/\bg?make\b/, /^(?:gnu)?makefile$|\.mk$/],
  [/\bjust\b/, /^\.?justfile$|\.just$/],
  [/\btask\b/, /^taskfile\.ya?ml$/],
  [/\b(?:tox|nox)\b/, /^(?:tox\.ini|noxfile\.py)$/],
  [/\bcomposer\b/, /^composer\.json$/],
  [/\brake\b/, /^rakefile$/],
  [/\bdeno\b/, /^deno\.jsonc?$/],
  [/\bgradlew?\b/, /^(?:build\.gradle(?:\.kts)?|gradlew(?:\.bat)?)$/],
  [/\bmvnw?\b/, /^(?:pom\.xml|mvnw(?:\.cmd)?)$/]
]

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const wordsOf = (command: string): ReadonlyArray<string> =>
  command
    .slice(0, 4000)
    .split(/[\s;|&()<>"'`=]+/)
    .map((word) => word.replace(/^\.\//, ""))
    .filter((word) => word !== "")

/** The command with the scripts of the manifest that it runs, and those that they run. */
const spelled = (command: string, { scripts }: RepoSignals): string => {
  let text = command
  const run = new Set<string>()
  for (const word of wordsOf(command)) run.add(word)
  for (const name of run) {
    const script = Object.hasOwn(scripts.npm, name) ? scripts.npm[name] : undefined
    if (script === undefined || run.size > 200) continue
    text += `\n${script}`
    for (const word of wordsOf(script)) run.add(word)
  }
  return text
}

const isManifest = (path: string): boolean => baseOf(path) === "package.json"

/** Tests are written in many a task, and are what a check is to run. */
const isRun = (command: string, { kind, path }: Written): boolean => {
  const name = baseOf(path).toLowerCase()
  if (recipes.some(([program, files]) => program.test(command) && files.test(name))) return true
  return kind !== "test" && wordsOf(command).some((word) => path.endsWith(`/${word}`) && /[./]/.test(word))
}

const parse = Schema.decode(Schema.parseJson())

const scriptsOf = (text: string) =>
  Effect.map(parse(text), (manifest) => JSON.stringify(Json.object(manifest)["scripts"] ?? null))

const touchesScripts = (text: string, { scripts }: RepoSignals): boolean =>
  text.includes('"scripts"') || Object.keys(scripts.npm).some((name) => text.includes(`"${name}":`))

/** Whether the manifest has the scripts that the last commit before the task has. */
const sameScripts = Effect.fnUntraced(
  function* (file: string, { base, git }: Base) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const before = yield* Git.ask(git, ["show", "--no-textconv", `${base}:./${path.basename(file)}`], {
      directory: path.dirname(file)
    })
    if (before === null) return false
    return (yield* scriptsOf(Git.text(before))) === (yield* scriptsOf(yield* fs.readFileString(file)))
  },
  Effect.orElseSucceed(() => false)
)

/** What is known of the project and of the task in it. `base` is the last commit before it, as far as git says. */
export interface Around<R> {
  readonly repo: RepoSignals
  readonly written: ReadonlyArray<Written>
  readonly base: Effect.Effect<Base | null, never, R>
}

export interface Base {
  readonly git: Git.Git
  readonly base: string
}

/** An edit of a manifest may be of something else. */
const isEdited = Effect.fnUntraced(function* <R>(one: Written, { base, repo }: Around<R>) {
  if (!isManifest(one.path)) return true
  if (one.text !== null && !touchesScripts(one.text, repo)) return false
  const known = yield* base
  return known === null || !(yield* sameScripts(one.path, known))
})

/** The first file of what a check runs that the task has edited, null where there is none. */
export const editedFor = Effect.fnUntraced(function* <R>(result: CheckResult, around: Around<R>) {
  const command = spelled(result.command, around.repo)
  for (const one of around.written.filter((candidate) => isRun(command, candidate)))
    if (yield* isEdited(one, around)) return one.path
  return null
})
