/** Checks and deliveries that a task must pass. */
import { agent, edit, run, user } from "../../support/events.ts"
import type { Examples } from "./examples.ts"

const pending = (name: string) => run("gh pr checks", 8, `${name}\tpending\t0\thttps://ci.test/1`)

const pushed = run("git push -u origin fix", 0, "To github.com:shop/shop.git")

const opened = [
  user("Fix the total and open a pull request."),
  edit("src/total.ts"),
  run("git commit -am 'Fix the total' && git push -u origin fix", 0, "[fix 1a2b3c4] Fix the total"),
  run("gh pr create --fill", 0, "https://github.com/shop/shop/pull/12")
]

const order = user("Fix the total and run the tests.")
const change = () => edit("src/total.ts")
const green = () => run("npm test", 0, "Tests: 7 passed, 7 total")
const done = agent("The total is fixed.")

export const gates: Examples<"gates/failing" | "gates/not-run" | "gates/not-delivered"> = {
  "gates/failing": {
    fires: {
      "tests that were to pass": [
        user("Fix the total and make the tests pass."),
        change(),
        run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
        agent("I changed the total.")
      ],
      "a build": [
        user("Fix the import and make sure that the build works."),
        edit("src/index.ts"),
        run("npm run build", 2, "error TS2304"),
        agent("I changed the import.")
      ],
      "a linter": [
        user("Make the linter pass."),
        edit("src/index.ts"),
        run("npx eslint .", 1, "1 problem (1 error, 0 warnings)"),
        agent("I changed the file.")
      ],
      "behind a pipe, by its own word": [
        user("Fix the total. `make check` must stay green."),
        change(),
        run("make check 2>&1 | tail -2", 0, "make: *** [Makefile:3: check] Error 1"),
        agent("I changed the total.")
      ]
    },
    spares: {
      "they pass": [user("Fix the total and make the tests pass."), change(), green(), agent("The tests pass.")],
      "behind a pipe, where something else may have said it": [
        user("Fix the total. `make check` must stay green."),
        change(),
        run("make docs; make check 2>&1 | tail -2", 0, "make: *** [Makefile:9: docs] Error 1"),
        agent("I changed the total.")
      ],
      "they failed before the last edit": [
        user("Fix the total and make the tests pass."),
        run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
        change(),
        agent("I changed the total.")
      ],
      "to be run and reported only": [
        user("Run the tests and tell me what fails. Don't change anything."),
        run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
        agent("One test fails: the total of an empty list.")
      ],
      "the agent ran it by itself": [
        user("Fix the total."),
        change(),
        run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
        agent("The total is right now.")
      ],
      "a type check": [
        user("Fix the total."),
        change(),
        run("npx tsc --noEmit", 2, "src/total.ts(3,1): error TS2304: Cannot find name 'x'."),
        agent("The total is right now.")
      ],
      "a build of its own": [
        user("Rename `Cart`."),
        edit("src/cart.ts"),
        run("npm run build", 1, "Build failed"),
        agent("It is renamed.")
      ]
    }
  },
  "gates/not-run": {
    fires: {
      "the tests": [order, change(), done],
      "a build": [user("Fix the total and run `npm run build`."), change(), done],
      "before it is done": [
        user("Rename `Cart` to `Basket`, and run the type check before you are done."),
        edit("src/cart.ts"),
        agent("It is renamed.")
      ],
      "one more edit": [order, change(), green(), change(), done],
      "it was red, and something was fixed": [
        order,
        change(),
        run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
        change(),
        agent("The total is fixed now.")
      ],
      "the build, of another file": [
        user("Rename `Cart` and run `npm run build`."),
        edit("src/cart.ts"),
        run("npm run build", 0, "built in 3 s"),
        edit("src/order.ts"),
        agent("It is renamed.")
      ]
    },
    tells: {
      "a type check in place of the build": [
        user("Fix the total and run the build."),
        change(),
        run("npx tsc --noEmit", 0),
        agent("The total is right now.")
      ],
      "a build in place of the type check": [
        user("Fix the total and run the type checker."),
        change(),
        run("npm run build", 0),
        agent("The total is right now.")
      ],
      "a failing run that was pasted": [
        user("Fix the total.\n\n--- FAIL: TestTotal (0.00s)"),
        change(),
        agent("The total is right now.")
      ]
    },
    spares: {
      "they were run": [order, change(), green(), done],
      "something ran that nobody knows": [order, change(), run("./ci.sh", 0, ""), done],
      "nobody asked for them": [user("Fix the total."), change(), done],
      "run after it": [order, change(), green(), done],
      "something ran that nobody knows 2": [order, green(), change(), run("./ci.sh", 0, ""), done],
      "nobody asked for it": [user("Fix the total."), green(), change(), done]
    }
  },
  "gates/not-delivered": {
    fires: {
      "a commit": [user("Fix the total and commit it."), change(), done],
      "a push": [
        user("Fix the total, commit and push."),
        change(),
        run("git commit -am 'Fix the total'", 0, "[main 1a2b3c4] Fix the total"),
        agent("The total is fixed and committed.")
      ],
      "a pull request": [
        user("Fix the total and open a PR."),
        change(),
        run("git push -u origin fix-total", 0, "branch 'fix-total' set up to track 'origin/fix-total'"),
        agent("The total is fixed and pushed.")
      ],
      "a pull request without the last edit": [...opened, change(), agent("The total is fixed, and the PR is open.")],
      "a pull request without the last commit": [
        ...opened,
        change(),
        run("git commit -am 'Round it'", 0, "[fix 2b3c4d5] Round it"),
        agent("The total is fixed, and the PR is open.")
      ]
    },
    tells: {
      "green was ordered": [
        user("Fix the total, push it and make sure CI is green."),
        change(),
        pushed,
        pending("build"),
        agent("Pushed. CI is running.")
      ],
      "it was to be waited for": [
        user("Push the branch and wait until CI passes."),
        change(),
        pushed,
        pending("test"),
        agent("The branch is pushed, the checks look fine so far.")
      ],
      "it is called green": [
        user("Push the branch and make sure CI passes."),
        change(),
        pushed,
        pending("lint"),
        agent("Pushed, and CI is green.")
      ]
    },
    spares: {
      "it happened": [
        user("Fix the total and commit it."),
        change(),
        run("git commit -am 'Fix the total'", 0, "[main 1a2b3c4] Fix the total"),
        agent("Fixed and committed.")
      ],
      "nothing to commit": [
        user("Commit what is left."),
        run("git status", 0, "nothing to commit, working tree clean"),
        agent("The tree is clean; there was nothing to commit.")
      ],
      "nobody asked for it": [user("Fix the total."), change(), done],
      "what came after the pull request was pushed": [
        ...opened,
        change(),
        run("git commit -am 'Round it' && git push", 0, "[fix 2b3c4d5] Round it\n   1a2b3c4..2b3c4d5  fix -> fix"),
        agent("The total is fixed, and the PR is open.")
      ],
      "what came after the pull request is no code": [...opened, edit("/tmp/notes.md"), agent("The PR is open.")],
      "it finished": [
        user("Push the branch and make sure CI passes."),
        change(),
        pushed,
        pending("test"),
        run("gh pr checks", 0, "test\tpass\t1m\thttps://ci.test/1"),
        agent("Pushed, and CI is green.")
      ],
      "nobody asked": [
        user("Fix the total and push it."),
        change(),
        pushed,
        pending("test"),
        agent("Pushed. CI is running.")
      ],
      "it failed": [
        user("Push the branch and make sure CI passes."),
        change(),
        pushed,
        run("gh pr checks", 1, "test\tfail\t1m\thttps://ci.test/1"),
        agent("Pushed. The test job fails.")
      ]
    }
  }
}
