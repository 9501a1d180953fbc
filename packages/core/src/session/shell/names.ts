import { lazy } from "../../ground/text/Lazy.ts"
import { basename } from "./scope.ts"
import type { CommandClass } from "./model.ts"

type Classes = ReadonlyArray<CommandClass>

/** What the name of a script, target or script file says. */
export interface Named {
  readonly classes: Classes
  /** It names a part of the code: a package, a folder, a language. */
  readonly part: boolean
}

interface Words {
  readonly has: (word: string) => boolean
}

const wordSet = (...lists: ReadonlyArray<string>): Words => {
  const words = lazy(() => new Set(lists.join(" ").split(" ")))
  return { has: (word) => words().has(word) }
}

/** Names of scripts that run all there is to check. */
const gauntlets = "ci verify validate precommit prepush presubmit preflight"

const heads = lazy(
  (): ReadonlyMap<string, Classes> =>
    new Map(
      (
        [
          [
            "test tests testing spec specs vitest jest pytest playwright cypress mocha phpunit rspec runtest runtests ctest nextest testall testacc alltests tox",
            ["test"]
          ],
          ["e2e unit unittest unittests integration smoke regression coverage cov", ["test"]],
          ["build builds compile bundle rebuild dist transpile webpack assemble", ["build"]],
          ["typecheck typechecks types tsc typing typings mypy pyright checktypes checktype", ["typecheck"]],
          [
            "lint lints linter linting eslint clippy vet oxlint ruff flake8 pylint rubocop golangci stylelint shellcheck checkstyle codestyle stylecheck",
            ["lint"]
          ],
          ["fmt format formatting prettier gofmt rustfmt", ["format"]],
          ["deploy publish release ship", ["deploy"]],
          ["install setup bootstrap deps", ["install"]],
          ["dev start serve server up down", ["process"]],
          ["check checks", ["lint", "typecheck"]],
          [gauntlets, ["test", "lint", "build"]]
        ] satisfies ReadonlyArray<readonly [string, Classes]>
      ).flatMap(([words, classes]) => words.split(" ").map((word) => [word, classes] as const))
    )
)

/** Words that check something, of which the next word says what. */
const general = wordSet(`check checks ${gauntlets}`)

/** What may stand behind these without naming another thing to check: `check-all`, not `check-plugins`. */
const wholly = wordSet(
  "all full every everything quick fast slow ci local fix watch strict quiet silent verbose staged changed affected"
)

const leadIns = wordSet("run do exec all")

/** Words that say how the work is done, or on how much of it. */
const manners = wordSet(
  "all full every everything quick fast slow only once one single watch watchall fix write update retry rerun ci local dev prod production release debug",
  "staging nightly strict quiet silent verbose parallel serial sequential headless headed ui browser browsers chrome chromium firefox webkit native",
  "race short long bench changed staged affected diff cached incremental force reporter html json junit xml cover coverage cov",
  "unit units e2e integration integrations smoke regression acceptance functional contract component components snapshot snapshots visual system suite suites",
  "doc doctest types type typecheck check checks test tests spec specs lint format src main module modules cjs esm umd node deno bun connected run"
)

/** Words that name a usual part of a code base. */
const parts = wordSet(
  "api app apps web www site website frontend front backend back client cli core lib libs library pkg pkgs package packages shared common",
  "service services worker workers desktop mobile android ios macos mac linux windows win wasm sdk plugin plugins extension extensions",
  "js jsx ts tsx css scss sass less html md markdown yaml json toml sql go golang gomod py python rust rs java kotlin scala swift c cpp ruby rb php sh shell bash scripts source sources jvm"
)

/** Words behind the colon that prepare, serve or tidy up for the work of the head, and do not do it. */
const around = wordSet(
  "seed seeds setup teardown data db database fixture fixtures server serve start stop up down clean cleanup reset prepare install init generate gen report",
  "mock mocks env connection connections conn email mail smtp webhook webhooks migrate migration migrations deps list show open logs docs image images index"
)

const words = (segment: string): ReadonlyArray<string> => {
  const found = segment
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== "")
  const joined: Array<string> = []
  for (let index = 0; index < found.length; index += 1) {
    const word = found[index] ?? ""
    const pair = `${word}${found[index + 1] ?? ""}`
    const isPair = pair !== word && heads().has(pair)
    joined.push(isPair ? pair : word)
    if (isPair) index += 1
  }
  return joined
}

const gates: ReadonlySet<CommandClass> = new Set<CommandClass>(["test", "build", "typecheck", "lint", "format"])

export const isGate = (one: CommandClass): boolean => gates.has(one)

const nothing: Named = { classes: [], part: false }

const isManner = (word: string): boolean =>
  manners.has(word) || /^(?:\d{1,6}|(?:py|node|go|jdk|java|v)\d{1,6})$/.test(word)
const isQualifier = (word: string): boolean => isManner(word) || parts.has(word)
const namesPart = (all: ReadonlyArray<string>): boolean => all.some((word) => parts.has(word) && !isManner(word))

/** The one gate that a word names: none for `check`, which may stand for several. */
const gateOf = (word: string | undefined): CommandClass | undefined => {
  const gate = word === undefined || general.has(word) ? undefined : heads().get(word)?.[0]
  return gate !== undefined && isGate(gate) ? gate : undefined
}

/** `check-types`, `test:lint`: what is checked, when the word behind the head names it. */
const refined = (head: string, next: string | undefined): CommandClass | undefined => {
  const gate = gateOf(next)
  if (general.has(head)) return gate
  const own = gateOf(head)
  const narrower = own === "test" ? gate === "lint" || gate === "format" || gate === "typecheck" : gate === "typecheck"
  return narrower && (own === "test" || own === "lint") ? gate : undefined
}

/** `lint-and-test`: each side is a head of its own. */
const conjoined = (all: ReadonlyArray<string>, at: number): Named => {
  const left = ofWords(all.slice(0, at)).classes
  const right = ofWords(all.slice(at + 1)).classes
  return left.length === 0 || right.length === 0 ? nothing : { classes: [...new Set([...left, ...right])], part: false }
}

/** `unit-tests`, `backend-lint`: the last word decides when all before it only qualify it. */
const ofLast = (all: ReadonlyArray<string>): Named => {
  const gate = gateOf(all.at(-1))
  const before = all.slice(0, -1)
  const own = gateOf(before[0])
  return gate !== undefined && before.length > 0 && before.every(isQualifier) && (own === undefined || own === gate)
    ? { classes: [gate], part: namesPart(before) }
    : nothing
}

/** `test-unit`, `build_prod`: the first word decides when all behind it only qualify it. */
const ofFirst = (all: ReadonlyArray<string>): Named => {
  const [head = "", ...rest] = all
  const classes = heads().get(head) ?? []
  const first = classes[0]
  if (rest.length === 0 || first === "install" || first === "process") return { classes, part: false }
  const narrower = refined(head, rest[0])
  const behind = narrower === undefined ? rest : rest.slice(1)
  const fits = (word: string) =>
    narrower === undefined && general.has(head) ? wholly.has(word) : isQualifier(word) || gateOf(word) === first
  if (!behind.every(fits)) return nothing
  return { classes: narrower === undefined ? classes : [narrower], part: namesPart(behind) }
}

const ofWords = (all: ReadonlyArray<string>): Named => {
  const lead = all.findIndex((word, index) => !leadIns.has(word) || index === all.length - 1)
  const own = all.slice(Math.max(0, lead))
  const and = own.indexOf("and")
  if (and > 0) return conjoined(own, and)
  const byLast = ofLast(own)
  return byLast.classes.length > 0 ? byLast : ofFirst(own)
}

/** `web:test`: a part of the code, then what is done with it. */
const behindPart = (first: ReadonlyArray<string>, rest: ReadonlyArray<ReadonlyArray<string>>): Named => {
  if (!first.every(isQualifier)) return nothing
  const { classes, part } = ofSegments(rest)
  return { classes, part: part || namesPart(first) }
}

const ofSegments = (segments: ReadonlyArray<ReadonlyArray<string>>): Named => {
  const [first = [], ...rest] = segments
  const head = ofWords(first)
  const behind = rest.flat()
  const gate = head.classes[0]
  if (behind.length === 0 || gate === "install" || gate === "process") return head
  if (gate === undefined) return behindPart(first, rest)
  if (first.length === 1 && general.has(first[0] ?? "")) return ofFirst([...first, ...behind])
  if (behind.some((word) => around.has(word) || (gate === "deploy" && general.has(word)))) return nothing
  const narrower = refined(first[0] ?? "", behind[0])
  if (narrower !== undefined) return { classes: [narrower], part: head.part }
  // `test:build` may build the tests or test the build.
  if (gate === "test" && gateOf(behind[0]) === "build") return nothing
  // A colon sets the head off: what follows may be any package.
  return { classes: head.classes, part: head.part || !behind.every(isManner) }
}

const known = new Map<string, Named>()

/** What a script or target of this name does; no classes when the name does not say it plainly. */
export const ofName = (name: string): Named => {
  const cached = known.get(name)
  if (cached !== undefined) return cached
  const segments = name.slice(0, 120).split(/[:/.]/).map(words)
  const found = ofSegments(segments.filter((segment) => segment.length > 0))
  if (known.size < 512) known.set(name, found)
  return found
}

export const classesOfName = (name: string): Classes => ofName(name).classes

const suites = wordSet(`test tests testing spec specs check checks ${gauntlets}`)
const wholes = wordSet("all full every everything whole ci local run")

/**
 * Whether a script or target of this name is the project's own way to run its tests: whatever folder or options it names, it
 * is the whole of them. `test:unit` is a part by its name, as far as its body says so.
 */
export const isOwnSuite = (name: string): boolean => {
  const all = name.slice(0, 120).split(/[:/.]/).flatMap(words)
  return all.some((word) => suites.has(word)) && all.every((word) => suites.has(word) || wholes.has(word))
}

/** A file that holds tests, by its suffix or by its name in a folder of tests. */
const isTestFile = (path: string): boolean => {
  const base = basename(path)
  if (/\.(?:test|tests|spec|e2e)\.\w{1,6}$/.test(base)) return true
  return (
    /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\//.test(path) &&
    /^tests?[_-].{1,200}\.\w{1,6}$|[_-](?:tests?|spec|e2e)\.\w{1,6}$|Tests?\.\w{1,6}$/.test(base)
  )
}

const fileHeads = lazy(
  (): ReadonlyMap<string, CommandClass> =>
    new Map(
      Object.entries({
        build: "build",
        rebuild: "build",
        compile: "build",
        lint: "lint",
        linter: "lint",
        typecheck: "typecheck",
        format: "format",
        fmt: "format",
        deploy: "deploy",
        publish: "deploy",
        release: "deploy",
        install: "install",
        setup: "install",
        bootstrap: "install",
        deps: "install"
      } satisfies Record<string, CommandClass>)
    )
)

const kinds = wordSet("test tests spec specs unit e2e integration smoke regression acceptance functional suite")
const wide = wordSet("all full ci local coverage cov")

/** `tests/run.sh`, `test/index.js`: nothing but the folder says what is run. */
const runsFolder = (path: string, all: ReadonlyArray<string>): boolean =>
  /(?:^|\/)(?:tests?|specs?|e2e)\/[^/]{1,100}$/.test(path) &&
  all.every((word) => leadIns.has(word) || wide.has(word) || word === "index" || word === "main")

/** `run-tests.sh`, `test-e2e.sh`, `backend-tests.sh`; not `test-email.sh`, which may send one. */
const runsSuite = (all: ReadonlyArray<string>): Named => {
  const [first, ...rest] = all
  if (gateOf(first) === "test") {
    const whole = rest.every((word) => kinds.has(word) || wide.has(word))
    return whole || rest.some((word) => kinds.has(word)) ? { classes: ["test"], part: !whole } : nothing
  }
  const last = rest.at(-1)
  return (last === "test" || last === "tests") && all.slice(0, -1).every((word) => parts.has(word))
    ? { classes: ["test"], part: true }
    : nothing
}

/**
 * What a script file does that is run, by its name. Many a script is named after what it looks at, as `build-index.js`
 * and `check.sh` are, so only the plainest names say anything, and none stands for several gates.
 */
export const ofFile = (path: string): Named => {
  const clipped = path.slice(-300)
  if (isTestFile(clipped)) return { classes: ["test"], part: true }
  const all = words(basename(clipped).replace(/\.\w{1,4}$/, ""))
  if (runsFolder(clipped, all)) return { classes: ["test"], part: false }
  const own = leadIns.has(all[0] ?? "") ? all.slice(1) : all
  const suite = runsSuite(own)
  if (suite.classes.length > 0) return suite
  const head = fileHeads().get(own[0] ?? "")
  return head !== undefined && own.slice(1).every(isQualifier)
    ? { classes: [head], part: namesPart(own.slice(1)) }
    : nothing
}
