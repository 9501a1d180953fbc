/** Recognises test runners by their summaries. `shell/programs.ts` recognises them by their commands. */
import { type Row, rowOf, type Source } from "./reading.ts"

const tests: ReadonlyArray<Source> = ["tests"]

export const testRunners: ReadonlyArray<Row> = [
  // Jest, Vitest, Mocha, node:test, Bun, Deno.
  rowOf("javascript", tests, {
    total: [
      /^Tests:\s+\d.* total$/,
      /^\s*Tests {2,6}\d.*\(\d+\)$/,
      /^(?:ok|FAILED) \| \d+ passed(?: \(\d+ steps?\))? \| \d+ failed/
    ],
    passed: [/^\s*(?<passed>\d+) passing(?: \(.+\))?$/, /^# ok$/],
    count: [
      /^\s*\d+ (?:failing|pending)$/,
      /^[#ℹ] (?:tests|pass|fail|cancelled|skipped|skip|todo) {1,2}\d+$/,
      /^ \d+ (?:pass|fail|skip|todo|errors?)$/
    ],
    failed: [
      /^Test Suites:\s+(?:\d+ skipped, )?[1-9]\d* failed|^\s*(?:Test Files {2,6}[1-9]\d* failed|(?:Type )?Errors {2,6}[1-9]\d* error)/,
      /^(?:Jest|ERROR|[#ℹ] Error): .{1,100}\bcoverage (?:threshold for|does not meet) |^ERROR: Coverage for .+ does not meet /
    ],
    none: [
      /^No tests found(?:, exiting with code \d|\s*$| related to)|^\s*(?:Tests {2,6}no tests$|No test files found, exiting with code \d)/,
      /^(?:error: )?(?:No tests found!|The following filters did not match any test files|No test modules found)/
    ],
    item: [
      /^FAIL (?! )(?:[^\s/]{1,80} )?(?<file>(?:[^\s/]{1,80}\/.{0,200}?|\S{0,300})\.[cm]?[jt]sx?)(?: \(.{1,40}\))?$/,
      /^\s*FAIL {2}(?: ?\S{1,60} {2}|\|\S{1,60}\| )?(?<file>(?:[^\s/|]{1,80}\/.{0,200}?|\S{1,300})\.\w{1,5})(?: > (?<name>.+?))?(?: \[ .+ \])?$/,
      /^\(fail\) (?<name>.+?)(?: \[[\d.]+ms\])?$/
    ],
    name: [
      /^ {2}● (?!Console$|Test suite failed to run$)(?<name>.+)$/,
      /^\s{4,60}\d+\) (?<name>.+?):?$/,
      /^\s*✖ (?<name>(?!failing tests:).+?) \([\d.]+ms\)(?! # (?!EXPECTED FAILURE))/,
      /^\s*not ok \d+ (?:- )?(?<name>[^#]+?)(?: # \(?[^ST].*)?$/,
      /^test at (?<file>[^:]{1,300}):(?<line>\d+):\d+$/,
      /^(?<name>.{1,300}?) => (?<file>[^\s:]+):(?<line>\d+):\d+$/
    ]
  }),
  rowOf("TAP", tests, {
    count: [/^1\.\.(?<total>\d+)/, /^(?<ok>ok) \d+\b/, /^Files=\d+, Tests=(?<total>\d+), /],
    passed: [/^Result: PASS$/],
    failed: [/^not ok \d+\b(?!.* # (?:TODO|SKIP))(?: -)? ?(?<name>[^#]*)/, /^Result: FAIL$/],
    none: [/^Result: NOTESTS$/],
    unless: /^(?:[#ℹ] (?:pass|fail) |test result: )/m
  }),
  rowOf("playwright", tests, {
    passed: [/^ {2}(?<passed>\d+) passed \([\d.]+(?:ms|s|m|h)\)$/],
    count: [/^ {2}(?<failed>\d+) (?:failed|interrupted|timed out)$/, /^ {2}\d+ skipped$/],
    failed: [/^ {2}[1-9]\d* errors? (?:was|were) not a part of any test/],
    none: [/^Error: No tests found/],
    name: [/^ {4}(?:\[[\w -]{1,60}\] › )?(?<file>[^\s:]+):(?<line>\d+):\d+ › (?<name>.+?)[\s─]*$/],
    // If no blank line comes before the summary, the summary's first line may be missing. That line says what failed.
    unless: /^(?:.+\n)* {2}\d+ passed \(/
  }),
  // pytest, unittest.
  rowOf("python", tests, {
    total: [
      /^(?:=+ )?(?=\d+ (?:passed|failed|error|skipped|xfailed|xpassed|warning|deselected|subtest))(?:\d+ (?:subtests )?[a-z]+(?:, )?){1,12} in [\d.]+s(?: \(.+\))?(?: =+)?$/,
      /^(?:OK(?: \(.+=\d+\))?|FAILED \(.+=\d+\))$/
    ],
    count: [/^Ran (?<total>\d+) tests? in \d/],
    failed: [
      /^!{3,200} (?:Interrupted: \d+ error|KeyboardInterrupt|_pytest\.outcomes\.Exit|stopping after)/,
      /^ERROR: (?:file or directory not found|not found|usage|unrecognized|found no collectors)/,
      /^(?:ImportError while loading conftest |INTERNALERROR> |FAIL Required test coverage of |FAILED \(.+\)$)/
    ],
    none: [/^(?:=+ )?(?:no tests (?:ran|collected)\b|\d+ deselected\b).* in \d|^NO TESTS RAN/],
    item: [
      /^={3,200} (?:FAILURES|ERRORS) ={3,200}$/,
      /^(?:FAILED|ERROR) (?<file>[^\s:]{1,300}\.py)(?:::(?<name>[^[]{1,300}?(?:\[.+?\])?))?(?: - .*)?$/
    ],
    name: [
      /^_+ (?!_ )(?:ERROR (?:collecting|at setup of|at teardown of) |\[doctest\] )?(?<name>\S.{0,300}?) _+$/,
      /^(?:FAIL|ERROR): (?<name>[\w.[\]-]+) \(.+\)$/
    ]
  }),
  rowOf("go", tests, {
    passed: [/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])/],
    // Output of a test binary. `PASS` means that no test failed.
    count: [/^(?<ok>--- PASS): /, /^PASS(?<failed>)$/],
    failed: [/^FAIL(?:$|\s+\S+\s+(?:[\d.]+s|\[(?:build|setup) failed\]))/, /^\s*--- FAIL: (?<name>\S+)/],
    none: [/^(?:testing: warning: )?no tests? (?:to run|files)$/, /^(?:ok|\?)\s.*\[no tests? (?:to run|files)\]/],
    item: [/^panic: /]
  }),
  // cargo test, cargo nextest.
  rowOf("rust", tests, {
    total: [/^\s*Summary \[.{1,20}s\] +\d+(?:\/\d+)? tests? run: \d+ passed/],
    count: [/^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed; \d+ ignored/],
    failed: [/^test result: FAILED/],
    none: [/^error: no tests to run/],
    item: [/^test (?<name>\S.{0,300}?) \.\.\. FAILED$/, /^error: (?:test|doctest|\d+ targets?) failed/],
    name: [
      /^thread '(?<name>[^']+)'(?: \(\d+\))? panicked at (?<file>[^\s:']+):(?<line>\d+):\d+/,
      /^\s*(?:FAIL|TIMEOUT|SIGABRT|SIGSEGV) \[.{1,20}s\] (?:\(.{1,20}\) )?(?<name>\S.*)$/
    ]
  }),
  // CTest, GoogleTest.
  rowOf("native", tests, {
    total: [/^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)$/],
    passed: [/^\[ {2}PASSED {2}\] (?<passed>\d+) tests?\.$/],
    failed: [/^\[ {2}FAILED {2}\] (?<failed>\d+) tests?, listed below:$/, /^ ?\d+ FAILED TESTS?$/],
    none: [/^No tests were found!!!$/],
    item: [/^The following tests FAILED:$/, /^\[ {2}FAILED {2}\] (?<name>[A-Za-z_][\w/.]+)(?:, .*)?(?: \(\d+ ms\))?$/],
    name: [/^\s+\d+ - (?<name>\S+) \((?:Failed|Timeout|Not Run|SEGFAULT|Subprocess aborted|ILLEGAL|Exit code.*)\)/]
  }),
  rowOf("swift", tests, {
    total: [
      /^\s*Executed (?<total>\d+) tests?,? with (?:(?<skipped>\d+) tests? skipped and )?(?<failed>\d+) failures? \(/
    ],
    passed: [/^\S{1,4} {1,2}Test run with (?<passed>\d+) tests?.* passed after |^\*\* TEST SUCCEEDED \*\*/],
    failed: [
      /^\S{1,4} {1,2}Test run with .* failed after |^\*\* TEST (?:EXECUTE )?FAILED \*\*|^Test Suite '(?:All|Selected) tests' failed at /
    ],
    item: [/^Test Case '(?<name>.+)' failed \(/],
    name: [/^\S{1,4} {1,2}Test (?<name>.+?) recorded an issue at (?<file>[^\s:]+):(?<line>\d+):\d/],
    last: true
  }),
  // Surefire, .NET, Flutter.
  rowOf("managed", tests, {
    total: [
      /^(?:\[(?:INFO|ERROR|WARNING)\] +)?Tests run: +\d+, +Failures: +\d+(?:, +[A-Z][a-z]+: +\d+)*$/,
      /^\s*(?:Passed|Failed|Skipped)! +- Failed: +\d+, Passed: +\d+, Skipped: +\d+, Total:|^Test summary: total: \d+, failed: \d+/
    ],
    passed: [/^\d+:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))?: All tests passed!$|^Test Run Successful\.$/],
    count: [/^\d+:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))? -(?<failed>\d+): Some tests failed\.$/],
    failed: [/^Test Run (?:Failed|Aborted)\.$/],
    none: [/^(?:\[INFO\] )?No tests (?:to run|ran)\.$|^No test (?:is available in|matches the given testcase filter)/],
    item: [
      /^(?:\[ERROR\] )?(?<name>[\w$.()[\] ]+?)\s{1,3}(?:--|Tests run:.{1,80})?\s*Time elapsed: .+ <<< (?:FAILURE|ERROR)!/,
      /^ {2}Failed (?<name>[\w.(), "`<>+-]+?) \[[\d.< ]+ ?(?:ms|s|m)\]$/
    ],
    name: [/^\[ERROR\] {2,4}(?<name>[\w$.]+):(?<line>\d+) /, /^\d+:\d\d \+\d+(?: ~\d+)? -\d+: (?<name>.+) \[E\]$/]
  }),
  // PHPUnit and Pest. RSpec, Minitest, ExUnit, Cucumber, Jasmine, gotestsum and others print "3 tests, 1 failure".
  rowOf("scripting", tests, {
    total: [
      /^Tests: \d+, Assertions: \d+(?:, [A-Za-z ]+: \d+)*\.$|^\s*Tests: +\d.*\(\d+ assertions?\)$/,
      /^(?:DONE )?\d+ (?:tests?|runs?|specs?|examples?|scenarios?|doctests?)(?=.*(?:fail|passed))(?:,? [(]?\d+ [a-z]+(?: occurred outside of examples)?[)]?){1,9}(?:\.| in .+)?$/
    ],
    passed: [/^OK \((?<passed>\d+) tests?(?:, \d+ assertions?)?\)$/],
    failed: [/^(?:FAILURES|ERRORS)!$/],
    none: [/^(?:No tests executed!|There are no tests to run|No specs found|0 scenarios)$/],
    name: [
      /^\d+\) (?<name>[\w\\]+::[\w#" ,.-]+)$/,
      /^\s{2,4}FAILED {2}(?<name>\S+ > .+?)(?:\s{2,200}\S+)?$/,
      /^rspec (?<file>[^\s:]+):(?<line>\d+) # (?<name>.+)$/,
      /^\s*(?<name>[A-Z][\w:]*#\S+) \[(?<file>[^\]:]+):(?<line>\d+)\]:?/,
      /^ {2}\d+\) (?<name>(?:test|property|doctest) .+) \([\w.]+\)$/
    ]
  }),
  // Gradle's result covers everything that it ran.
  rowOf("gradle", ["tests", "build", "typecheck", "lint"], {
    passed: [/^BUILD SUCCESSFUL in \d/],
    failed: [/^> Task :\S+ FAILED$/, /^\d+ tests? completed, (?<failed>\d+) failed/],
    none: [/^> Task :\S*[tT]est\S* NO-SOURCE$/],
    item: [/^BUILD FAILED(?: in \d.*)?$/, /^(?<name>[\w.$]+ > .+) FAILED$/],
    name: [/^e: (?:file:\/\/)?(?<file>[^\s:]+):(?<line>\d+):\d+:? (?<name>.+)$/]
  })
]
