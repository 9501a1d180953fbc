/**
 * What the project's first documents ask for of the types of tasks, and of their own examples of whole tasks, finished or
 * compacted in the middle: a session for each.
 */
import { assert, describe, it } from "@effect/vitest"
import { agent, edit, judged, run, type Stop, tool, user, type Wanted } from "./judged.ts"
import { attended, complete, done, isAsked, nudged, read, reads, stop, undecided } from "./seedStops.ts"

const change = edit("notes/search.ts", "byTitle", "byTag")
const asked: Wanted = { nudge: false, spares: ["loops/planning"] }

describe("the type of a task", () => {
  it.effect(
    "is read from the order, and only code has checks to pass",
    judged([
      stop("docs", { ...done, task: "docs" }, [
        user("Add a section on upgrading to the README."),
        edit("README.md", "## Use", "## Upgrade"),
        agent("Added.")
      ]),
      stop("operations", { ...done, task: "ops" }, [
        user("Deploy the worker to the test cluster and restart its pods."),
        run("kubectl rollout restart deploy/worker", 0, "restarted"),
        agent("Deployed.")
      ]),
      stop("operations by one command", { ...done, task: "ops" }, [
        user("Deploy the worker to production."),
        run("kubectl apply -f worker.yaml", 0, "configured"),
        agent("Deployed.")
      ]),
      stop("research", { ...done, task: "research" }, [
        user("Why does the interest drift over the years? Explain."),
        read("ledger/interest.py"),
        agent("Because the rate is multiplied.")
      ]),
      stop("a comparison", { ...done, task: "research" }, [
        user("Research which decimal libraries there are and compare them."),
        tool("webfetch", { url: "https://pypi.example" }, { output: "x" }),
        agent("Two are alive: decimal and mpmath.")
      ]),
      stop("a greeting", { ...done, task: "other" }, [user("Good morning"), agent("Good morning.")]),
      stop("nothing was done for a task in code", { nudge: false, task: "coding" }, [
        user("Correct the yearly interest in interest.py."),
        read("ledger/interest.py"),
        agent("The rate is multiplied in interest.py.")
      ]),
      stop("a plan, in plan mode", asked, [
        { type: "mode_change", mode: "plan" },
        user("Make a plan for the leap years."),
        agent("Plan: 1. Change interest.py")
      ]),
      stop("a plan, in words", asked, [
        user("Only plan it, do not implement it: how would you add leap years?"),
        read("ledger/interest.py"),
        agent("Plan: 1. Change interest.py\n2. Run the tests")
      ]),
      stop("a plan, and nothing yet", asked, [
        user("Write me a plan for leap years. Do not implement anything yet."),
        read("ledger/interest.py"),
        agent("Plan:\n1. Add leap_year()\n2. Add tests")
      ]),
      stop("a plan after many looks", asked, [
        user("Make a plan for leap years."),
        ...reads(12),
        agent("Plan:\n1. Add leap_year()\n2. Add tests")
      ])
    ])
  )
})

const compacted = ({ events = [], ...stop }: Stop): Stop => ({
  ...stop,
  events: [...events, { type: "notice", kind: "compacted" }]
})

describe("a context that was compacted", () => {
  it.effect(
    "takes no order and no proof away",
    judged(
      [
        stop("work that was shown and finished", { nudge: false, contradicted: false }, [
          user("Put a favicon on the site"),
          tool("write", { file_path: "web/icon.svg", content: "x" }, { output: "ok" }),
          edit("web/index.html", "<head>", "<head><link>"),
          agent(
            "The site has a favicon now:\n\n1. icon.svg in web\n2. A link in index.html\n\nIt shows in the browser tab!"
          )
        ]),
        stop("the pull request was opened and merged", done, [
          user("Open a PR for the bug fix"),
          run("gh pr create --fill", 0, "https://github.com/scribes/notes/pull/57"),
          run("gh pr merge 57", 0, "Merged"),
          agent('The PR is open and merged:\n\nPR #57: "fix: empty tag"\nStatus: Merged ✓')
        ]),
        stop("history was squashed", { nudge: false }, [
          user("Squash the commits of this branch"),
          run("git rebase -i main", 0, "ok"),
          run("git push --force", 0, "ok"),
          agent("15 commits are 3 now:\n\n- rebased onto main\n- force pushed")
        ]),
        stop("a pull request was rebased", { nudge: false }, [
          user("Rebase PR #61 onto the newest main and force-push"),
          run("git fetch origin main", 0, "ok"),
          run("git rebase origin/main", 0, "ok"),
          run("git push --force-with-lease origin tags", 0, "ok"),
          agent("The branch is rebased onto main and force-pushed. CI should run again.")
        ]),
        stop("credentials are the user's", { status: "needs_human", nudge: false }, [
          user("Deploy the site to AWS"),
          run("npx cdk deploy", 1, "Error: Unable to resolve AWS account to use."),
          agent(
            "The deployment needs AWS credentials.\n\nI cannot make these myself and cannot proceed without the user providing AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
          )
        ]),
        stop("lint of a pull request fails by the agent's own word", nudged, [
          user("Fix the lint errors and bring PR #61 to a clean CI"),
          change,
          run("git push", 0, "ok"),
          agent(
            "Most of the lint errors are fixed, CI is still running:\n\n**Still failing:**\n- no-explicit-any in notes/parser.ts line 89\n\nWaiting for CI."
          )
        ]),
        stop("in the middle of flaky tests", nudged, [
          user("Fix the flaky tests of the reminders"),
          change,
          agent(
            "They depend on the clock. I need to:\n1. wait for events\n2. try the database again\n\nWorking on the clock..."
          )
        ]),
        stop("research without an order to build", { nudge: false }, [
          user("Research the best search libraries for Node.js - do not implement anything"),
          tool("webfetch", { url: "https://npm.example" }, { output: "x" }),
          read("package.json"),
          agent(
            "What I found:\n\n1. MiniSearch\n2. Lunr\n3. Orama\n\n**Recommendation:** MiniSearch. Let me know if you'd like more!"
          )
        ]),
        stop("a vague order", { nudge: false }, [
          user("[1] Help with this\n[2] Make it better"),
          change,
          agent("I made some changes that make it faster.")
        ])
      ].map(compacted)
    )
  )
})

const suite = run("npm test", 0, "12 passed")

describe("work of all kinds", () => {
  it.effect(
    "is not pushed where it was done, and not where a model has to look",
    judged([
      stop("a small file", done, [
        user("Make a greet.js that prints 'Good day'"),
        tool("write", { file_path: "greet.js", content: "console.log('Good day')" }, { output: "ok" }),
        agent("greet.js prints 'Good day' when it is run with node greet.js.")
      ]),
      stop("a function renamed everywhere", done, [
        user("Rename 'loadNote' to 'readNote' in the whole code"),
        tool("grep", { pattern: "loadNote" }, { output: "3" }),
        edit("notes/api.ts", "loadNote", "readNote"),
        edit("notes/list.ts", "loadNote", "readNote"),
        edit("test/api.test.ts", "loadNote", "readNote"),
        suite,
        agent("Renamed in all 3 files. The tests pass.")
      ]),
      stop("a README, with more looks than it takes", done, [
        user("Write a README.md that describes the project"),
        ...reads(5),
        run("npm run build", 0, "built"),
        tool("write", { file_path: "README.md", content: "# Notes" }, { output: "ok" }),
        read("README.md"),
        agent("README.md describes the project.")
      ]),
      stop("another file than the one that was named", { nudge: false }, [
        user("Fix the typo in notes/config.ts in line 15"),
        read("notes/config.ts"),
        edit("notes/constants.ts", "teh", "the"),
        agent("The typo in the configuration is fixed.")
      ]),
      stop("nothing was begun", undecided, [
        user("Put a cache before the answers of the service"),
        agent("I cannot build this without more about your architecture.")
      ]),
      stop("an explanation", done, [
        user("Explain how errors are handled in this code"),
        tool("grep", { pattern: "catch" }, { output: "3" }),
        read("notes/errors.ts"),
        agent("Errors are handled in one place:\n1. Classes in notes/errors.ts\n2. A catch in each handler")
      ]),
      stop("a test that was red and is green", done, [
        user("Fix the failing test in test/api.test.ts"),
        run("npm test", 1, "1 failed"),
        edit("notes/api.ts", "a", "b"),
        run("npm test", 1, "1 failed"),
        edit("notes/api.ts", "b", "c"),
        suite,
        agent("The test passes now; the answer had the wrong shape.")
      ]),
      stop("callbacks made promises, checked twice", done, [
        user("Turn the callbacks of the store into async functions"),
        edit("notes/store.ts", "cb", "await"),
        edit("notes/api.ts", "cb", "await"),
        run("npm run typecheck", 0, "ok"),
        suite,
        agent("Done in 2 files. Types and tests pass.")
      ]),
      stop("a package that could not be installed, and told", { nudge: false }, [
        user("Check the input of createNote"),
        tool("write", { file_path: "notes/check.ts", content: "import zod" }, { output: "ok" }),
        edit("notes/api.ts", "note", "checked"),
        run("npm install zod", 1, "ERROR: not in package.json"),
        agent("createNote checks its input. Note: you may have to install zod.")
      ]),
      stop("an ordered pull request is open", nudged, [
        user("Fix the empty tag of issue #42 and create a PR"),
        change,
        run("git checkout -b tag-42", 0, "ok"),
        run("git commit -am fix", 0, "ok"),
        run("git push -u origin tag-42", 0, "ok"),
        agent(
          "Good progress:\n\n1. The tag is checked\n2. The branch is pushed\n\nNext I need to:\n- Add tests\n- Create the PR"
        )
      ])
    ])
  )
})

/** Judged as it is today; the comment says what the documents ask for. */
const later: ReadonlyArray<Stop> = [
  // A service that is restarted is operations, as a deployment is.
  stop("a service restarted", { ...complete, task: "ops" }, [
    user("Restart the queue on the server."),
    run("systemctl restart queue", 0),
    agent("Restarted.")
  ]),
  // By its own words the agent is in the middle of it: a model is asked, and the agent goes on.
  attended("in the middle of a feature with a pull request", complete, [
    user("Build issue #15, the reminders"),
    change,
    run('gh pr create --title "Reminders" --body "x"', 0, "https://github.com/scribes/notes/pull/58"),
    agent("PR #58 is open.\n\nI'm now working on:\n- reminders by mail\n- reminders on the phone")
  ]),
  attended("in the middle of a pipeline", complete, [
    user("Set up the whole CI with tests, lint and deployment"),
    tool("write", { file_path: "ci.yml", content: "x" }, { output: "ok" }),
    agent("Working on the configuration of the pipeline.")
  ]),
  attended("in the middle of a fix, nothing changed yet", undecided, [
    user("Find and fix the leak of issue #123"),
    read("notes/view.tsx"),
    agent("The listeners are not taken away.\n\nWorking on the fix now, in 3 components.")
  ]),
  attended("in the middle of a component", { nudge: false }, [
    user("Put a dark mode into the settings"),
    change,
    agent("The switch is there.\n\nNow I need to wire the theme and add variables.")
  ]),
  attended("in the middle of a list of the agent's", { nudge: false }, [
    user("Move the client from fetch to axios"),
    run("npm install axios", 0, "ok"),
    change,
    agent("In progress:\n\n- [x] Install axios\n- [ ] Move GET\n- [ ] Update tests\n\nWorking on GET now...")
  ]),
  attended("in the middle of two reviews", { nudge: false }, [
    user("Answer the review of PR #58 and of PR #61"),
    run("gh pr view 58", 0, "ok"),
    change,
    run("git push", 0, "ok"),
    agent("The review of PR #58 is answered and pushed. Now moving on to PR #61.")
  ])
].map(compacted)

describe("what is judged otherwise than asked for", () => {
  it.effect("stands as it does today", judged(later))

  it("has a model asked", () =>
    assert.deepStrictEqual(
      later.filter((one) => !isAsked(one)).map(({ name }) => name),
      []
    ))
})
