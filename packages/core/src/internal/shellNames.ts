import type { CommandClass } from "../ShellCommand.ts"
import { basename } from "./shellScope.ts"

type Classes = ReadonlyArray<CommandClass>

const table: ReadonlyArray<readonly [string, Classes]> = [
  [
    "test tests testing spec specs e2e unit unittest unittests integration vitest jest pytest playwright cypress mocha phpunit rspec runtests ctest nextest testall smoke regression coverage cov tox",
    ["test"]
  ],
  ["build builds compile bundle rebuild dist transpile webpack assemble", ["build"]],
  ["typecheck typechecks tsc typing typings mypy pyright checktypes checktype", ["typecheck"]],
  [
    "lint lints linter linting eslint clippy vet oxlint ruff flake8 pylint rubocop golangci stylelint shellcheck",
    ["lint"]
  ],
  ["fmt format formatting prettier gofmt rustfmt", ["format"]],
  ["deploy publish release ship", ["deploy"]],
  ["install setup bootstrap deps", ["install"]],
  ["dev start serve server up down", ["process"]],
  ["check checks", ["lint", "typecheck"]],
  ["ci verify validate precommit prepush presubmit preflight", ["test", "lint", "build"]]
]

const classesOf: ReadonlyMap<string, Classes> = new Map(
  table.flatMap(([words, classes]) => words.split(" ").map((word) => [word, classes] as const))
)

/** Segments that say how or on what, after which `check` and the like add nothing. */
const general = new Set(["check", "checks", "ci", "verify", "validate"])

const split = (name: string): ReadonlyArray<string> =>
  name
    .slice(0, 120)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((segment) => segment !== "")

const gather = (name: string): Classes => {
  const words = split(name)
  const found: Array<CommandClass> = []
  const add = (classes: Classes | undefined) => {
    for (const one of classes ?? []) if (!found.includes(one)) found.push(one)
  }
  const specific = words.filter((word) => !general.has(word))
  for (const [index, word] of words.entries()) {
    const pair = `${word}${words[index + 1] ?? ""}`
    add(classesOf.get(pair === word || !classesOf.has(pair) ? (general.has(word) ? "" : word) : pair))
  }
  if (found.length === 0 && specific.length !== words.length) for (const word of words) add(classesOf.get(word))
  return found
}

const known = new Map<string, Classes>()

/** What a target, script or script file of this name does, by the segments of the name; empty when they say nothing. */
export const classesOfName = (name: string): Classes => {
  const cached = known.get(name)
  if (cached !== undefined) return cached
  const classes = gather(name)
  if (known.size < 512) known.set(name, classes)
  return classes
}

/** A file that conventions say holds tests. */
export const isTestFile = (path: string): boolean => {
  const clipped = path.slice(-300)
  const base = basename(clipped)
  return (
    /^test[_-].{1,200}\.\w{1,6}$|^tests?\.\w{1,6}$|[._-](?:test|tests|spec|e2e)\.\w{1,6}$|Tests?\.\w{1,6}$|^runtests\.\w{1,6}$|^run_tests?\.\w{1,6}$/.test(
      base
    ) || /(?:^|\/)(?:tests?|spec|__tests__)\//.test(clipped)
  )
}
