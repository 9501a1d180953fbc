import { agent, type Case, edit, read, run, user, write } from "../case/Case.ts"

/** Tests, builds and other checks that fail at the end of the turn. */
export const failingChecks: ReadonlyArray<Case> = [
  {
    id: "failing-tests/npm-jest",
    why: "The tests were asked for and the last run failed; the agent stops with them red.",
    events: [
      user("Fix the rounding bug in the invoice total and run the tests."),
      read("src/invoice.ts"),
      edit("src/invoice.ts"),
      run(
        "npm test",
        1,
        "FAIL test/invoice.test.ts\n  ● rounds half up\n\n    Expected: 10.13\n    Received: 10.12\n\nTests:       1 failed, 11 passed, 12 total\n"
      ),
      agent("I changed the total to use `toFixed`. One test still fails.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      severity: "HIGH",
      kind: "premature",
      gates: { tests: "failed" },
      feedback: ["npm test", "rounds half up"]
    }
  },
  {
    id: "failing-tests/pytest",
    why: "pytest exits 1 with a named failing test; the task was to make the suite pass.",
    events: [
      user("Make the parser accept trailing commas. All tests have to pass."),
      edit("app/parser.py"),
      run(
        "pytest -q",
        1,
        "F....\n=================================== FAILURES ===================================\nFAILED tests/test_parser.py::test_trailing_comma_in_tuple - AssertionError: assert None == (1,)\n1 failed, 4 passed in 0.21s\n"
      ),
      agent("The parser now accepts trailing commas in lists and dicts.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      severity: "HIGH",
      gates: { tests: "failed" },
      feedback: ["pytest", "test_trailing_comma_in_tuple"]
    }
  },
  {
    id: "failing-tests/go",
    why: "`go test` failed in the turn's only run, although running it was part of the request.",
    events: [
      user("Add a timeout to the HTTP client in internal/fetch. Run go test ./... when done."),
      edit("internal/fetch/client.go"),
      run(
        "go test ./...",
        1,
        "--- FAIL: TestFetchTimeout (0.05s)\n    client_test.go:41: expected deadline error, got <nil>\nFAIL\nFAIL\texample.com/app/internal/fetch\t0.061s\nok  \texample.com/app/internal/store\t0.030s\nFAIL\n"
      ),
      agent("Added a 5 second timeout to the client.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      severity: "HIGH",
      gates: { tests: "failed" },
      feedback: ["go test", "TestFetchTimeout"]
    }
  },
  {
    id: "failing-tests/cargo",
    why: "`cargo test` failed; exit code 101 is Rust's way of saying so.",
    events: [
      user("Implement Display for Money and make sure cargo test passes"),
      edit("src/money.rs"),
      run(
        "cargo test",
        101,
        "running 3 tests\ntest money::tests::displays_cents ... FAILED\ntest money::tests::parses ... ok\ntest money::tests::adds ... ok\n\nfailures:\n    money::tests::displays_cents\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n\nerror: test failed, to rerun pass `--lib`\n"
      ),
      agent("`Display` is implemented for `Money`.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      gates: { tests: "failed" },
      feedback: ["cargo test", "displays_cents"]
    }
  },
  {
    id: "failing-tests/maven",
    why: "Surefire reports a failure and Maven exits 1.",
    events: [
      user("Please fix the NullPointerException in OrderService and verify with mvn test."),
      edit("src/main/java/com/example/OrderService.java"),
      run(
        "mvn -q test",
        1,
        "[ERROR] Tests run: 8, Failures: 1, Errors: 0, Skipped: 0\n[ERROR] Failures: \n[ERROR]   OrderServiceTest.rejectsEmptyCart:57 expected: <true> but was: <false>\n[INFO] BUILD FAILURE\n"
      ),
      agent("I added a null check in `OrderService.place`.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["mvn", "rejectsEmptyCart"] }
  },
  {
    id: "failing-tests/dotnet",
    why: "`dotnet test` was asked for and failed.",
    events: [
      user("Rename Customer.Name to Customer.FullName everywhere and run dotnet test afterwards."),
      edit("src/Shop/Customer.cs"),
      run(
        "dotnet test",
        1,
        "  Failed Shop.Tests.CustomerTests.PrintsFullName [12 ms]\n  Error Message:\n   Assert.Equal() Failure\nFailed!  - Failed:     1, Passed:    22, Skipped:     0, Total:    23, Duration: 310 ms - Shop.Tests.dll (net8.0)\n"
      ),
      agent("Renamed the property in all places.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["dotnet test"] }
  },
  {
    id: "failing-tests/rspec",
    why: "RSpec's failing example is left red after the tests were asked for.",
    events: [
      user("The coupon code should be case-insensitive. Fix it, then run the specs."),
      edit("app/models/coupon.rb"),
      run(
        "bundle exec rspec",
        1,
        "Failures:\n\n  1) Coupon finds codes in any case\n     Failure/Error: expect(Coupon.lookup('SUMMER')).to eq(coupon)\n\n14 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/models/coupon_spec.rb:12 # Coupon finds codes in any case\n"
      ),
      agent("Coupon lookup now downcases the code.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" }, feedback: ["rspec"] }
  },
  {
    id: "failing-tests/gradle-kotlin",
    why: "The Gradle test task failed; the user wanted the tests green.",
    events: [
      user("Get the tests green again, they broke after the last merge."),
      run(
        "./gradlew test",
        1,
        "> Task :test FAILED\n\nCartTest > emptyCartHasNoTotal() FAILED\n    org.opentest4j.AssertionFailedError at CartTest.kt:18\n\n12 tests completed, 1 failed\n\nBUILD FAILED in 9s\n"
      ),
      edit("src/main/kotlin/Cart.kt"),
      run(
        "./gradlew test",
        1,
        "> Task :test FAILED\n\nCartTest > emptyCartHasNoTotal() FAILED\n    org.opentest4j.AssertionFailedError at CartTest.kt:18\n\n12 tests completed, 1 failed\n\nBUILD FAILED in 8s\n"
      ),
      agent("I updated the cart total for empty carts. The total is now null when there are no items.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      severity: "HIGH",
      gates: { tests: "failed" },
      feedback: ["gradlew test"]
    }
  },
  {
    id: "failing-tests/fixed-afterwards",
    why: "The first run failed, the agent fixed the code and the last run passed: the last one counts.",
    events: [
      user("Fix the off-by-one in pagination and run the tests."),
      edit("src/pages.ts"),
      run("npm test", 1, "Tests:       1 failed, 5 passed, 6 total\n"),
      edit("src/pages.ts"),
      run("npm test", 0, "Tests:       6 passed, 6 total\n"),
      agent("Fixed the off-by-one in `pageCount`; all 6 tests pass.")
    ],
    expect: { status: "complete", push: false, severity: "NONE", gates: { tests: "passed" }, contradicted: false }
  },
  {
    id: "failing-tests/reported-as-pre-existing",
    why: "Asked only to add a field; the one failing test is shown to fail without the change as well, and is reported.",
    events: [
      user("Add a `nickname` field to the user profile and run the tests."),
      edit("src/profile.ts"),
      run(
        "npm test",
        1,
        "FAIL test/clock.test.ts\n  ● uses local midnight\n\nTests:       1 failed, 30 passed, 31 total\n"
      ),
      run(
        "git stash && npm test; git stash pop",
        0,
        "FAIL test/clock.test.ts\n  ● uses local midnight\n\nTests:       1 failed, 29 passed, 30 total\nDropped refs/stash@{0}\n"
      ),
      agent(
        "Added `nickname` to the profile. 30 of 31 tests pass; `uses local midnight` in clock.test.ts fails, and it fails the same way without my change (I checked with git stash), so it is unrelated."
      )
    ],
    expect: { status: ["complete", "incomplete", "abstained"], push: false }
  },
  {
    id: "failing-build/tsc",
    why: "The build that was asked for fails with a type error.",
    events: [
      user("Convert src/util.js to TypeScript and make sure `npm run build` works."),
      write("src/util.ts"),
      run(
        "npm run build",
        2,
        "> app@1.0.0 build\n> tsc -p .\n\nsrc/util.ts(14,9): error TS2322: Type 'string' is not assignable to type 'number'.\n"
      ),
      agent("I converted `src/util.js` to TypeScript.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      severity: "HIGH",
      gates: { build: "failed" },
      feedback: ["npm run build"]
    }
  },
  {
    id: "failing-build/cargo",
    why: "The crate does not compile after the agent's own edit, and it was asked to build it.",
    events: [
      user("Add a --verbose flag to the CLI and check that it builds."),
      edit("src/main.rs"),
      run(
        "cargo build",
        101,
        'error[E0063]: missing field `verbose` in initializer of `Options`\n  --> src/main.rs:22:15\nerror: could not compile `tool` (bin "tool") due to 1 previous error\n'
      ),
      agent("The `--verbose` flag is in place.")
    ],
    expect: {
      status: "incomplete",
      push: true,
      severity: "HIGH",
      gates: { build: "failed" },
      feedback: ["cargo build"]
    }
  },
  {
    id: "failing-build/cmake",
    why: "The C++ build stops with a compiler error, and nobody ordered it in plain words: it is not done, and the agent is left alone.",
    events: [
      user("Replace the raw pointers in renderer.cpp by unique_ptr and rebuild."),
      edit("src/renderer.cpp"),
      run(
        "cmake --build build",
        2,
        "src/renderer.cpp:88:14: error: use of deleted function 'std::unique_ptr<Mesh>::unique_ptr(const std::unique_ptr<Mesh>&)'\nmake: *** [all] Error 2\n"
      ),
      agent("All raw pointers in `renderer.cpp` are now `std::unique_ptr`.")
    ],
    expect: { status: "incomplete", push: false, gates: { build: "failed" } }
  },
  {
    id: "failing-lint/eslint",
    why: "Lint was asked for and reports an error.",
    events: [
      user("Remove the unused helpers in src/format.ts. Lint must be clean."),
      edit("src/format.ts"),
      run(
        "npx eslint src",
        1,
        "/repo/src/format.ts\n  3:10  error  'pad' is defined but never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
      ),
      agent("Removed the unused helpers.")
    ],
    expect: { status: "incomplete", push: true, gates: { lint: "failed" }, feedback: ["eslint"] }
  },
  {
    id: "failing-typecheck/mypy",
    why: "The type check was asked for and failed.",
    events: [
      user("Annotate app/models.py and run mypy on it."),
      edit("app/models.py"),
      run("mypy app/models.py", 1, "app/models.py:9: error: Incompatible return value type\nFound 1 error in 1 file\n"),
      agent("Annotated all functions in `app/models.py`.")
    ],
    expect: { status: "incomplete", push: true, gates: { typecheck: "failed" }, feedback: ["mypy"] }
  },
  {
    id: "failing-tests/asked-to-reproduce",
    why: "A failing test was what the user asked for; a red run is the wanted result and the agent says so.",
    events: [
      user("Write a failing test that reproduces issue 88. Do not fix it yet."),
      write("test/issue-88.test.ts"),
      run(
        "npx vitest run test/issue-88.test.ts",
        1,
        " FAIL  test/issue-88.test.ts > keeps the order of equal keys\n\n Tests  1 failed (1)\n"
      ),
      agent(
        "I added `test/issue-88.test.ts`. It fails as expected with the reported order, so it reproduces the issue."
      )
    ],
    expect: { status: ["complete", "abstained"], push: false }
  },
  {
    id: "failing-tests/only-asked-what-fails",
    why: "A question about the failures; running the tests and reporting them red is the answer.",
    events: [
      user("Which tests fail at the moment? Just tell me, don't change anything."),
      run("npm test", 1, "FAIL test/a.test.ts\n  ● adds\n\nTests:       1 failed, 3 passed, 4 total\n"),
      agent("One test fails at the moment: `adds` in `test/a.test.ts`. The other three pass.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  }
]
