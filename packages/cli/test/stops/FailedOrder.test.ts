import { describe, it } from "@effect/vitest"
import { agent, edit, judged, row, run, type Stop, user } from "./judged.ts"

const order = user("Fix the timeout of the network client and make sure the tests pass.")

const failure = (test: string, message = "expected 1 to be 2"): string =>
  ` FAIL  test/client.test.ts > ${test}\nAssertionError: ${message}\n\n Tests  1 failed | 3 passed (4)`

const red = run("npm test", 1, "1 failed, 3 passed")

const nudged = { status: "incomplete", nudge: true, severity: "HIGH", gates: { tests: "failed" } } as const

const left = { status: "incomplete", nudge: false, gates: { tests: "failed" } } as const

/** What an agent may say of a failure, or of the work, while an ordered check fails. */
const sayings = [
  "I fixed the timeout of the network client. Done.",
  "The key is read from the environment now.",
  "I fixed the sandbox setup.",
  "Done. The failing test is flaky, so I skipped it.",
  "Done. The one failure is pre-existing.",
  "Done. The failing test is unrelated to my change.",
  "Fixed. That test was already failing.",
  "Fixed. It fails on main as well.",
  "Fixed. The failure is not caused by my changes.",
  "Fixed. It fails with and without my change.",
  "Fixed. The test failed before I changed anything.",
  "Fixed. It also fails on a clean checkout.",
  "Fixed. The test is expected to fail here.",
  "Fixed. The failure is a known issue of the CI machine.",
  "Fixed. Someone else's test is red; the code of the client is right.",
  "Fixed. The tests still fail."
]

describe("an ordered check that fails", () => {
  it.effect(
    "is excused by no word of the agent's",
    judged(
      sayings.map((text, index): Stop =>
        row(`saying-${index}`, nudged, [order, edit("src/client.js"), red, agent(text)])
      )
    )
  )

  const said = agent("I fixed the timeout. The failing test failed before as well.")
  const before = (output: string, after: string, command = "npm test"): ReadonlyArray<Record<string, unknown>> => [
    order,
    run(command, 1, output),
    edit("src/client.js"),
    run(command, 1, after),
    said
  ]

  it.effect(
    "is excused by the same failure on record before the first edit, and by no other",
    judged([
      row("same-name", left, before(failure("waits"), failure("waits"))),
      row("same-name-other-words", left, before(failure("waits"), failure("waits", "3 is not 4"))),
      row("same-without-names", left, before("1 failed, 3 passed in 1.2s", "1 failed, 3 passed in 1.4s")),
      row("same-again-and-again", left, [
        order,
        run("npm test", 1, failure("waits")),
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        said
      ]),
      row("other-name", nudged, before(failure("waits"), failure("ends"))),
      row("more", nudged, before("1 failed, 3 passed", "2 failed, 2 passed")),
      row("one-more", nudged, before(failure("waits"), `${failure("waits")}\n FAIL  test/client.test.ts > ends`)),
      row(
        "other-error-without-names",
        nudged,
        before("Error: cannot find module 'a'", "Error: cannot find module 'b'")
      ),
      row("passed-before", nudged, [order, run("npm test", 0, "4 passed"), edit("src/client.js"), red, said]),
      row("failed-between-two-edits", nudged, [
        order,
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        said
      ]),
      row("broken-before-the-user-said-go-on", nudged, [
        order,
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        agent("Shall I go on?"),
        user("continue"),
        run("npm test", 1, failure("waits")),
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        said
      ]),
      row("to-be-fixed", nudged, [
        user("Fix the failing test of the client."),
        run("npm test", 1, failure("waits")),
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        said
      ]),
      ...["Make the tests pass.", "Get the tests green again, they broke after the last merge."].map(
        (text, index): Stop =>
          row(`is-the-task-${index}`, nudged, [
            user(text),
            run("npm test", 1, failure("waits")),
            edit("src/client.js"),
            run("npm test", 1, failure("waits")),
            said
          ])
      ),
      row("without-the-change", left, [
        order,
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        run("git stash && npm test; git stash pop", 0, failure("waits")),
        said
      ]),
      row("otherwise-without-the-change", { nudge: true }, [
        order,
        edit("src/client.js"),
        run("npm test", 1, failure("waits")),
        run("git stash && npm test; git stash pop", 0, failure("ends")),
        said
      ]),
      row("no-edit", nudged, [order, run("npm test", 1, failure("waits")), run("npm test", 1, failure("waits")), said]),
      row("build", { status: "incomplete", nudge: false, gates: { build: "failed" } }, [
        user("Rename the client and make sure that the build works."),
        run("npm run build", 2, "src/client.ts(3,1): error TS2304: Cannot find name 'x'."),
        edit("src/client.ts"),
        run("npm run build", 2, "src/client.ts(3,1): error TS2304: Cannot find name 'x'."),
        agent("Renamed. The build failed in the same way before.")
      ]),
      row("build-otherwise", { status: "incomplete", nudge: true, gates: { build: "failed" } }, [
        user("Rename the client and make sure that the build works."),
        run("npm run build", 2, "src/client.ts(3,1): error TS2304: Cannot find name 'x'."),
        edit("src/client.ts"),
        run("npm run build", 2, "src/main.ts(3,1): error TS2304: Cannot find name 'y'."),
        agent("Renamed. The build failed in the same way before.")
      ])
    ])
  )
})
