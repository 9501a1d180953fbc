/** What the names of scripts, targets and script files say that they do. */
import { lazy } from "../../ground/text/Lazy.ts"
import type { CommandClass } from "./model.ts"
import { basename, has, rowsOf } from "./words.ts"

/** `part`: the name is that of a part of the code, as a package, a folder or a language. */
interface Named {
  readonly classes: ReadonlyArray<CommandClass>
  readonly part: boolean
}

const gates: ReadonlySet<string> = new Set(["test", "build", "typecheck", "lint", "format"])
export const isGate = (one: CommandClass): boolean => gates.has(one)

const classes: ReadonlyArray<CommandClass> = [
  "test",
  "build",
  "typecheck",
  "lint",
  "format",
  "deploy",
  "install",
  "process"
]

const heads = lazy(() => {
  const rows = rowsOf(`
test: test tests testing spec specs vitest jest pytest playwright cypress mocha phpunit rspec runtests ctest nextest testall
  tox e2e unit unittest unittests unittest integration smoke regression coverage cov
build: build builds compile bundle dist transpile webpack assemble
typecheck: typecheck typechecks checktypes types tsc typing mypy pyright
lint: lint lints linter linting eslint clippy vet oxlint ruff flake8 pylint rubocop golangci stylelint shellcheck checkstyle
format: fmt format formatting prettier gofmt rustfmt
deploy: deploy publish release ship
install: install setup bootstrap deps
process: dev start serve server
`)
  return new Map(
    classes.flatMap((one) => rows.flatMap(([key, all]) => (key === one ? all.map((word) => [word, one] as const) : [])))
  )
})

/** What runs all that there is to check, unless the next word says what. */
const gauntlets = "ci verify validate precommit prepush presubmit preflight"
export const checks = `check checks ${gauntlets}`

/** Words that say how the work is done, or on how much of it. */
const manners =
  "all full every everything quick fast slow only once one watch fix write update retry ci local dev prod production release debug staging nightly strict quiet silent verbose parallel serial headless ui browser chrome chromium firefox webkit native race short long changed staged affected coverage cov report html json unit units e2e integration smoke regression acceptance functional contract component snapshot visual system suite doc types check test tests spec lint format src main module cjs esm node deno bun run connected"

/** Words that name a usual part of a code base. */
const parts =
  "api app apps web www site website frontend front backend back client cli core lib libs pkg packages shared common service services worker workers desktop mobile android ios macos linux windows wasm sdk plugin plugins js ts jsx tsx css scss html md yaml sql go python py rust rs java kotlin swift c cpp ruby php sh shell scripts jvm"

/** Words behind a colon that prepare or tidy up for the work of the head. */
const around =
  "seed setup teardown data db database fixture fixtures server serve start stop up down clean reset prepare install init generate gen mock mocks env connection email mail webhook migrate deps list show open logs docs image images index"

/** `checkTypes` and `type-check` are one word of two. */
const wordsOf = (segment: string): ReadonlyArray<string> =>
  segment
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\b(type|check|unit)[^a-z0-9]{1,2}(check|types|tests?)\b/g, "$1$2")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")

const nothing: Named = { classes: [], part: false }
const headOf = (word: string | undefined): CommandClass | undefined => heads().get(word ?? "")
const isManner = (word: string): boolean => has(manners, word) || /^(?:py|node|go|jdk|v)?\d{1,6}$/.test(word)
const isQualifier = (word: string): boolean => isManner(word) || has(parts, word)
const isPart = (all: ReadonlyArray<string>): boolean => all.some((word) => has(parts, word) && !isManner(word))

/** `test-unit`, `unit-tests`, `check-types`, `lint-and-test`: what is done, when all other words only say how, or to what. */
const ofWords = (all: ReadonlyArray<string>): Named => {
  const own = all.filter((word, at) => at > 0 || all.length === 1 || !has("run do exec", word))
  const [first = "", ...rest] = own
  const and = own.indexOf("and")
  if (and > 0) {
    const sides = [ofWords(own.slice(0, and)).classes, ofWords(own.slice(and + 1)).classes]
    return sides.some((side) => side.length === 0) ? nothing : { classes: [...new Set(sides.flat())], part: false }
  }
  if (
    has(checks, first) &&
    rest.every((word) => has("all full quick fast ci local fix strict quiet staged changed", word))
  )
    return { classes: has(gauntlets, first) ? ["test", "lint", "build"] : ["lint", "typecheck"], part: false }
  const found = (has(checks, first) ? rest : [first, own.at(-1)]).flatMap((word) => headOf(word) ?? [])
  const [gate] = found
  if (gate === "install" || gate === "process")
    return headOf(first) === gate ? { classes: [gate], part: false } : nothing
  const isPlain = own.every((word) => isQualifier(word) || has(checks, word) || headOf(word) !== undefined)
  const finer =
    found.find((one) => one === "typecheck") ?? found.find((one) => one === "lint" || one === "format") ?? gate
  return finer === undefined || !isPlain ? nothing : { classes: [finer], part: isPart(own) }
}

/** `test:unit`, `web:test`: behind a colon may stand any package, or other work. */
const ofSegments = (first: ReadonlyArray<string>, rest: ReadonlyArray<string>): Named => {
  const head = ofWords(first)
  const [gate] = head.classes
  if (rest.length === 0 || gate === "install" || gate === "process") return head
  if (gate === undefined || has(checks, first[0])) {
    const whole = ofWords([...first, ...rest])
    return whole.classes.length > 0 || !first.every(isQualifier) ? whole : ofWords(rest)
  }
  const next = headOf(rest[0])
  const isAround = rest.some((word) => has(around, word) || (gate === "deploy" && has(checks, word)))
  if (isAround || (gate === "test" && next === "build")) return nothing
  const finer = next === "typecheck" || (gate === "test" && (next === "lint" || next === "format")) ? next : undefined
  return finer === undefined
    ? { classes: head.classes, part: head.part || !rest.every(isManner) }
    : { classes: [finer], part: head.part }
}

/** What a script or target of this name does; no classes when the name does not say it plainly. */
export const ofName = (name: string): Named => {
  const segments = name.slice(0, 120).split(/[:/.]/).map(wordsOf)
  const [first = [], ...rest] = segments.filter((segment) => segment.length > 0)
  return ofSegments(first, rest.flat())
}

/**
 * Whether a script or target of this name is the project's own way to run its tests: whatever folder or options it names, it
 * is the whole of them. `test:unit` is a part by its name, as far as its body says so.
 */
export const isOwnSuite = (name: string): boolean => {
  const all = name.slice(0, 120).split(/[:/.]/).flatMap(wordsOf)
  const suites = `test tests testing spec specs ${checks}`
  const isSuite = (word: string): boolean => has(suites, word)
  return all.some(isSuite) && all.every((word) => isSuite(word) || has("all full every whole local run", word))
}

const testFile =
  /\.(?:tests?|spec|e2e)\.\w{1,6}$|(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/(?:.{1,200}\/)?(?:tests?[_-][^/]{1,120}|[^/]{0,120}(?:[_-](?:tests?|spec|e2e)|Tests?))\.\w{1,6}$/
const kinds =
  "test tests spec specs unit e2e integration smoke regression acceptance functional suite all full ci local coverage"
const plainFile =
  /^(?:(?:re)?build|compile|lint(?:er)?|typecheck|format|fmt|deploy|publish|release|install|setup|bootstrap|deps)$/

/**
 * What a script file does that is run, by its name. Many a script is named after what it looks at, as `build-index.js`
 * and `check.sh` are, so only the plainest names say anything, and none stands for several gates.
 */
export const ofFile = (path: string): Named => {
  const clipped = path.slice(-300)
  if (testFile.test(clipped)) return { classes: ["test"], part: true }
  const all = wordsOf(basename(clipped).replace(/\.\w{1,4}$/, ""))
  const inTests = /(?:^|\/)(?:tests?|specs?|e2e)\/[^/]{1,100}$/.test(clipped)
  if (inTests && all.every((word) => has("run all full ci local index main", word)))
    return { classes: ["test"], part: false }
  const [first = "", ...rest] = all.filter((word, at) => at > 0 || !has("run do exec all", word))
  const gate = headOf(first)
  if (gate === "test" && (rest.length === 0 || rest.some((word) => has(kinds, word))))
    return { classes: ["test"], part: !rest.every((word) => has(kinds, word)) }
  if (/^tests?$/.test(rest.at(-1) ?? "") && [first, ...rest.slice(0, -1)].every((word) => has(parts, word)))
    return { classes: ["test"], part: true }
  return gate !== undefined && plainFile.test(first) && rest.every(isQualifier)
    ? { classes: [gate], part: isPart(rest) }
    : nothing
}
