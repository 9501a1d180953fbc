/**
 * Test runners by their output, a row for each. By their commands they are in `shell/programs/testTools.ts`; which sources
 * they cover is in `project/repoCommands.ts`.
 */
import type { Kind, Recogniser } from "./row.ts"
import {
  closes,
  counted,
  failed,
  failingItem,
  groups,
  labelled,
  locatesLast,
  locatesNext,
  none,
  passed,
  reads,
  weak
} from "./row.ts"

const tests: ReadonlyArray<Kind> = ["tests"]

const javascript = (): ReadonlyArray<Recogniser> => [
  reads(
    "jest",
    tests,
    ["Tests:", "Test Suites:", "No tests found", "FAIL "],
    [
      counted(/^Tests:\s{1,12}\d.{0,200} total$/),
      failed(
        /^(?:Test Suites:\s{1,12}(?:\d{1,9} skipped, )?[1-9]\d{0,8} failed|Jest: .{1,200} coverage threshold for )/
      ),
      none(/^No tests found(?:, exiting with code \d|\s*$| related to)/),
      {
        on: /^FAIL (?! )(?:\S{1,80} )?(?<file>\S{1,300}\.[cm]?[jt]sx?)(?: \(.{1,40}\))?$/,
        proves: "failed",
        weak: true,
        locates: "next"
      },
      groups(/^ {2}● (?!Console$)(?!Test suite failed to run$)(?<name>.{1,600})$/),
      locatesLast(/^\s{1,20}at .{0,200}?\(?(?<file>[^\s():]{1,300}\.[cm]?[jt]sx?):(?<line>\d{1,7}):\d{1,7}\)?$/)
    ],
    { whole: true }
  ),
  reads(
    "vitest",
    tests,
    ["Tests  ", "Test Files", "No test files found", " FAIL  "],
    [
      counted(/^\s{0,12}Tests {2,6}\d.{0,200}\(\d{1,9}\)$/),
      none(/^\s{0,12}Tests {2,6}no tests$/),
      none(/^\s{0,4}No test files found, exiting with code \d/),
      failed(/^\s{0,12}(?:Test Files {2,6}[1-9]\d{0,8} failed|(?:Type )?Errors {2,6}[1-9]\d{0,8} errors?)/),
      failed(/^ERROR: Coverage for \w{1,20} \([\d.]{1,8}%\) does not meet /),
      {
        on: /^\s{0,4}FAIL {2}(?: ?\S{1,60} {2}|\|\S{1,60}\| )?(?<file>\S{1,300}\.\w{1,5})(?: > (?<name>.{1,600}?)| \[ .{1,300} \])?$/,
        proves: "failed",
        weak: true,
        locates: "next"
      },
      locatesLast(/^\s{1,4}❯ (?:\S{1,100} )?(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}$/)
    ],
    { whole: true }
  ),
  reads(
    "mocha",
    tests,
    [" passing", " failing"],
    [
      counted(/^\s{0,20}\d{1,9} passing(?: \([\d.]{1,12} ?[a-z]{1,8}\))?$/),
      groups(/^\s{0,20}(?<failed>\d{1,9}) failing$/),
      groups(/^\s{0,20}(?<skipped>\d{1,9}) pending$/),
      groups(/^\s{4,60}\d{1,4}\) (?<name>.{1,400}?):?$/)
    ]
  ),
  reads(
    "cypress",
    tests,
    ["All specs passed!", " failed ("],
    [passed(/^\s{0,8}✔ {2}All specs passed!/), failed(/^\s{0,8}✖ {2}\d{1,6} of \d{1,6} failed \(\d{1,3}%\)/)]
  ),
  reads(
    "node:test",
    tests,
    ["# pass ", "# fail ", "ℹ pass ", "ℹ fail ", "coverage does not meet threshold of "],
    [
      groups(/^(?:#|ℹ) tests {1,2}(?<total>\d{1,9})$/),
      groups(/^(?:#|ℹ) pass {1,2}(?<passed>\d{1,9})$/),
      groups(/^(?:#|ℹ) fail {1,2}(?<failed>\d{1,9})$/),
      groups(/^(?:#|ℹ) cancelled (?<failed>\d{1,9})$/),
      groups(/^(?:#|ℹ) (?:skipped|skip|todo) {1,2}(?<skipped>\d{1,9})$/),
      passed(/^# ok$/),
      failed(/^(?:#|ℹ) Error: [\d.]{1,6}% \w{1,20} coverage does not meet threshold of /),
      // What failed by itself follows, each with its place.
      { on: /^✖ failing tests:$/, withdraws: "unplaced" },
      locatesNext(/^test at (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}$/),
      groups(
        /^\s{0,40}✖ (?<name>(?!failing tests:).{1,400}?) \(\d{1,12}(?:\.\d{1,12})?ms\)(?! # (?!EXPECTED FAILURE))/
      ),
      groups(/^\s{0,40}not ok \d{1,7} (?:- )?(?<name>[^#]{1,400}?)(?: # \(?[^ST].{0,200})?$/),
      { on: /^\s{2,42}failureType: '(?:subtestsFailed|cancelledByParent)'$/, withdraws: "last" }
    ]
  ),
  reads(
    // Its reporter `dot`, which counts nothing.
    "node:test",
    tests,
    ["\nFailed tests:\n"],
    [
      failingItem(/^✖ (?<name>.{1,400}?) \(\d{1,12}(?:\.\d{1,12})?ms\)(?! # (?!EXPECTED FAILURE))/),
      { on: /^ {2}'\d{1,6} subtests? failed'$/, withdraws: "last" }
    ]
  ),
  reads(
    "TAP",
    tests,
    ["not ok ", "\n1..", "1..", "Result: "],
    [
      groups(/^1\.\.(?<total>\d{1,7})(?: .{0,100})?$/),
      groups(/^(?<ok>ok) \d{1,7}\b/),
      failingItem(/^not ok \d{1,7}\b(?! .{0,400}# (?:TODO|SKIP))(?: -)? ?(?<name>[^#]{0,400})/),
      passed(/^Result: PASS$/),
      failed(/^Result: FAIL$/),
      none(/^Result: NOTESTS$/),
      groups(/^Files=\d{1,7}, Tests=(?<total>\d{1,9}), /)
    ],
    { unless: ["# pass ", "# fail ", "test result: "] }
  ),
  reads(
    "ava",
    tests,
    [" test passed", " tests passed", " test failed", " tests failed", "uncaught exception"],
    [
      { on: /^ {2}(?<passed>\d{1,9}) tests? passed$/, afterBlank: true, proves: "passed" },
      groups(/^ {2}(?<failed>\d{1,9}) (?:tests?|hooks?) failed$/),
      failed(/^ {2}[1-9]\d{0,5} (?:uncaught exceptions?|unhandled rejections?)$/),
      none(/^ {2}✘ .{0,20}Couldn’t find any files to test/),
      groups(/^ {2}✘ \[fail\]: (?<name>.{1,400})$/)
    ],
    { unless: ["test suite", "Test suite", "test run", "Executed "] }
  ),
  reads(
    "bun test",
    tests,
    [" pass\n", " fail\n", "bun test v"],
    [
      groups(/^ (?<passed>\d{1,9}) pass$/),
      groups(/^ (?<failed>\d{1,9}) fail$/),
      groups(/^ (?<failed>\d{1,9}) errors?$/),
      groups(/^ (?<skipped>\d{1,9}) (?:skip|todo)$/),
      none(/^(?:error: )?(?:No tests found!|The following filters did not match any test files)/),
      weak(/^\(fail\) (?<name>.{1,400}?)(?: \[[\d.]{1,12}ms\])?$/)
    ]
  ),
  reads(
    "deno test",
    tests,
    [" passed | ", " passed (", "No test modules found"],
    [
      counted(/^(?:ok|FAILED) \| \d{1,9} passed(?: \(\d{1,9} steps?\))? \| \d{1,9} failed/),
      none(/^error: No test modules found/),
      groups(/^(?<name>.{1,300}?) => (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}$/)
    ],
    { whole: true }
  ),
  reads(
    "playwright",
    tests,
    [" passed (", " failed\n", " did not run", "No tests found"],
    [
      { on: /^ {2}(?<passed>\d{1,9}) passed \([\d.]{1,8}(?:ms|s|m|h)\)$/, afterBlank: true, proves: "passed" },
      groups(/^ {2}(?<failed>\d{1,9}) (?:failed|interrupted|timed out)$/),
      groups(/^ {2}(?<skipped>\d{1,9}) skipped$/),
      failed(/^ {2}[1-9]\d{0,8} errors? (?:was|were) not a part of any test/),
      none(/^Error: No tests found/),
      groups(
        /^ {4}(?:\[[\w -]{1,60}\] › )?(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7} › (?<name>.{1,400}?)[\s─]{0,200}$/
      )
    ]
  ),
  reads(
    "karma",
    tests,
    ["Executed ", " specs, ", "1 spec, "],
    [
      passed(/^TOTAL: (?<passed>\d{1,9}) SUCCESS$/),
      {
        on: /^.{0,120}: Executed (?<total>\d{1,9}) of \d{1,9}(?: \(skipped \d{1,9}\))? ?SUCCESS \(/,
        proves: "passed",
        replaces: true
      },
      { on: /^.{0,120}: Executed (?<total>\d{1,9}) of \d{1,9} \((?<failed>\d{1,9}) FAILED\)/, replaces: true },
      counted(/^\d{1,9} specs?, \d{1,9} failures?(?:, \d{1,9} pending specs?)?$/),
      none(/^No specs found/)
    ]
  )
]

const python = (): ReadonlyArray<Recogniser> => [
  reads(
    "pytest",
    tests,
    [" in ", "FAILED ", "ERROR ", "= FAILURES =", "= ERRORS ="],
    [
      counted(
        /^(?:={1,200} )?(?:\d{1,9} (?:passed|failed|errors?|skipped|xfailed|xpassed|warnings?|deselected|rerun|subtests passed|subtests failed)(?:, )?){1,12} in \d{1,9}(?:\.\d{1,4})?s(?: \(.{1,20}\))?(?: ={1,200})?$/
      ),
      none(/^(?:={1,200} )?no tests (?:ran|collected)\b.{0,60} in \d/),
      failed(
        /^!{3,200} (?:Interrupted: \d{1,9} errors? during collection !|KeyboardInterrupt|_pytest\.outcomes\.Exit|stopping after \d{1,9} failures?)/
      ),
      failed(
        /^(?:ERROR: (?:file or directory not found|not found|usage|unrecognized|found no collectors)|ImportError while loading conftest |INTERNALERROR> |FAIL Required test coverage of )/
      ),
      weak(/^={3,200} (?:FAILURES|ERRORS) ={3,200}$/),
      weak(
        /^(?:FAILED|ERROR) (?<file>[^\s:]{1,300}\.py)(?:::(?<name>[^[]{1,300}?(?:\[.{1,300}?\])?))?(?: - .{0,2000})?$/
      ),
      groups(
        /^_{1,200} (?!_ )(?:ERROR (?:collecting|at setup of|at teardown of) |\[doctest\] )?(?<name>\S.{0,300}?) _{1,200}$/
      ),
      locatesLast(/^(?!\/.{0,300}\/lib\/python)(?<file>[^\s:]{1,300}\.py):(?<line>\d{1,7}):(?: \S|$)/)
    ],
    { whole: true }
  ),
  reads(
    "unittest",
    tests,
    ["Ran "],
    [
      groups(/^Ran (?<total>\d{1,9}) tests? in \d/),
      labelled(/^OK(?: \((?:(?:skipped|expected failures|unexpected successes)=\d{1,9}(?:, )?){1,4}\))?$/),
      labelled(
        /^FAILED \((?:(?:failures|errors|skipped|expected failures|unexpected successes)=\d{1,9}(?:, )?){1,6}\)$/
      ),
      failed(/^FAILED \(.{1,200}\)$/),
      none(/^NO TESTS RAN/),
      weak(/^(?:FAIL|ERROR): (?<name>[\w.[\]-]{1,200}) \(.{1,300}\)$/),
      locatesLast(/^ {2}File "(?!.{0,300}\/lib\/python)(?<file>[^"]{1,300})", line (?<line>\d{1,7})/)
    ]
  ),
  reads(
    "behave",
    tests,
    [" scenario passed", " scenarios passed"],
    [counted(/^\d{1,9} scenarios? passed, \d{1,9} failed, \d{1,9} skipped/)]
  ),
  reads(
    "robot",
    tests,
    [" passed, "],
    [
      {
        on: /^(?<total>\d{1,9}) tests?, (?<passed>\d{1,9}) passed, (?<failed>\d{1,9}) failed(?:, (?<skipped>\d{1,9}) skipped)?$/,
        replaces: true
      }
    ]
  )
]

const compiled = (): ReadonlyArray<Recogniser> => [
  reads(
    "go test",
    tests,
    ["ok  ", "ok \t", "FAIL", "no test files", "no tests to run", "panic: "],
    [
      none(/^ok\s{1,8}\S{1,300}\s{1,8}(?:\d{1,9}\.\d{1,6}s|\(cached\)).{0,200}\[no tests to run\]/),
      passed(/^ok\s{1,8}\S{1,300}\s{1,8}(?:\d{1,9}\.\d{1,6}s|\(cached\))(?!.{0,200}\[no tests to run\])/),
      none(/^\?\s{1,8}\S{1,300}\s{1,8}\[no test files\]/),
      none(/^(?:testing: warning: no tests to run|no test files)$/),
      failed(/^FAIL\s{1,8}\S{1,300}\s{1,8}(?:\d{1,9}\.\d{1,6}s|\[(?:build|setup) failed\])/),
      failingItem(/^FAIL$/),
      failingItem(/^--- FAIL: (?<name>\S{1,300})/),
      groups(/^\s{4,40}--- FAIL: (?<name>\S{1,300})/),
      locatesLast(/^\s{4,40}(?<file>[\w./-]{1,200}\.go):(?<line>\d{1,7}): /),
      closes(/^=== (?:RUN|CONT|PAUSE|NAME) /),
      closes(/^\s{0,40}--- (?:PASS|SKIP): /),
      weak(/^panic: /)
    ]
  ),
  reads("go test", tests, ["--- PASS: "], [passed(/^PASS$/)]),
  reads(
    "gotestsum",
    tests,
    ["DONE "],
    [
      counted(/^DONE \d{1,9} tests?(?:, \d{1,9} (?:skipped|failures?|errors?)){0,3} in \d/),
      groups(/^=== FAIL: \S{1,300} (?<name>\S{1,300})/)
    ],
    { whole: true }
  ),
  reads(
    "cargo test",
    tests,
    ["test result: ", " ... FAILED", "error: test failed", "error: doctest failed"],
    [
      counted(/^test result: (?:ok|FAILED)\. \d{1,9} passed; \d{1,9} failed; \d{1,9} ignored/),
      failed(/^test result: FAILED/),
      weak(/^test (?<name>\S.{0,300}?) \.\.\. FAILED$/),
      weak(/^error: (?:test|doctest|\d{1,6} targets?) failed/),
      {
        on: /^thread '(?<name>[^']{1,300})'(?: \(\d{1,9}\))? panicked at (?<file>[^\s:']{1,300}):(?<line>\d{1,7}):\d{1,7}/,
        locates: "last"
      }
    ]
  ),
  reads(
    "cargo nextest",
    tests,
    ["Summary ["],
    [
      {
        on: /^\s{0,20}Summary \[\s{0,12}[\d.]{1,12}s\] {1,2}(?<total>\d{1,9})(?:\/\d{1,9})? tests? run: (?<passed>\d{1,9}) passed/,
        tally: "before"
      },
      groups(
        /^\s{0,20}(?:FAIL|TIMEOUT|SIGABRT|SIGSEGV) \[\s{0,12}[\d.]{1,12}s\] (?:\(\s{0,8}\d{1,9}\/\d{1,9}\) )?(?<name>\S.{0,300})$/
      ),
      none(/^error: no tests to run/)
    ],
    { whole: true }
  ),
  reads(
    "ctest",
    tests,
    ["% tests passed", "No tests were found!!!", "tests FAILED:"],
    [
      groups(/^\d{1,3}% tests passed, (?<failed>\d{1,9}) tests? failed out of (?<total>\d{1,9})$/),
      none(/^No tests were found!!!$/),
      weak(/^The following tests FAILED:$/),
      groups(
        /^\s{1,10}\d{1,6} - (?<name>\S{1,300}) \((?:Failed|Timeout|Not Run|SEGFAULT|Subprocess aborted|ILLEGAL|Exit code.{0,20})\)/
      )
    ],
    { whole: true }
  ),
  reads(
    "googletest",
    tests,
    ["[  PASSED  ]", "[  FAILED  ]"],
    [
      passed(/^\[ {2}PASSED {2}\] (?<passed>\d{1,9}) tests?\.$/),
      groups(/^\[ {2}FAILED {2}\] (?<failed>\d{1,9}) tests?, listed below:$/),
      failingItem(/^ ?\d{1,9} FAILED TESTS?$/),
      weak(/^\[ {2}FAILED {2}\] (?<name>[A-Za-z_][\w/.]{1,300})(?:, where .{0,300})?(?: \(\d{1,9} ms\))?$/),
      locatesNext(/^(?<file>[^\s:]{1,300}):(?<line>\d{1,7}): Failure$/)
    ]
  ),
  reads(
    "catch2",
    tests,
    ["test cases:", "All tests passed ("],
    [
      passed(/^All tests passed \(\d{1,9} assertions? in (?<passed>\d{1,9}) test cases?\)$/),
      counted(/^(?:\[doctest\] )?test cases:\s{1,20}\d{1,9} \|/),
      none(/^No tests ran$/)
    ],
    { whole: true }
  ),
  reads(
    "zig test",
    tests,
    [" tests passed", " passed; ", "Build Summary:"],
    [
      passed(/^All (?<passed>\d{1,9}) tests passed\.$/),
      counted(/^\d{1,9} passed; \d{1,9} skipped; \d{1,9} failed\.$/),
      failed(/^error: the following (?:test|build) command failed/),
      passed(/^Build Summary: \d{1,6}\/\d{1,6} steps succeeded; (?<passed>\d{1,9})\/\d{1,9} tests passed$/),
      failed(/^Build Summary: .{0,200}; [1-9]\d{0,8} failed/)
    ],
    { whole: true }
  ),
  reads(
    "bazel test",
    tests,
    ["Executed ", "FAILED in", "No test targets were found", " test FAILED,", " tests FAILED,"],
    [
      passed(/^Executed \d{1,9} out of \d{1,9} tests?: (?<passed>\d{1,9}) tests? pass(?:es)?\.$/),
      failed(
        /^(?:Executed \d{1,9} out of \d{1,9} tests?: .{0,200}\bfails?\b|(?:INFO: )?Build completed, \d{1,9} tests? FAILED,)/
      ),
      weak(/^(?<name>\/\/\S{1,300})\s{1,200}(?:FAILED|TIMEOUT|FAILED TO BUILD)\b/),
      none(/^(?:ERROR: )?No test targets were found/)
    ]
  ),
  reads(
    "swift test",
    tests,
    ["Executed ", "Test run with "],
    [
      {
        on: /^\s{0,8}Executed (?<total>\d{1,9}) tests?(?:, with (?<skipped>\d{1,9}) tests? skipped and|, with) (?<failed>\d{1,9}) failures? \(/,
        replaces: true
      },
      failed(/^Test Suite '(?:All tests|Selected tests)' failed at /),
      weak(/^Test Case '(?<name>.{1,300})' failed \(/),
      weak(/^(?<file>[^\s:]{1,300}\.swift):(?<line>\d{1,7}): error: (?<name>-?\[?[\w. ]{1,300}\]?) : /)
    ]
  ),
  reads(
    "swift-testing",
    tests,
    ["Test run with "],
    [
      passed(/^\S{1,4} {1,2}Test run with (?<passed>\d{1,9}) tests?(?: in \d{1,9} suites?)? passed after /),
      failed(/^\S{1,4} {1,2}Test run with \d{1,9} tests?(?: in \d{1,9} suites?)? failed after /),
      groups(/^\S{1,4} {1,2}Test (?<name>.{1,200}?) recorded an issue at (?<file>[^\s:]{1,200}):(?<line>\d{1,7}):\d/)
    ],
    { whole: true }
  ),
  reads(
    "xcodebuild",
    tests,
    ["** TEST"],
    [passed(/^\*\* TEST SUCCEEDED \*\*/), failed(/^\*\* TEST (?:EXECUTE )?FAILED \*\*/)],
    { whole: true }
  )
]

const managed = (): ReadonlyArray<Recogniser> => [
  reads(
    "surefire",
    tests,
    ["Tests run:", "No tests to run", "OK ("],
    [
      labelled(
        /^(?:\[(?:INFO|ERROR|WARNING)\] {1,2})?Tests run: {1,2}\d{1,9}, {1,2}Failures: {1,2}\d{1,9}(?:, {1,2}Errors: {1,2}\d{1,9})?(?:, {1,2}Skipped: {1,2}\d{1,9})?(?:, Flakes: \d{1,9})?$/
      ),
      passed(/^OK \((?<passed>\d{1,9}) tests?\)$/),
      weak(
        /^(?:\[ERROR\] )?(?<name>[\w$.()[\] ]{1,300}?)\s{1,3}(?:--|Tests run:.{1,80})?\s{0,3}Time elapsed: .{1,40} <<< (?:FAILURE|ERROR)!/
      ),
      none(/^(?:\[INFO\] )?No tests to run\.$/),
      groups(/^\[ERROR\] {2,4}(?<name>[\w$.]{1,200}):(?<line>\d{1,7}) /)
    ],
    { unless: ["assertion"] }
  ),
  reads(
    "junit",
    tests,
    [" tests successful", " tests failed"],
    [
      groups(/^\[\s{1,12}(?<passed>\d{1,9}) tests successful\s{1,12}\]$/),
      groups(/^\[\s{1,12}(?<failed>\d{1,9}) tests failed\s{1,12}\]$/)
    ]
  ),
  reads(
    "gradle",
    ["tests", "build", "typecheck", "lint"],
    ["BUILD SUCCESSFUL", "BUILD FAILED", " tests completed", "1 test completed", "> Task :"],
    [
      none(/^> Task :\S{0,200}[tT]est\S{0,60} NO-SOURCE$/),
      passed(/^BUILD SUCCESSFUL in \d/),
      failingItem(/^BUILD FAILED(?: in \d.{0,40})?$/),
      groups(/^\d{1,9} tests? completed, (?<failed>\d{1,9}) failed/),
      failed(/^> Task :\S{1,200} FAILED$/),
      weak(/^(?<name>[\w.$]{1,200} > .{1,300}) FAILED$/),
      locatesLast(/^\s{4,12}\S{1,200} at (?<file>[\w$.]{1,200}):(?<line>\d{1,7})$/),
      groups(/^e: (?:file:\/\/)?(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}:? (?<name>.{1,300})$/)
    ]
  ),
  reads(
    "sbt",
    tests,
    ["Tests: succeeded", ": Total "],
    [
      labelled(/^(?:\[(?:info|error)\] )?Tests: succeeded \d{1,9}, failed \d{1,9}/),
      passed(/^\[info\] Passed: Total [1-9]\d{0,8}, Failed 0, Errors 0/),
      failed(/^\[error\] (?:Failed|Error): Total \d{1,9}, /),
      groups(/^\[(?:info|error)\] - (?<name>.{1,300}) \*\*\* FAILED \*\*\*/)
    ]
  ),
  reads(
    "dotnet test",
    tests,
    ["Passed!", "Failed!", "Test Run ", "Test summary:", "No test "],
    [
      labelled(
        /^\s{0,4}(?:Passed|Failed|Skipped)! {1,3}- Failed:\s{1,9}\d{1,9}, Passed:\s{1,9}\d{1,9}, Skipped:\s{1,9}\d{1,9}, Total:/
      ),
      labelled(/^Test summary: total: \d{1,9}, failed: \d{1,9}, succeeded: \d{1,9}/),
      passed(/^Test Run Successful\.$/),
      failed(/^Test Run (?:Failed|Aborted)\.$/),
      none(/^No test (?:is available in|matches the given testcase filter)/),
      weak(/^ {2}Failed (?<name>[\w.(), "`<>+-]{1,300}?) \[[\d.< ]{1,12} ?(?:ms|s|m)\]$/),
      locatesLast(/^\s{2,12}at .{1,300} in (?<file>[^\s]{1,300}):line (?<line>\d{1,7})$/)
    ]
  ),
  reads(
    "flutter test",
    tests,
    [": All tests passed!", ": Some tests failed.", "No tests ran"],
    [
      passed(/^\d{2,3}:\d\d \+(?<passed>\d{1,9})(?: ~(?<skipped>\d{1,9}))?: All tests passed!$/),
      groups(/^\d{2,3}:\d\d \+(?<passed>\d{1,9})(?: ~(?<skipped>\d{1,9}))? -(?<failed>\d{1,9}): Some tests failed\.$/),
      none(/^No tests ran\.$/),
      groups(/^\d{2,3}:\d\d \+\d{1,9}(?: ~\d{1,9})? -\d{1,9}: (?<name>.{1,300}) \[E\]$/)
    ]
  )
]

const scripting = (): ReadonlyArray<Recogniser> => [
  reads(
    "rspec",
    tests,
    [" example, ", " examples, "],
    [
      counted(
        /^\d{1,9} examples?, \d{1,9} failures?(?:, \d{1,9} (?:pending|errors?(?: occurred outside of examples)?)){0,3}$/
      ),
      groups(/^rspec (?<file>[^\s:]{1,300}):(?<line>\d{1,7}) # (?<name>.{1,400})$/)
    ],
    { whole: true }
  ),
  reads(
    "minitest",
    tests,
    [" assertions, ", " assertion, "],
    [
      counted(/^\d{1,9} (?:runs?|tests?), \d{1,9} assertions?, \d{1,9} failures?, \d{1,9} errors?\b/),
      groups(/^\s{0,8}(?<name>[A-Z][\w:]{0,200}#\S{1,200}) \[(?<file>[^\]:]{1,300}):(?<line>\d{1,7})\]:?/),
      groups(/^(?:Failure|Error): (?<name>test\S{0,200}\(\S{1,200}\))/)
    ],
    { whole: true }
  ),
  reads(
    "cucumber",
    tests,
    [" scenario (", " scenarios (", "0 scenarios"],
    [
      counted(/^\d{1,9} scenarios? \((?:\d{1,9} (?:passed|failed|pending|skipped|undefined|ambiguous)(?:, )?){1,6}\)$/),
      failed(/^\d{1,9} scenarios? \(.{0,120}\b[1-9]\d{0,8} (?:undefined|ambiguous)/),
      none(/^0 scenarios$/)
    ],
    { whole: true }
  ),
  reads(
    "phpunit",
    tests,
    ["OK (", "OK, but", "FAILURES!", "ERRORS!", "No tests executed!", "Assertions:"],
    [
      passed(/^OK \((?<passed>\d{1,9}) tests?, \d{1,9} assertions?\)$/),
      labelled(/^Tests: \d{1,9}, Assertions: \d{1,9}(?:, [A-Za-z ]{1,40}: \d{1,9}){0,10}\.$/),
      failed(/^(?:FAILURES|ERRORS)!$/),
      none(/^No tests executed!$/),
      groups(/^\d{1,6}\) (?<name>[\w\\]{1,200}::[\w#" ,.-]{1,200})$/),
      locatesLast(/^(?<file>\/?[^\s:]{1,300}\.php):(?<line>\d{1,7})$/)
    ],
    { whole: true }
  ),
  reads(
    "pest",
    tests,
    [" assertions)", " assertion)"],
    [
      counted(/^\s{0,4}Tests:\s{1,8}\d.{0,160}\(\d{1,9} assertions?\)$/),
      groups(/^\s{2,4}FAILED {2}(?<name>\S{1,200} > .{1,300}?)(?:\s{2,200}\S{1,100})?$/)
    ],
    { whole: true }
  ),
  reads(
    "ExUnit",
    tests,
    [" failure", "There are no tests to run"],
    [
      counted(
        /^(?:\d{1,9} doctests?, )?(?:\d{1,9} propert(?:y|ies), )?\d{1,9} tests?, \d{1,9} failures?(?:, \d{1,9} (?:excluded|skipped|invalid)){0,3}$/
      ),
      failed(/^.{0,100}, [1-9]\d{0,8} invalid\b/),
      none(/^There are no tests to run$/),
      groups(/^ {2}\d{1,6}\) (?<name>(?:test|property|doctest) .{1,300}) \([\w.]{1,200}\)$/),
      locatesLast(/^ {5}(?<file>[^\s:]{1,300}\.exs):(?<line>\d{1,7})$/)
    ],
    { whole: true }
  ),
  reads(
    "busted",
    tests,
    [" successes / ", " success / "],
    [counted(/^\d{1,9} success(?:es)? \/ \d{1,9} failures? \/ \d{1,9} errors? \/ \d{1,9} pending\b/)],
    { whole: true }
  ),
  reads(
    "testthat",
    tests,
    ["[ FAIL "],
    [
      {
        on: /^\[ FAIL (?<failed>\d{1,9}) \| WARN \d{1,9} \| SKIP (?<skipped>\d{1,9}) \| PASS (?<passed>\d{1,9}) \]$/,
        replaces: true
      }
    ]
  ),
  reads(
    "clojure.test",
    tests,
    ["Ran "],
    [
      groups(/^Ran (?<total>\d{1,9}) tests? containing \d{1,9} assertions?\.$/),
      counted(/^\d{1,9} failures, \d{1,9} errors\.$/)
    ]
  ),
  reads(
    "tasty",
    tests,
    [" tests passed (", " tests failed ("],
    [
      passed(/^All (?<passed>\d{1,9}) tests passed \([\d.]{1,12}s\)$/),
      groups(/^(?<failed>\d{1,9}) out of (?<total>\d{1,9}) tests failed \([\d.]{1,12}s\)$/)
    ],
    { whole: true }
  ),
  reads(
    "alcotest",
    tests,
    [" tests run.", " test run."],
    [
      passed(/^Test Successful in [\d.]{1,12}s\. (?<passed>\d{1,9}) tests? run\.$/),
      groups(/^(?<failed>\d{1,9}) failures?! in [\d.]{1,12}s\. (?<total>\d{1,9}) tests? run\.$/)
    ]
  ),
  reads(
    "forge test",
    tests,
    ["Suite result: "],
    [
      counted(/^Suite result: (?:ok|FAILED)\. \d{1,9} passed; \d{1,9} failed; \d{1,9} skipped;/),
      groups(/^\[FAIL(?::|\.).{0,200}\] (?<name>\w{1,200})\(/)
    ]
  ),
  reads(
    "tox",
    ["tests", "build", "typecheck", "lint"],
    ["congratulations :)", "evaluation failed :("],
    [passed(/^\s{0,4}congratulations :\)/), failed(/^\s{0,4}evaluation failed :\(/)],
    { whole: true }
  ),
  reads(
    "nox",
    ["tests", "build", "typecheck", "lint"],
    ["nox > Session "],
    [passed(/^nox > Session \S{1,100} was successful/), failed(/^nox > Session \S{1,100} failed/)]
  )
]

export const testRunners = (): ReadonlyArray<Recogniser> => [
  ...javascript(),
  ...python(),
  ...compiled(),
  ...managed(),
  ...scripting()
]
