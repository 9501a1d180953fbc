/** Guesses from their names what scripts, targets and script files do. */
import { lazy } from "../../base/text/Lazy.ts"
import type { CommandClass } from "./model.ts"
import { basename, has, rowsOf } from "./words.ts"

interface Named {
  readonly classes: ReadonlyArray<CommandClass>
  /** True if the name limits the work to a part of the code. For example, to a package, a folder or a language. */
  readonly part: boolean
}

const gates: ReadonlySet<string> = new Set(["test", "build", "typecheck", "lint", "format"])
export const isGate = (one: CommandClass): boolean => gates.has(one)

/** If a name contains words for several classes, the first three classes here win over the others. */
const named: ReadonlyArray<CommandClass> = [
  "typecheck",
  "lint",
  "format",
  "test",
  "build",
  "deploy",
  "install",
  "process"
]

const heads = lazy(() => {
  const rows = rowsOf(`
test: test tests testing spec specs vitest jest pytest playwright cypress mocha phpunit rspec runtests ctest nextest testall
  tox e2e unit unittest unittests integration smoke regression coverage cov
build: build builds compile bundle dist transpile webpack assemble
typecheck: typecheck typechecks checktypes types tsc typing mypy pyright
lint: lint lints linter linting eslint clippy vet oxlint ruff flake8 pylint rubocop golangci stylelint shellcheck checkstyle
format: fmt format formatting prettier gofmt rustfmt
deploy: deploy publish release ship
install: install setup bootstrap deps
process: dev start serve server
`)
  return new Map(
    named.flatMap((one) => rows.flatMap(([key, all]) => (key === one ? all.map((word) => [word, one] as const) : [])))
  )
})

/** Names that mean all checks, unless the next word names one check. */
const gauntlets = "ci verify validate precommit prepush presubmit preflight"
export const checks = `check checks ${gauntlets}`
const amounts = "all full quick fast ci local fix strict quiet staged changed"

/** Words that say how the work is done, or how much of it. */
const manners =
  "all full every everything quick fast slow only once one watch fix write update retry ci local dev prod production release debug staging nightly strict quiet silent verbose parallel serial headless ui browser chrome chromium firefox webkit native race short long changed staged affected coverage cov report html json unit units e2e integration smoke regression acceptance functional contract component snapshot visual system suite doc types check test tests spec lint format src main module cjs esm node deno bun run connected"

const parts =
  "api app apps web www site website frontend front backend back client cli core lib libs pkg packages shared common service services worker workers desktop mobile android ios macos linux windows wasm sdk plugin plugins js ts jsx tsx css scss html md yaml sql go python py rust rs java kotlin swift c cpp ruby php sh shell scripts jvm"

/** Words for preparation or cleanup around the work. For example, `test:setup` does not run tests. */
const around =
  "seed setup teardown data db database fixture fixtures server serve start stop up down clean reset prepare install init generate gen mock mocks env connection email mail webhook migrate deps list show open logs docs image images index"

/** Splits a name into words. `checkTypes` and `type-check` stay one word. */
const wordsOf = (segment: string): ReadonlyArray<string> =>
  segment
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\b(type|check|unit)[^a-z0-9]{1,2}(check|types|tests?)\b/g, "$1$2")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")

const nothing: Named = { classes: [], part: false }
const isManner = (word: string): boolean => has(manners, word) || /^(?:py|node|go|jdk|v)?\d{1,6}$/.test(word)
const isPart = (word: string): boolean => has(parts, word) && !isManner(word)
const isPlain = (word: string): boolean => isManner(word) || has(parts, word) || has(checks, word) || heads().has(word)

/** Reads names such as `test-unit` or `test:web`. The words before the first colon must be known. */
const ofWords = (all: ReadonlyArray<string>, segment: number): Named => {
  const [first = "", ...rest] = all
  const isCheck = has(checks, first)
  if (isCheck && rest.every((word) => has(amounts, word)))
    return { classes: has(gauntlets, first) ? ["test", "lint", "build"] : ["lint", "typecheck"], part: false }
  const found = (isCheck ? rest : all).flatMap((word) => heads().get(word) ?? [])
  const [gate] = found
  if (gate === undefined || all.slice(0, segment).some((word) => !isPlain(word))) return nothing
  if (gate === "install" || gate === "process")
    return heads().get(first) === gate ? { classes: [gate], part: false } : nothing
  if (rest.some((word) => has(around, word)) || (gate === "deploy" && rest.some((word) => has(checks, word))))
    return nothing
  if (gate === "test" && heads().get(all[segment] ?? "") === "build") return nothing
  const finer = named.slice(0, 3).find((one) => found.includes(one)) ?? gate
  return {
    classes: [finer],
    part: all.some(
      (word, at) => isPart(word) || (at >= segment && !isManner(word) && heads().get(word) !== "typecheck")
    )
  }
}

export const ofName = (name: string): Named => {
  const segments = name.slice(0, 120).split(/[:/.]/).map(wordsOf)
  const all = segments.flat()
  const isRun = all.length > 1 && has("run do exec", all[0])
  const own = all.slice(isRun ? 1 : 0)
  const and = own.indexOf("and")
  if (and <= 0) return ofWords(own, (segments.find(({ length }) => length > 0)?.length ?? 0) - (isRun ? 1 : 0))
  const sides = [own.slice(0, and), own.slice(and + 1)].map((side) => ofWords(side, side.length).classes)
  return sides.some((side) => side.length === 0) ? nothing : { classes: [...new Set(sides.flat())], part: false }
}

const isSuite = (word: string): boolean => has("test tests testing spec specs", word) || has(checks, word)

/** True if the name means the whole suite, whatever folders or options the script has. False for `test:unit`. */
export const isOwnSuite = (name: string): boolean => {
  const all = wordsOf(name.slice(0, 120))
  return all.some(isSuite) && all.every((word) => isSuite(word) || has("all full every whole local run", word))
}

const testFile =
  /\.(?:tests?|spec|e2e)\.\w{1,6}$|(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/(?:.{1,200}\/)?(?:tests?[_-][^/]{1,120}|[^/]{0,120}(?:[_-](?:tests?|spec|e2e)|Tests?))\.\w{1,6}$/
const suites = /(?:^|\/)(?:tests?|specs?|e2e)\/(?:run|all|full|ci|local|index|main|-){1,5}(?:\.\w{1,4})?$/
const kinds =
  "test tests spec specs unit e2e integration smoke regression acceptance functional suite all full ci local coverage"

const plain =
  "rebuild build compile lint linter typecheck format fmt deploy publish release install setup bootstrap deps"

/** Only very plain names count. A name such as `build-index.js` may say what the file works on. */
export const ofFile = (path: string): Named => {
  const clipped = path.slice(-300)
  if (testFile.test(clipped)) return { classes: ["test"], part: true }
  if (suites.test(clipped)) return { classes: ["test"], part: false }
  const name = basename(clipped).replace(/\.\w{1,4}$/, "")
  const [first = "", ...rest] = wordsOf(name).filter((word, at) => at > 0 || !has("run do exec all", word))
  if (heads().get(first) === "test" && rest.some((word) => has(kinds, word)))
    return { classes: ["test"], part: !rest.every((word) => has(kinds, word)) }
  const { classes, part } = ofName([first, ...rest].join("-"))
  return heads().get(first) === "test" || has(plain, first) ? { classes, part } : nothing
}
