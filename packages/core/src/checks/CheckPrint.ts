/**
 * A print of what a command runs, by which the user's consent to it is held: the command, the scripts and recipes that it may
 * reach, and the script files that it starts, as far as they are known. What these import, and the tests themselves, are the
 * work: a check is there to run that.
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

/** Files that say what a program runs, by the program's name. They hold little else, so each counts whole. */
const definitions: ReadonlyArray<readonly [programs: string, files: ReadonlyArray<string>]> = [
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
  "sh bash zsh dash ksh fish pwsh powershell node deno bun tsx ts-node python python3 py ruby perl php lua source .".split(
    " "
  )
)

const shellFile = /(?:\.(?:sh|bash|zsh|ksh|fish|mk)|\/[^./]+)$/

const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1)

const notScript = /(?:^|\/)(?:node_modules\/|tests?\.\w+$)/

/** Neither a test nor what a package brings along. */
const isScript = (word: string): boolean =>
  /[./]/.test(word) && word.length <= 300 && !notScript.test(word) && fileKind(word) !== "test"

/** The files that a text starts: a program by its path, what an interpreter is given, and the manifest of another folder. */
const startedBy = (text: string, { scripts }: RepoSignals.RepoSignals): ReadonlyArray<string> =>
  ShellCommand.analyze(text, scripts).commands.flatMap(({ dir, words: [program, ...rest] }) => {
    if (program == null) return []
    const given = interpreters.has(nameOf(program)) ? rest.flatMap((word) => word ?? []) : []
    const files = [...(program.includes("/") ? [program] : []), ...given].filter(isScript)
    const inFolder = (name: string): string => (!dir || name.startsWith("/") ? name : `${dir}/${name}`)
    return [...files, ...(dir ? ["package.json"] : [])].map(inFolder)
  })

const definedBy = (text: string): ReadonlyArray<string> => {
  const words = new Set(text.split(/[^\w.-]+/))
  return definitions.flatMap(([programs, files]) => (programs.split(" ").some((name) => words.has(name)) ? files : []))
}

const maxFiles = 50
const maxBytes = 1_048_576

/** The print of a command in a folder. What is not there, or too large for a script, counts by that alone. */
export const of = Effect.fn("CheckPrint.of")(function* (directory: string, command: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const signals = yield* RepoSignals.load(directory)
  const read = Effect.fnUntraced(function* (name: string) {
    const file = path.resolve(directory, name)
    const { size, type } = yield* fs.stat(file)
    return type === "File" && Number(size) <= maxBytes ? yield* fs.readFileString(file) : `${type} ${size}`
  })
  const parts = new Map<string, string>()
  let files = 0
  const look = (texts: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.forEach(
      texts,
      Effect.fnUntraced(function* (text) {
        if (parts.has(text)) return
        const all = [text, ...ProposedChecks.reached(text, signals)]
        for (const one of all) parts.set(one, "")
        const names = new Set(all.flatMap((one) => [...definedBy(one), ...startedBy(one, signals)]))
        for (const name of names) {
          if (parts.has(`./${name}`) || files >= maxFiles) continue
          files += 1
          const content = yield* Effect.orElseSucceed(read(name), () => null)
          parts.set(`./${name}`, content ?? "none")
          if (content !== null && shellFile.test(`/${name}`)) yield* look([content])
        }
      }),
      { discard: true }
    )
  yield* look([command])
  return yield* digest(new TextEncoder().encode(JSON.stringify([...parts].toSorted())))
})
