/**
 * Makes a fingerprint of the code that a command runs. It covers the command, and the scripts, recipes and script files
 * that the command may start. The user consents to this code. Imported code and tests are not covered, because the
 * check has to test them.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { digest } from "../base/system/KeyHash.ts"
import { fileKind } from "../base/system/Paths.ts"
import { justfiles, makefiles, miseFiles, taskfiles } from "../session/project/Files.ts"
import * as ProposedChecks from "../session/project/ProposedChecks.ts"
import * as RepoSignals from "../session/project/RepoSignals.ts"
import * as ShellCommand from "../session/shell/ShellCommand.ts"

/** For each program, the files that define its commands. They contain little else, so the whole file counts. */
const definitions: ReadonlyArray<readonly [programs: string, files: ReadonlyArray<string>]> = [
  ["npm pnpm", [".npmrc"]],
  ["yarn", [".yarnrc.yml", ".yarnrc"]],
  ["bun", ["bunfig.toml"]],
  ["make gmake", makefiles],
  ["just", justfiles],
  ["task go-task", taskfiles],
  ["mise", miseFiles],
  ["hk", ["hk.pkl"]],
  ["pre-commit prek", [".pre-commit-config.yaml"]],
  ["lefthook", ["lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", "lefthook.toml", "lefthook.json"]],
  ["tox", ["tox.ini"]],
  ["nox", ["noxfile.py"]],
  ["turbo", ["turbo.json"]],
  ["nx", ["nx.json"]],
  ["rake", ["Rakefile"]],
  ["invoke inv", ["tasks.py"]],
  ["doit", ["dodo.py"]]
]

const interpreters = new Set(
  "make sh bash zsh dash ksh fish pwsh powershell node deno bun tsx ts-node python python3 py ruby perl php lua source .".split(
    " "
  )
)

const shellFile = /(?:\.(?:sh|bash|zsh|ksh|fish)|\/[^./]+)$/

/** Recipe files that another recipe file includes. */
const included = /[\w./-]{0,200}(?:\w\.(?:mk|just)|[Tt]askfile[\w.]{0,20}\.ya?ml)\b/g

const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1)

const notScript = /(?:^|\/)(?:node_modules\/|tests?\.\w+$)/

const isScript = (word: string): boolean =>
  /[./]/.test(word) && word.length <= 300 && !notScript.test(word) && fileKind(word) !== "test"

/** Programs with a path, arguments of an interpreter, and the `package.json` of another folder that a command uses. */
const startedBy = (text: string, { scripts }: RepoSignals.RepoSignals): ReadonlyArray<string> =>
  ShellCommand.analyze(text, scripts).commands.flatMap(({ dir, words: [program, ...rest] }) => {
    if (program == null) return []
    const given = interpreters.has(nameOf(program)) ? rest.flatMap((word) => word ?? []) : []
    const files = [...(program.includes("/") ? [program] : []), ...given].filter(isScript)
    const inFolder = (name: string): string => (!dir || name.startsWith("/") ? name : `${dir}/${name}`)
    return [...files, ...(dir ? ["package.json"] : [])].map(inFolder)
  })

const maxText = 100_000

const definedBy = (text: string): ReadonlyArray<string> => {
  const words = new Set(text.slice(0, maxText).split(/[^\w.-]+/))
  return definitions.flatMap(([programs, files]) => (programs.split(" ").some((name) => words.has(name)) ? files : []))
}

const includedIn = (text: string): ReadonlyArray<string> =>
  [...text.slice(0, maxText).matchAll(included)].map(([name]) => name)

const maxFiles = 50
const maxBytes = 1_048_576

/** If a path is missing, is not a file or is too large, only this fact is added to the fingerprint. */
export const of = Effect.fn("CheckPrint.of")(function* (directory: string, command: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const signals = yield* RepoSignals.load(directory)
  const parts = new Map([[command, ""]])
  const filesIn = (text: string): ReadonlyArray<string> => {
    const scripts = ProposedChecks.reached(text, signals)
    for (const script of scripts) parts.set(script, "")
    return [text, ...scripts].flatMap((one) => [...definedBy(one), ...startedBy(one, signals)])
  }
  const read = Effect.fnUntraced(function* (name: string) {
    const file = path.resolve(directory, name)
    const { size, type } = yield* fs.stat(file)
    if (type !== "File") return type
    return Number(size) > maxBytes ? `${size}` : yield* fs.readFileString(file)
  })
  let count = 0
  const look = (names: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.forEach(
      names,
      Effect.fnUntraced(function* (name) {
        if (parts.has(`./${name}`) || count >= maxFiles) return
        count += 1
        const content = yield* Effect.orElseSucceed(read(name), () => "none")
        parts.set(`./${name}`, content)
        const isRecipes = definitions.some(([, files]) => files.includes(nameOf(name)))
        if (!isRecipes && shellFile.test(`/${name}`)) yield* look(filesIn(content))
        else yield* look(includedIn(content))
      }),
      { discard: true }
    )
  yield* look(filesIn(command))
  return yield* digest(new TextEncoder().encode(JSON.stringify([...parts].toSorted())))
})
