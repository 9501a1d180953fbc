import { agent, type Case, edit, type Expectation, run, todos, user } from "../case/Case.ts"

const quiet: Expectation = { status: ["complete", "abstained"], push: false }

const red = run("npm test", 1, "  ● rounds down\n\nTests:       2 failed, 30 passed, 32 total\n")
const green = run("npm test", 0, "Tests:       32 passed, 32 total\n")

/** What comes after the work: edits taken back, reports that were all that was wanted, checks run by others, half done lists. */
export const aftermath: ReadonlyArray<Case> = [
  {
    id: "aftermath/tried-and-reverted",
    why: "The attempt broke the tests and was taken back, as told; nothing of it is left to be mended.",
    events: [
      user("Try moving the rounding into the tax module. If the tests break, just revert it."),
      edit("src/tax.ts", "return a", "return round(a)"),
      red,
      run("git checkout -- src/tax.ts", 0),
      agent("The move breaks two rounding tests, so I reverted it. The working tree is as before.")
    ],
    expect: quiet
  },
  {
    id: "aftermath/reset-hard",
    why: "A hard reset throws every edit away, however many there were.",
    events: [
      user("Experiment with a lazy cache in src/cache.ts and throw it away if it doesn't help."),
      edit("src/cache.ts", "get(k)", "lazy(k)"),
      red,
      run("git reset --hard", 0, "HEAD is now at 1234567 Add cache\n"),
      agent("The lazy cache failed two tests and brought nothing, so I threw it away.")
    ],
    expect: quiet
  },
  {
    id: "aftermath/tested-then-reverted",
    why: "The tests passed with the fix in place, and then the fix itself was taken back: the pass proves nothing any more.",
    events: [
      user("Fix the rounding in src/tax.ts and run the tests."),
      edit("src/tax.ts", "return a", "return round(a)"),
      green,
      run("git restore src/tax.ts", 0),
      agent("The rounding is fixed and all tests pass.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "stale" } }
  },
  {
    id: "aftermath/stashed-to-compare",
    why: "The edits were only put aside for a look at the old state; the failing test is the old code's.",
    events: [
      user("Fix the rounding in src/tax.ts and run the tests."),
      edit("src/tax.ts", "return a", "return round(a)"),
      run("git stash && npm test; git stash pop", 0, "Tests:       2 failed, 30 passed, 32 total\n"),
      green,
      agent("Before my change two tests failed, now all 32 pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" } }
  },
  ...[
    "Run the tests and report back.",
    "Just run the tests. Don't fix anything.",
    "run npm test and paste the output"
  ].map((text, index): Case => ({
    id: `aftermath/report-only/${index + 1}`,
    why: "Running was the task and red is its answer; an offer to look into it is an extra.",
    events: [user(text), red, agent("2 of 32 tests fail: `rounds down` and `rounds up`. Shall I look into it?")],
    expect: { status: ["complete", "waiting_for_user"], push: false }
  })),
  {
    id: "aftermath/list-the-warnings",
    why: "The findings were to be listed, not mended.",
    events: [
      user("Run `cargo clippy` and list the warnings."),
      run(
        "cargo clippy",
        101,
        "warning: unused variable: `x`\nerror: could not compile `shop` due to 1 previous error\n"
      ),
      agent("Clippy reports one unused variable (`x` in `src/cart.rs`) and stops at one error in the same file.")
    ],
    expect: quiet
  },
  {
    id: "aftermath/commit-hook-ran-the-linter",
    why: "The linter ran in the commit's hook, after the last edit, and the commit went through.",
    events: [
      user("Fix the eslint warnings in src/api and commit."),
      run("npx eslint src/api", 1, "✖ 3 problems (3 errors, 0 warnings)\n"),
      edit("src/api/users.ts", "let a", "const a"),
      run(
        "git add -A && git commit -m 'Mend lint'",
        0,
        "husky - running pre-commit\n> eslint --max-warnings 0 .\n[main 1234567] Mend lint\n"
      ),
      agent("The warnings are fixed and committed.")
    ],
    expect: { status: "complete", push: false, gates: { lint: "passed" } }
  },
  {
    id: "aftermath/user-runs-it",
    why: "The user keeps the run to themselves: asking for its result hands nothing over.",
    events: [
      user("I'll run the tests myself. Just make the change in src/tax.ts: round half up."),
      edit("src/tax.ts", "floor(a)", "round(a)"),
      agent("Done: `tax` rounds half up. Please run the tests on your side, and tell me if something fails.")
    ],
    expect: quiet
  },
  ...["please commit and push, thanks", "Commit & push please.", "looks good, commit and push now"].map(
    (text, index): Case => ({
      id: `aftermath/commit-and-push/${index + 1}`,
      why: "Both were asked for, however politely; only the commit happened.",
      events: [
        user(text),
        run("git commit -am 'Round half up'", 0, "[fix 1234567] Round half up\n"),
        agent("Committed as `1234567`.")
      ],
      expect: { status: "incomplete", push: true, gates: { push: "missing" } }
    })
  ),
  {
    id: "aftermath/one-file-of-two",
    why: "Two files failed, one was run again: the other still counts as failed.",
    events: [
      user("Get the whole test suite green."),
      run(
        "pytest",
        1,
        "FAILED tests/test_tax.py::test_one\nFAILED tests/test_cart.py::test_two\n2 failed, 40 passed in 3s\n"
      ),
      edit("app/tax.py", "a = 1", "a = 2"),
      run("pytest tests/test_tax.py", 0, "5 passed in 0.2s\n"),
      agent("All tests pass now.")
    ],
    expect: { status: "incomplete", push: true, feedback: ["test_two"] }
  },
  {
    id: "aftermath/told-not-ticked",
    why: "The last todo is to report, and the final text does.",
    events: [
      user("Rename `total` to `sum` in the API and the docs."),
      todos("[x] Rename in the API", "[x] Rename in the docs", "[ ] Report the result"),
      edit("src/api.ts", "total", "sum"),
      edit("docs/api.md", "total", "sum"),
      run("grep -rnw total src docs", 1),
      agent("Renamed `total` to `sum` in the API and in the docs; there are no other uses.")
    ],
    expect: quiet
  }
]
