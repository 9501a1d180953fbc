/** Patterns for lines that declare a test, assert, skip a test, or make a check ignore something. */

const has =
  (...rows: ReadonlyArray<RegExp>) =>
  (line: string): boolean =>
    rows.some((row) => row.test(line))

/** For JavaScript, Ruby, Python, Go, Rust, JVM languages, Swift, .NET, PHP, Elixir, C, C++ and bats. */
export const isTest = has(
  /^(?:export )?[xf]?(?:it|test|describe|context|suite|specify|scenario|feature)(?:\.\w{1,20}){0,3}(?:\(|\s)\s{0,4}["'`]/,
  /^(?:async )?def test\w*|^class Test\w*/,
  /^func (?:\([^)]{1,80}\) )?(?:Test|Fuzz|Example)\w*\(|\bt\.Run\(/,
  /#\[(?:\w+::){0,3}(?:test|rstest|test_case|bench)\b/,
  /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b/,
  /\[(?:Fact|Theory|Test|TestMethod|TestCase|DataTestMethod)\b/,
  /\bfunc(?:tion)? test\w*\s?\(/,
  /^\s{0,4}(?:TYPED_)?TEST(?:_F|_P|_CASE)?\(|^(?:SCENARIO|BOOST_AUTO_TEST_CASE)\(/,
  /^@test ["']|^(?:function )?test_\w+\s?\(\)/
)

export const isAssertion = has(
  /\b(?:assert|expect|should|refute|verify|prop_assert)\w*\b(?! from\b)/,
  /\b(?:EXPECT|ASSERT|CHECK|REQUIRE|XCTAssert|XCTFail|TEST_ASSERT)\w*\(/,
  /\b(?:Assert|Assertion|require|t|is|qt)\.[A-Z]\w*\(|\bt\.(?:is|deepEqual|equal|true|false|throws)\(/,
  /\.(?:must|wont|should|to|andExpect|raises)(?:_\w+|\b)[ .(]/
)

export const isSkipped = has(
  /\b(?:it|test|describe|context|suite|specify)\.(?:\w{1,20}\.){0,2}(?:skip|todo|only|fixme|failing|fails|skipIf|runIf)\b/,
  /^[xf](?:it|test|describe|context|specify|example)\b|\{\s?(?:skip|todo|only):\s?(?:true|["'`])/,
  /@(?:pytest\.mark\.|mark\.|unittest\.)?(?:skip|skipif|xfail|skipIf|skipUnless|expectedFailure)\b|\b(?:pytest\.(?:skip|xfail)|self\.skipTest)\(/,
  /\b[tb]\.Skip(?:f|Now)?\(|#\[(?:ignore|should_panic)\b|@(?:Disabled|Ignore)\b|\[(?:Ignore|Explicit)\b|[(,]\s?Skip ?= ?["'$]/,
  /\bXCTSkip|\.disabled\(|@(?:module|describe)?tag:? {0,4}:?skip|\bmarkTest(?:Skipped|Incomplete)\(|->(?:skip|todo)\(/,
  /\bGTEST_SKIP\(|\bDISABLED_|^#if 0$|^skip(?: |$)|^(?:skip|pending)\b\s?["'(]|^return;?$/
)

const marks = has(
  /\b(?:eslint|oxlint|tslint|stylelint|rubocop|pylint|swiftlint|ktlint|shellcheck|phpcs|credo)[:-]?\s?(?:disable|ignore)/,
  /\bbiome-ignore\b|#\s?(?:noqa|nosec)\b|\/\/\s?nolint\b|\bNOLINT|\bNOSONAR\b|\bnosemgrep\b|\bnoinspection\b|\/\/lint:ignore\b/,
  /@ts-(?:ignore|expect-error|nocheck)\b|#\s?(?:type|pyright|mypy|ty): ?ignore|@phpstan-ignore|@psalm-suppress/,
  /#!?\[(?:allow|expect)\(|@Suppress(?:Warnings)?\b|@nowarn\b|#pragma (?:warning disable|(?:GCC|clang) diagnostic ignored)/,
  /\b(?:istanbul|c8|v8) ignore\b|#\s?pragma: no ?cover|@codeCoverageIgnore|\b[GL]COV_EXCL|ExcludeFromCodeCoverage/
)

/** A mark with a reason, such as "// nolint:gosec // only in tests" or "eslint-disable-next-line x -- why". */
const reasoned = /(?:ignore|disable|nolint|noqa|nosec|expect-error)[\w:,/@()[\] -]{0,80}\s(?:--|\/\/|#)\s+\w/i

export const isMark = (line: string): boolean => marks(line) && !reasoned.test(line)

/** Options and settings that make a check always pass, or skip a part. */
export const isSilencer = has(
  /\|\|\s{0,4}(?:true\b|:(?=[\s"']|$)|exit 0)|;\s{0,4}(?:true|exit 0)\s{0,4}(?:["',]|$)|\bset \+e\b/,
  /\bcontinue-on-error: ?true|\ballow_failure: ?true|\bignoreFailures ?=|FailureIgnore>true|--exit-zero\b|--no-fail\b|fail_ci_if_error: ?false/i,
  /\bpass-?WithNoTests\b|-DskipTests|--no-verify\b|\bHUSKY ?= ?["']?0|\bif: ?false|--collect-only|--retries|\bretries["']?\s?[:=]\s?[1-9]/i,
  /--(?:ignore|deselect|exclude|skip|testPathIgnorePatterns|grep-invert)\b|-k ["']?not\b/,
  /^["'](?:test|lint|type|build|check)[\w:-]{0,40}["']\s?:\s?["'](?:true|:|exit 0|echo\b[^"'&;|]{0,80})["']/,
  /\b(?:exclude\w*|ignore\w*|omit|\w+IgnorePatterns|testIgnore|collect_ignore|per-file-ignores|extend-ignore|disable)["']?\s{0,2}[:=]/,
  /["'][\w@/-]{2,80}["']\s?:\s?\[?\s?(?:["'](?:off|warn)["']|0\b)|\bEnabled: ?false/,
  /["']?(?:strict\w*|noImplicit\w+|noUnused\w+|disallow_\w+|warnings_?as_?errors)["']?\s?[:=]\s?(?:false|0)\b/i
)

export const scriptOf = (line: string): string | null =>
  /^"((?:test|lint|type|tsc|build|check|ci|verify)[\w:-]{0,40})"\s?:\s?"/.exec(line)?.[1] ?? null

export const isThreshold = has(
  /threshold|\b(?:branches|lines|functions|statements|coverage|fail[_-]under|complexity)\b|\b(?:min|max)\w*|budget|limit/i
)

export const isSnapshot = has(/\.(?:snap|ambr|golden)$|(?:^|\/)(?:__snapshots__|snapshots|goldens?)\//i)

export const rewritesSnapshots = has(
  /\s(?:--update-?snapshots?|--snapshot-update|--update-goldens?|-update|--update|-u)(?=\s|=true|$)|\bUPDATE_\w+=|\bINSTA_UPDATE=/i
)
