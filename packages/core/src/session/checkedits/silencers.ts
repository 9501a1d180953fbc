/** By which words a source, a script or a configuration has a check look away, a row for each way. */
import { lazy } from "../../ground/text/Lazy.ts"

export interface Hush {
  readonly id: string
  readonly on: RegExp
}

const hush = (id: string, on: RegExp): Hush => ({ id, on })

/** Marks in a source, which speak to a linter, a compiler or a measurement of coverage. */
export const marks = lazy((): ReadonlyArray<Hush> => [
  hush(
    "lint",
    /\b(?:eslint|oxlint|tslint|stylelint|rubocop|standard|pylint|swiftlint|credo|ktlint|shellcheck|markdownlint|yamllint|jshint|gosec|htmlhint|sqlfluff|luacheck)[:-]\s?(?:disable|ignore)|\bbiome-ignore\b|#\s?noqa\b|\bruff: ?noqa|\/\/\s?nolint\b|\/\/lint:(?:file-)?ignore\b|#\s?nosec\b|\bNOLINT\w{0,12}\b|\b(?:phpcs|phpmd)[:-](?:ignore|disable)|@phpcsSuppress|\b(?:kics-scan|tfsec|trivy|tflint|checkov)[:-]\s?(?:ignore|skip)|\bhadolint ignore|\bnoinspection\b|\bcodespell:ignore|\bcspell:disable|\bscalafix:off|\bscalastyle:off|\bCHECKSTYLE:OFF|\bNOPMD\b|\bNOSONAR\b|\bshellcheck disable|\bnosemgrep\b|\bgitleaks:allow|\bignore_for_file:|\/\/ ignore: \w|@SuppressFBWarnings|\bpragma: allowlist/
  ),
  hush(
    "types",
    /@ts-(?:ignore|expect-error|nocheck)\b|#\s?type: ?ignore|#\s?pyright: ?(?:ignore|basic)|#\s?mypy: ?(?:ignore-errors|disable)|#\s?ty: ?ignore|#\s?pyre-(?:ignore|fixme)|@phpstan-ignore|@psalm-suppress|\$Flow(?:FixMe|Ignore)|@dialyzer\b|\bas unknown as\b|\bas any\b|(?<!\b(?:catch ?\(\w{1,20}|e|err|error|ex)):\s?any\b(?=\s?[=;,)])|\bcast\(Any,|\bT\.unsafe\(|\bT\.untyped\b|\bunsafeCoerce\b/
  ),
  hush(
    "compiler",
    /#!?\[(?:allow|expect)\(|@SuppressWarnings\b|@Suppress\(|@file:Suppress|@SuppressLint\b|@nowarn\b|#pragma (?:warning disable|warning\(disable|GCC diagnostic ignored|clang diagnostic ignored)|\bSuppressMessage\(|@available\(\*, deprecated|\bno warnings\b|\{-# OPTIONS_GHC[^\n]{0,40}-Wno-|\b(?:unsafe|nonisolated)\(unsafe\)|@unchecked Sendable|@preconcurrency/
  ),
  hush(
    "coverage",
    /\b(?:istanbul|c8|v8) ignore\b|#\s?pragma: no ?(?:cover|branch)|@codeCoverageIgnore|\bGCOVR_EXCL|\bLCOV_EXCL|\[ExcludeFromCodeCoverage|#\[coverage\(off|:nocov:|\bcoveralls-ignore|\bno coverage\b|\bdeno-coverage-ignore|@Generated\b/
  )
])

/** Repeats in a test's own text: it passes once in several times. */
export const repeats = lazy(() =>
  hush(
    "retries",
    /\bretryTimes\(|\bthis\.retries\(\s{0,4}[1-9]|[,{(]\s{0,4}(?:retry|retries|repeats?)\s{0,4}:\s{0,4}[1-9]|@(?:pytest\.mark\.)?flaky\b|@flaky\(|@(?:Retry|RetryingTest|RetryTest|RepeatedIfExceptionsTest|FlakyTest|Flaky|Rerun|Retries)\b|\[(?:Retry|RetryFact|RetryTheory|Repeat)\b|, retry: ?[1-9]|\bretry_on|#\[flaky_test|#\[retry|#\[Retry|\bEventually\(t\b|\bwith_retries\b|\bBATS_TEST_RETRIES=|\bretryAnalyzer\b|\.retry\(\s{0,4}[1-9]|\bmax_?runs ?= ?[1-9]/i
  )
)

/** Lines of scripts, of CI and of what configures a check. */
export const silencers = lazy((): ReadonlyArray<Hush> => [
  hush(
    "or-true",
    /\|\|\s{0,4}(?:true\b|:(?:\s|$|["'])|exit 0|\/bin\/true|echo\b|cd \.|return 0)|;\s{0,4}(?:true|exit 0|:)\s{0,4}(?:["',]|$)|\bset \+e\b|\btrap ['"]?exit 0|\|\s{0,4}(?:cat|tee \S{1,80})\s{0,4}(?:["',]|$)(?<=["',])/
  ),
  hush(
    "passes-failing",
    /\bcontinue-on-error: ?["']?(?:true|\$)|\ballow[_-]failures?: ?(?!false)|\bignoreFailures ?[=(]? ?(?:true|\.set\(true)|\btest\.?failure\.?ignore\b(?!.{0,10}false)|<testFailureIgnore>true|\bfailOn(?:Error|Violation) ?[=>:]{1,2} ?false|<failOn\w{1,20}>false|<failsOnError>false|\bfail_ci_if_error: ?false|\bsoft_fail: ?true|\bcontinueOnError: ?true|\babort_on_fail\w{0,4}: ?false|\bignore_exit_code\b|\bno-?fail\b|--exit-zero\b|--no-fail\b|--force-exit-0|--exit-code[= ]0\b|--soft-fail\b|\bexit-code: ?["']?0|\bhaltOnFailure ?= ?["']?false|\bbail_on_error: ?false|\bfailFast ?[:=] ?false|\bnoEmitOnError["']?: ?false|\bcatchError\(|returnStatus: ?true|\bfailureIgnore\b|\bsuites?FailureIgnore|\babortOnError ?[=(]? ?false|\bfailOnNoDiscoveredTests ?= ?false|\bwarnOnly["']?\s?[:=]\s?true|^-@?(?:npm|pnpm|yarn|pytest|go|cargo|mvn|gradle|rspec|phpunit|tox|eslint|ruff|mypy|\.\/|\$\()/
  ),
  hush(
    "not-run",
    /\bskip_?-?Tests?\b(?![\w"']{0,4}[:=>] ?false)|-DskipTests|-DskipITs|<skip\w{0,20}>true|\bmaven\.test\.skip|-x ?test\b|\bSKIP_TESTS|--passWithNoTests|--no-verify\b|\bHUSKY ?= ?["']?0|\bif: ?(?:false|\$\{\{ ?false)|\bwhen: ?(?:never|manual)\b|\benabled ?[=:] ?false|\bonlyIf ?\{ ?false|\bpassWithNoTests["']?: ?true|\bskip ?[:=] ?(?:true|\[)|\bDISABLED\s{1,4}(?:TRUE|ON|1)\b|\bWILL_FAIL\s{1,4}(?:TRUE|ON|1)\b|\btags ?= ?\[["']manual|\btest ?= ?false|\bdoctest ?= ?false|\bharness ?= ?false|--no-tests\b|--collect-only|--co\b|--list-tests|--dry-?run\b|\bENABLE_TESTING\s?[=:]\s?(?:OFF|0|false)|\bexclude-job\b|stages: ?\[manual/i
  ),
  hush(
    "rule-off",
    /["'][\w@/-]{2,80}["']\s{0,4}:\s{0,4}\[?\s{0,4}(?:["'](?:off|warn|allow|ignore|info|none|suggestion|hint)["']|0\b|false\b)(?=[\s,\]}]|$)|\b(?:Enabled|enabled|active): ?false|^[\w-]{2,60} ?= ?["']allow["']|\blevel ?= ?["'](?:allow|warn)["']|\bseverity(?:["'] ?=> ?|: ?|=["']?|>)["']?(?:none|warning|ignore|info|suggestion)|^dotnet_diagnostic\.\w{1,20}\.severity ?= ?(?:none|silent|suggestion)|\breport\w{2,40}["']?\s?[:=]\s?["']?(?:none|false|off|information|warning)|\bWithout\b.{0,40}rule|<suppress\b|<issueHandlers>|\b[A-Z]{1,5}\d{2,5} ?: ?(?:off|ignore)|^\w[\w-]{2,60}: ?(?:ignore|off|disable|false)$/
  ),
  hush(
    "laxer",
    /["']?(?:strict\w{0,40}|noImplicit\w{1,20}|noUnused\w{1,20}|noUncheckedIndexedAccess|checkJs|exactOptionalPropertyTypes|alwaysStrict|warn_\w{1,40}|disallow_\w{1,40}|check_untyped_defs|TreatWarningsAsErrors|warningsAsErrors|allWarningsAsErrors|failOn\w{2,40}|typeCheck|nullable|Nullable|xfail_strict|isolatedModules|no_implicit_\w{1,20}|beStrictAbout\w{1,40}|convert\w{2,20}ToExceptions|enforce\w{0,20}|raiseOn\w{1,30}|perFile|check[_-]coverage|check-coverage|enforceCoverage|refuse_coverage_drop|forbidOnly|errorOnDeprecated|use_strict|required)["']?\s{0,4}(?:[:=>]{1,2}|\.set\()\s{0,4}["']?(?:false|False|0|off|OFF|disable|no)\b|\bfollow_imports ?= ?["']?(?:skip|silent)|-Wno-\w{1,40}|-Xlint:(?:none|-)|-nowarn\b|-w\b(?=["' ]*$)|-A ?(?:clippy|warnings|dead_code|unused)\S{0,30}|\b(?:ignoreBuildErrors|ignoreDuringBuilds|transpileOnly|ignore_missing_imports|ignore_errors|implicit_optional|allowUnreachableCode|allowJs|allow_untyped\w{0,12}|allow_any_\w{1,12}|dangerouslyIgnoreUnhandledErrors|quiet|ignoreDeprecations|allow_redefinition|suppressNullable|noEmit)["']?\s?[:=]\s?(?:true|True)\b|\btypeCheckingMode["']?\s?[:=]\s?["'](?:off|basic)|--quiet\b/
  ),
  hush(
    "retries",
    /\b(?:retries|retry|reruns|retryTimes|max_?retries|maxRetry|rerun_?Failing\w{0,20}|flaky_test_attempts|maxRetries|repeat-each|retry-count|max_?attempts|retryCount|retry-tests-on-failure|test-iterations)["']?\s{0,4}[:=(>]{0,2}\s{0,4}["']?(?:max: ?)?(?:[1-9]|process\.env)|--(?:retries|reruns|retry|flaky_test_attempts|rerun-fails|rerun-failures|repeat|retry-failed|max-retries)\b|-Dsurefire\.rerun|<rerunFailingTestsCount>[1-9]|\buntil-pass:|\bretry@v\d|\brerun-failing\b|\brspec[/-](?:retry|rerun)|\bpytest-rerunfailures\b|-retry-tests-on-failure|\bfor \w{1,12} in (?:\{1\.\.|1 2|\$\(seq).{0,80}&& (?:break|exit 0)|\buntil .{1,120}; do|\bflaky\b.{0,20}[=:] ?[2-9]/i
  )
])

/** What leaves files, tests or rules out: a list follows it. */
export const leavesOut =
  /--(?:ignore(?:-glob|-path)?|deselect|exclude\w{0,20}(?:-\w{1,12}){0,3}|skip(?:-\w{1,12}){0,2}|testPathIgnorePatterns|modulePathIgnorePatterns|coveragePathIgnorePatterns|invert|test-skip-pattern|ignore-pattern|extend-ignore|extend-exclude|disable(?:-warning)?|grep-invert|skip-checks?|omit)(?:[= ]|(?=["'],))|-k ["']?not\b|-m ["']?not\b|-skip[= ]|-skip-testing|--filter[= ]["']?[^"'\n]{0,80}?(?:!=|!~)|--filter[= ](?=["']?!)|--tests?[= ]["']?!|-E ["']?not\b|-(?:LE|E) ["']?[\w^.*|-]{2,80}|--gtest_filter=\S{0,80}-|\b(?:test(?:Path)?IgnorePatterns|modulePathIgnorePatterns|coveragePathIgnorePatterns|watchIgnore|ignorePatterns|exclude\w{0,20}|collect_ignore(?:_glob)?|norecursedirs|deselect|per-file-ignores|extend-(?:ignore|exclude)|ignore(?:_errors|_missing_imports|Errors|s|d|Dirs|Files|_paths|Paths|d_paths|-paths?)?|omit|disable(?:d|_error_code|d_rules|-warning)?|exclude_lines|skip_files|filter_files|excludedGroups|testIgnore|grepInvert|excludes|NoWarn|WarningsNotAsErrors|skips|skip|suppressions|excludePaths|exclude-rules|exclude_paths|excludePath|issueHandlers|allow|skip-files|skip-dirs|skippedTests|skip-check|ignored|testExclude|GTEST_FILTER|disabled_rules|nolint|allowlist|PYTEST_ADDOPTS)\b["']?\s{0,4}(?::|=>|=|\[|\(|\+=|>)|<exclude(?:-pattern|d)?\b|<excludes?>|<excluded?Groups?>|<ignoreErrorCode|\.exclude\(|\bexclude\(|\bfilter\s{0,4}\{ ?exclude|\bdefault-filter ?= ?["']{1,3}.{0,80}?not\b|\bexcludeTags?\b|\bexcludeTestsMatching\b|\bsetExcludes\b/i

/** A number that a check demands. */
export const threshold =
  /\b(?:\w{0,16}[tT]hreshold\w{0,12}|branches|lines|functions|statements|instructions|fail_under|fail-under|failUnder|min(?:imum)?\w{0,20}|(?:cov-)?fail-under|coverage|target|perFile|perfMin|minValue|(?:max|MAX)[\w-]{0,24}|complexity|precision|level|errorLevel|msi|score|accessibility|performance|budget\w{0,8}|BUDGET\w{0,8}|\w{0,16}_?(?:LIMIT|BUDGET|MAX|MIN|THRESHOLD)|limit|warningThreshold|errorThreshold|cyclomatic|warn_return|allowedCopies|timeout-?minutes)\b["']?/

/** What may be as many of: more of it is laxer. */
export const isMost =
  /\bmax|\bbudget|limit|complexity|errorLevel|_?MAX\b|cyclomatic|allowed|BUDGET|warning|errors?Threshold/i

/** What makes a check demand more, where it is written; where it is gone, the check demands less. */
export const demands =
  /(?:^|[\s"'=,([])(?:-Werror\b|-Wall\b|-Wextra\b|-warnaserror\b|--strict\b|-strict\b|--max-warnings\b|-race\b|-D ?warnings|--deny-warnings|--fail-on-[\w-]{2,20}|--failOn\w{2,20}|--error-on-warnings|--exit-code[= ]1|--error-exitcode|--(?:cov-)?fail-under\S{0,4}|--fail-under\S{0,4}|--check-coverage|--coverage\b|--forbid-only|--fsanitize\S{2,20}|-fsanitize=\S{2,40}|--warnings-as-errors|-Xfatal-warnings|--fatal-warnings|--fail-level)|\bset -[euo]{1,3}|\bset -o (?:errexit|pipefail)|["']?\b(?:strict|strict\w{1,30}|noImplicit\w{1,20}|warnings_as_errors|warningsAsErrors|TreatWarningsAsErrors|xfail_strict|failOnWarning|check_coverage|fail_under|minimum_coverage)["']?\s?[:=>]{1,2}\s?["']?(?:true|True|error|\d{2,3})|#!\[deny\(|\bdeny ?= ?\[/

/** What a script can fail by. */
export const teeth =
  /\b(?:process\.exit(?:Code)?\s?[(=]\s?(?!0\b)[\w(]|sys\.exit\(\s?(?!0?\s?\))\S|os\.Exit\(\s?[^0]|System\.exit\(\s?[^0]|std::process::exit\(\s?[^0]|raise\b|throw\b|throws?\s?new|abort\(|die\b|fail\(|panic\b|assert\w{0,12}[\s(!.]|exit(?:\(|\s)\s?(?:[1-9]|\$)|return 1\b|Environment\.Exit|Deno\.exit\(\s?[^0]|bail!|ensure!|\bfalse$)/

/** Commands after which nothing needs to be true: they clean up, look or fetch. */
export const harmless =
  /^(?:kill|pkill|killall|rm|rmdir|mkdir|umount|fuser|cat|grep|egrep|rg|which|command|type|stop|source|\.|export|unset|echo|printf|chmod|chown|cp|mv|ln|touch|brew|apt|apt-get|systemctl|service|dropdb|createdb|psql|mysql|redis-cli|aws|gcloud|lsof|wait|sleep|read|cd|pushd|popd|find|ls|sed|awk|jq|tee|pip3?|nvm|curl|wget|stty|tput|ulimit|ssh-add|ssh-keyscan|pgrep|\w{0,12}=?\$\((?:git|cat|which|command|pgrep|grep|ls)\b|docker(?: |-)(?:rm|stop|kill|compose|network|volume|image|pull|login|container|system|ps)\b.{0,60}|podman \w{2,8}|git|kubectl delete|helm uninstall|npm (?:i|ci|install|cache|pack)|yarn install|pnpm install|bundle install|adb|xcrun simctl)\b/
