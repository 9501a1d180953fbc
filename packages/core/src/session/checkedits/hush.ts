/** What has a linter, a compiler, a runner or CI look away: marks in a source, and lines of a script or configuration. */
import { lazy } from "../../ground/text/Lazy.ts"
import { shown } from "./differences.ts"
import type { Delta } from "./model.ts"
import { literalsOf, masked, more, plainValue } from "./statements.ts"

interface Hush {
  readonly id: string
  readonly on: RegExp
}

const hush = (id: string, on: RegExp): Hush => ({ id, on })

/** Marks in a source, which speak to a linter, a compiler or a measurement of coverage. */
const marks = lazy((): ReadonlyArray<Hush> => [
  hush(
    "lint",
    /\b(?:eslint|oxlint|tslint|stylelint|rubocop|pylint|swiftlint|credo|ktlint|shellcheck|markdownlint|jshint|gosec|htmlhint)[:-]\s?disable|\bbiome-ignore\b|#\s?noqa\b|\bruff: ?noqa|\/\/\s?nolint\b|#nosec\b|\bNOLINT\w{0,12}\b|\b(?:phpcs|phpmd)[:-]ignore|@phpcsSuppress|\bkics-scan ignore|\bhadolint ignore|\bnoinspection\b|\bcodespell:ignore|\bscalafix:off|\bshellcheck disable/
  ),
  hush(
    "types",
    /@ts-(?:ignore|expect-error|nocheck)\b|#\s?type: ?ignore|#\s?pyright: ?(?:ignore|basic)|#\s?mypy: ?(?:ignore-errors|disable)|#\s?ty: ?ignore|@phpstan-ignore|@psalm-suppress|\$FlowFixMe|@dialyzer\b|\bas unknown as\b|\bas any\b/
  ),
  hush(
    "compiler",
    /#!?\[(?:allow|expect)\(|@SuppressWarnings\b|@Suppress\(|@SuppressLint\b|#pragma (?:warning disable|GCC diagnostic ignored|clang diagnostic ignored)|\bSuppressMessage\(|@available\(\*, deprecated|\bno warnings\b/
  ),
  hush(
    "coverage",
    /\b(?:istanbul|c8|v8) ignore\b|#\s?pragma: no ?cover|@codeCoverageIgnore|\bGCOVR_EXCL|\bLCOV_EXCL|\[ExcludeFromCodeCoverage|#\[coverage\(off|:nocov:/
  )
])

/** Lines of scripts, of CI and of what configures a check. */
const silencers = lazy((): ReadonlyArray<Hush> => [
  hush(
    "or-true",
    /\|\|\s{0,4}(?:true\b|:(?:\s|$|["'])|exit 0|\/bin\/true|echo\b|cd \.)|;\s{0,4}(?:true|exit 0)\s{0,4}(?:["',]|$)|\bset \+e\b|\btrap ['"]?exit 0/
  ),
  hush(
    "passes-failing",
    /\bcontinue-on-error: ?["']?(?:true|\$)|\ballow[_-]failures?: ?(?!false)|\bignoreFailures ?[=(]? ?(?:true|\.set\(true)|\btest\.?failure\.?ignore\b(?!.{0,10}false)|<testFailureIgnore>true|\bfailOnError ?[=>] ?false|\bfail_ci_if_error: ?false|\bsoft_fail: ?true|\bcontinueOnError: ?true|\babort_on_fail\w{0,4}: ?false|\bignore_exit_code\b|\bno-?fail\b|--exit-zero\b|--no-fail\b|--force-exit-0|\bfailFast ?[:=] ?false|\bnoEmitOnError["']?: ?false|\bcatchError\(|returnStatus: ?true|^\s{0,10}-@?(?:npm|pnpm|yarn|pytest|go|cargo|mvn|gradle|rspec|phpunit|tox|eslint|ruff|mypy)\b/
  ),
  hush(
    "not-run",
    /\bskip_?-?Tests?\b(?![\w"']{0,4}[:=>] ?false)|-DskipTests|\bmaven\.test\.skip|-x ?test\b|\bSKIP_TESTS|--passWithNoTests|--no-verify\b|\bHUSKY ?= ?["']?0|\bif: ?(?:false|\$\{\{ ?false)|\bwhen: ?never\b|\benabled ?[=:] ?false|\bonlyIf ?\{ ?false|\bpassWithNoTests["']?: ?true|\bskip ?[:=] ?(?:true|\[)/
  ),
  hush(
    "left-out",
    /--(?:ignore(?:-glob)?|deselect|exclude\w{0,20}|skip|testPathIgnorePatterns|invert|test-skip-pattern|skip-testing|ignore-pattern|extend-ignore|disable)\b[= ]|-k ["']?not\b|-m ["']?not\b|-skip[= ]|-skip-testing|--filter[= ]["']?\S{0,80}!=|-E ["']?not\b|\b(?:test(?:Path)?IgnorePatterns|modulePathIgnorePatterns|coveragePathIgnorePatterns|watchIgnore|ignorePatterns|exclude\w{0,20}|collect_ignore(?:_glob)?|norecursedirs|deselect|per-file-ignores|extend-(?:ignore|exclude)|ignore(?:_errors|_missing_imports|Errors|s|d|Dirs|Files)?|omit|disable(?:d|_error_code|d_rules)?|exclude_lines|skip_files|filter_files|ignore_paths|excludedGroups|testIgnore|grepInvert|excludes|NoWarn|WarningsNotAsErrors|skips|suppressions|excludePaths|ignoreErrors|allow)\b["']?\s{0,4}[:=>[(]|<exclude>|\.exclude\(|\bexclude\(|\bfilter\s{0,4}\{ ?exclude/i
  ),
  hush(
    "rule-off",
    /["'][\w@/-]{2,80}["']\s{0,4}:\s{0,4}\[?\s{0,4}(?:["'](?:off|warn|allow)["']|0\b)|\bEnabled: ?false|^\s{0,20}[\w-]{2,60} ?= ?["']allow["']|\bseverity: ?(?:none|warning|ignore)|^dotnet_diagnostic\.\w{1,20}\.severity ?= ?(?:none|silent|suggestion)/
  ),
  hush(
    "laxer",
    /["']?(?:strict\w{0,40}|noImplicit\w{1,20}|noUnused\w{1,20}|noUncheckedIndexedAccess|checkJs|exactOptionalPropertyTypes|alwaysStrict|warn_\w{1,40}|disallow_\w{1,40}|check_untyped_defs|TreatWarningsAsErrors|warningsAsErrors|allWarningsAsErrors|failOnWarning|failOnRisky|failOnSkipped|typeCheck|nullable|xfail_strict|isolatedModules)["']?\s{0,4}(?:[:=>]|\.set\()\s{0,4}["']?(?:false|False|0|off|disable)\b|\bskipLibCheck["']?: ?true|\bfollow_imports ?= ?["']?skip|-Wno-\w{1,40}|-Xlint:none|\bstrict ?= ?false|\bignoreBuildErrors: ?true|\bignoreDuringBuilds: ?true|\btranspileOnly: ?true/
  ),
  hush(
    "retries",
    /\b(?:retries|retry|reruns|retryTimes|max_?retries|rerun_?failing\w{0,20}|flaky_test_attempts|maxRetries|repeat-each|retry-count)["']?\s{0,4}[:=(]?\s{0,4}["']?[1-9]|--(?:retries|reruns|retry|flaky_test_attempts)[= ]/i
  )
])

const threshold =
  /\b(?:threshold\w{0,12}|branches|lines|functions|statements|fail_under|fail-under|min(?:imum)?(?:_?-?(?:coverage|score|msi|covered_?msi))?|cov-fail-under|coverage|target|perFile|minValue|max-warnings|max_?-?complexity|maxBuffer|max-?lines|budget|precision|level)\b["']?/i

/** What may be as many of: more of it is laxer. */
const isMost = /\bmax|\bbudget|precision/i

const basename = (path: string): string => path.split(/[/\\]/).pop() ?? path

const configNames =
  /^(?:package\.json|pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|pytest\.ini|conftest\.py|\.?coveragerc|noxfile\.py|(?:jest|vitest|vite|playwright|cypress|karma|ava|web-test-runner|wdio|next)\.conf(?:ig)?\.[\w.]{2,8}|\.mocharc[\w.]{0,6}|ts(?:config)?[\w.-]{0,30}\.json|\.eslint[\w.]{0,12}|eslint\.config\.\w{2,4}|biome\.jsonc?|\.?oxlint\w{0,4}\.\w{2,5}|\.?ruff\.toml|\.flake8|\.?mypy\.ini|\.?pylintrc|pyrightconfig\.json|\.golangci\.\w{2,5}|\.?clippy\.toml|Cargo\.toml|nextest\.toml|phpunit[\w.]{0,8}\.xml(?:\.dist)?|phpstan\.\w{1,8}(?:\.dist)?|psalm\.xml|\.rubocop\w{0,12}\.yml|\.rspec|Rakefile|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|[\w.-]{1,80}\.(?:cs|fs|vb)proj|Directory\.Build\.\w{1,8}|\.editorconfig|[\w.-]{1,60}\.runsettings|[\w.-]{1,60}\.xctestplan|Package\.swift|\.swiftlint\.yml|detekt\.yml|mix\.exs|\.credo\.exs|test_helper\.exs|CMakeLists\.txt|CTest\w{0,20}\.cmake|\.?codecov\.ya?ml|\.nycrc[\w.]{0,6}|\.c8rc[\w.]{0,6}|sonar-project\.properties|\.gitlab-ci\.ya?ml|Jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|\.travis\.yml|(?:GNU)?[Mm]akefile|[\w-]{1,40}\.mk|[Jj]ustfile|Taskfile\.ya?ml|lefthook\.ya?ml|\.pre-commit-config\.yaml|\.lintstagedrc[\w.]{0,6}|nx\.json|turbo\.json|project\.json|deno\.jsonc?|bunfig\.toml|\.swcrc|composer\.json)$/

/** Files that say what is checked and how. */
export const isCheckConfig = (path: string): boolean =>
  configNames.test(basename(path)) ||
  /(?:^|\/)(?:\.github\/(?:workflows|actions)|\.circleci|\.husky|\.buildkite|\.gitlab|\.githooks)\//.test(path) ||
  (/\.(?:sh|bash)$/.test(path) &&
    /(?:^|[/_-])(?:test|check|lint|ci|verify|build|run|coverage)\w{0,12}[^/]{0,40}$/i.test(path)) ||
  /(?:^|\/)(?:scripts?|ci|tools|bin)\/[^/]{0,60}(?:test|check|lint|ci|verify)[^/]{0,30}$/i.test(path)

const runners =
  /\b(?:jest|vitest|mocha|ava|playwright|cypress|karma|pytest|unittest|nose2?|go (?:test|vet)|cargo (?:nextest|test|clippy|check)|mvnw?|gradlew?|dotnet (?:test|build)|rspec|minitest|rake test|rails test|phpunit|pest|swift (?:test|build)|xcodebuild|mix (?:test|credo|dialyzer)|ctest|bats|eslint|oxlint|biome|ruff|flake8|pylint|mypy|pyright|tsc|golangci-lint|rubocop|phpstan|psalm|tox|nox|(?:npm|pnpm|yarn|bun)(?: run)? (?:test|lint|check|typecheck|type-check|build|ci)|make (?:test|check|lint)|node --test|deno test|bun test|coverage run)\b/

/** What a line runs: of a manifest, where a program's name is a dependency's as well, what a script has. */
const commandIn = (path: string, line: string): string => {
  if (!path.endsWith(".json")) return line
  const value = /^\s{0,40}"[\w:.-]{1,60}"\s{0,4}:\s{0,4}"(.{0,2000})"/.exec(line)?.[1] ?? ""
  return /^[\^~>=<*\d]|^workspace:|^(?:npm|file|link|git):/.test(value) ? "" : value
}

const hasRunner = (path: string, line: string): boolean => runners.test(commandIn(path, line))

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, 60_000)
    .split("\n")
    .map((line) => line.slice(0, 1000).trim())
    .filter((line) => line !== "")

const count = (lines: ReadonlyArray<string>, { on }: Hush): number => lines.filter((line) => on.test(line)).length

const commented = /^\s{0,40}(?:#|\/\/|--|;|<!--)/

const change = (kind: "mark" | "silence", id: string, by: number, was: string, now: string): Delta => ({
  kind,
  id,
  name: null,
  was: shown(was),
  now: shown(now),
  by,
  fits: false
})

const rowsOf = (
  kind: "mark" | "silence",
  rows: ReadonlyArray<Hush>,
  gone: ReadonlyArray<string>,
  come: ReadonlyArray<string>
): ReadonlyArray<Delta> =>
  rows.flatMap((row) => {
    const by = count(come, row) - count(gone, row)
    if (by === 0) return []
    const [one, other] = by > 0 ? [come, gone] : [gone, come]
    const first = one.find((line) => row.on.test(line)) ?? ""
    const before = other.find((line) => masked(line).slice(0, 12) === masked(first).slice(0, 12)) ?? ""
    return [by > 0 ? change(kind, row.id, by, before, first) : change(kind, row.id, by, first, before)]
  })

/** "// nolint:gosec // only in tests", "eslint-disable-next-line x -- why": what a reviewer asks of a mark. */
const reasoned =
  /(?:nolint|noqa|ignore|expect-error|disable|allow|Suppress|NOLINT|nosec)[\w:@/,=() "'[\]-]{0,120}?(?:\s--\s|\s(?:\/\/|#)\s|\s[-–—]\s|:\s)\s{0,4}(?!.{0,40}\b(?:todo|fixme|xxx|hack|for now|temporar\w{1,4}|later)\b)\w{2,40}\s\w{2}/i

/** Marks that an edit of a source adds or takes away. */
export const ofMarks = (before: string, after: string): ReadonlyArray<Delta> => {
  const gone = more(linesOf(before), linesOf(after)).filter((line) => !reasoned.test(line))
  const come = more(linesOf(after), linesOf(before)).filter((line) => !reasoned.test(line))
  return rowsOf("mark", marks(), gone, come)
}

/** The text without its marks and its spaces: what an edit has left to change if it is more than a mark. */
export const withoutMarks = (text: string): string =>
  linesOf(text)
    .flatMap((line) => {
      const row = marks().find(({ on }) => on.test(line))
      if (row === undefined) return [line]
      const rest = line.replace(/\s{0,40}(?:\/\/|\/\*|#(?!!?\[)|<!--|\{\/\*).{0,400}$/, "")
      const bare = /^(?:#!?\[|@Suppress|\[(?:Suppress|Exclude)|#pragma)/.test(rest) ? "" : rest
      return bare.trim() === "" ? [] : [bare.replaceAll(/ as (?:any|unknown)\b/g, "")]
    })
    .join("")
    .replaceAll(/\s/g, "")

/** A number that a check demands, and may be less than it was. */
const ofThresholds = (gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  const left = [...come]
  return gone.flatMap((was): ReadonlyArray<Delta> => {
    if (!threshold.test(was)) return []
    const at = left.findIndex((now) => masked(now) === masked(was))
    if (at < 0) return []
    const [now = ""] = left.splice(at, 1)
    const pairs = literalsOf(was).map((value, index) => [
      Number(plainValue(value)),
      Number(plainValue(literalsOf(now)[index] ?? ""))
    ])
    const lower = pairs.filter(([old = 0, fresh = 0]) => (isMost.test(was) ? fresh > old : fresh < old)).length
    const higher = pairs.filter(([old = 0, fresh = 0]) => (isMost.test(was) ? fresh < old : fresh > old)).length
    if (lower === higher) return []
    return [change("silence", `threshold:${masked(was)}`, Math.sign(lower - higher), was, now)]
  })
}

const keyOf = (line: string): string => /^["']?([\w:.-]{1,60})["']?\s{0,4}[:=]/.exec(line)?.[1] ?? ""

/** A script, recipe or step that ran a check, and does not any more. */
const ofScripts = (path: string, gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  const ran = gone.filter((line) => hasRunner(path, line) && !commented.test(line))
  const runs = come.filter((line) => hasRunner(path, line) && !commented.test(line))
  const by = ran.length - runs.length
  if (by === 0) return []
  const first = (by > 0 ? ran : runs)[0] ?? ""
  const other =
    (by > 0 ? come : gone).find((line) => keyOf(line) !== "" && keyOf(line) === keyOf(first)) ??
    (by > 0 ? come[0] : gone[0]) ??
    ""
  return [by > 0 ? change("silence", "script", by, first, other) : change("silence", "script", by, other, first)]
}

/** An entry of a list that is opened above it, in what the edit shows. */
const entries = /^["'][^"']{1,200}["'],?$|^- [^:]{1,200}$|^<(?:exclude|param)>/
const opensList =
  /\b(?:exclude\w{0,20}|ignore\w{0,20}|\w{0,20}Ignore(?:Patterns|d)?|omit|skip\w{0,10}|disable\w{0,10}|norecursedirs|collect_ignore|deselect)\b["']?\s{0,4}[:=]\s{0,4}(?:\[|$)/i

const listed = (text: string): ReadonlyArray<string> => {
  const lines = linesOf(text)
  const from = lines.findIndex((line) => opensList.test(line))
  return from < 0
    ? []
    : lines
        .slice(from + 1)
        .filter((line) => entries.test(line))
        .map((line) => line.replace(/,$/, ""))
}

const ofEntries = (before: string, after: string): ReadonlyArray<Delta> => {
  const come = more(listed(after), listed(before))
  const gone = more(listed(before), listed(after))
  const by = come.length - gone.length
  return by === 0 ? [] : [change("silence", "left-out", by, gone[0] ?? "", come[0] ?? "")]
}

/** What an edit of a script or a configuration silences. */
export const ofConfig = (path: string, before: string, after: string): ReadonlyArray<Delta> => {
  const gone = more(linesOf(before), linesOf(after)).filter((line) => !commented.test(line))
  const come = more(linesOf(after), linesOf(before)).filter((line) => !commented.test(line))
  const rows = rowsOf("silence", silencers(), gone, come)
  return [
    ...rows,
    ...ofThresholds(gone, come),
    ...ofScripts(path, gone, come),
    ...(rows.some(({ id }) => id === "left-out") ? [] : ofEntries(before, after))
  ]
}

/** How often each row's marks or silencers are in a whole file. */
export const hushedIn = (path: string, text: string): Readonly<Record<string, number>> => {
  const isConfig = isCheckConfig(path)
  const rows = (isConfig ? silencers() : marks()).filter(({ on }) => isConfig || on.test(text))
  if (rows.length === 0) return {}
  const lines = linesOf(text).filter((line) => !isConfig || !commented.test(line))
  const counts = rows.map((row) => [row.id, count(lines, row)] as const)
  const scripts = isConfig ? lines.filter((line) => hasRunner(path, line)).length : 0
  return Object.fromEntries([...counts, ["script", -scripts] as const].filter(([, many]) => many !== 0))
}

/** Of a file that is written anew what is silenced in it, and was not. */
export const ofHushed = (
  kind: "mark" | "silence",
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>
): ReadonlyArray<Delta> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id) => {
    const by = (after[id] ?? 0) - (before[id] ?? 0)
    return by === 0 ? [] : [change(kind, id, by, "", "")]
  })
