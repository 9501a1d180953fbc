import { describe, it } from "@effect/vitest"
import { agent, edit, type Event, judged, row, run, type Stop, tool, user, type Wanted } from "./judged.ts"

const order = user("Fix the rounding in the cart, then commit and push.")
const commit = (message = "x"): Event =>
  run(`git commit -am ${message}`, 0, `[fix 1a2b3c4] ${message}\n 1 file changed`)
const push = run("git push", 0, "   1a2b3c4..2b3c4d5 fix -> fix")
const begun = [edit("cart.js"), commit(), push]
const more = edit("tax.js")
const end = agent("Done.")

const lacks = (gate: "commit" | "push", words: string): Wanted => ({
  status: "incomplete",
  nudge: true,
  gates: { [gate]: "stale" },
  feedback: [words]
})
const done: Wanted = { status: "complete", nudge: false }

const stops = (wanted: Wanted, rows: Readonly<Record<string, ReadonlyArray<Event>>>): ReadonlyArray<Stop> =>
  Object.entries(rows).map(([name, events]) => row(name, wanted, [...events, end]))

describe("an ordered commit and push", () => {
  it.effect(
    "lacks code that was edited since",
    judged(
      stops(lacks("commit", "The commit came before the last edit (tax.js), which is in no commit"), {
        "edit-since": [order, ...begun, more],
        "only-commit-ordered": [user("Fix the rounding in the cart and commit."), edit("cart.js"), commit(), more],
        "by-the-shell": [order, ...begun, run("sed -i s/a/b/ tax.js", 0)],
        "with-words-behind": [
          user("Fix the rounding, run the tests, commit and push. Don't touch the config."),
          ...begun,
          more,
          run("npm test", 0, "12 passed")
        ]
      })
    )
  )

  it.effect(
    "lacks a commit made since the push",
    judged(
      stops(lacks("push", "The push came before the last commit, which was not pushed"), {
        "commit-since": [order, ...begun, more, commit("y")],
        "amended-since": [
          order,
          ...begun,
          more,
          run("git commit --amend --no-edit", 0, "[fix 3c4d5e6] x\n 1 file changed")
        ],
        "after-the-pull-request": [
          user("Fix the rounding, commit, push and open a PR."),
          ...begun,
          run("gh pr create --fill", 0, "https://github.com/shop/cart/pull/1"),
          more,
          commit("y")
        ]
      })
    )
  )

  it.effect(
    "lacks nothing that is not to be handed over",
    judged(
      stops(done, {
        "all-of-it": [order, ...begun, more, commit("y"), push],
        "beside-the-project": [order, ...begun, edit("/elsewhere/b.js"), edit("/tmp/b.js"), edit(".reflection/b.json")],
        notes: [order, ...begun, edit("NOTES.md")],
        "taken-back": [order, ...begun, edit("tax.js", "a()", "b()"), edit("tax.js", "b()", "a()")],
        "thrown-away": [order, ...begun, more, run("npm test", 0, "12 passed"), run("git checkout -- tax.js", 0)],
        "scratch-file": [order, ...begun, edit("scratch.js"), run("rm scratch.js", 0)],
        "ignored-file": [
          order,
          ...begun,
          more,
          run("git status", 0, "On branch fix\nnothing to commit, working tree clean")
        ],
        formatted: [order, ...begun, run("npx prettier --write .", 0, "cart.js 20ms")],
        "by-a-subagent": [order, ...begun, more, tool("Task", { prompt: "Commit it." }, { output: "Committed." })],
        "another-task": [order, ...begun, end, user("Now rename a to b in the tax."), more],
        "more-of-it": [order, ...begun, agent("Done. Shall I tidy the tax as well?"), user("yes"), more],
        "asked-in-between": [{ ...order, turn: 0 }, ...begun, { ...user("Also rename a to b."), turn: 0 }, more],
        "committed-first": [user("Commit what is there, then fix the rounding."), commit(), more],
        "one-after-the-other": [
          user("Fix the rounding, commit, and then fix the tax."),
          edit("cart.js"),
          commit(),
          more
        ],
        "pull-request-takes-it": [
          user("Fix the rounding, commit, push and open a PR."),
          ...begun,
          more,
          commit("y"),
          run("gh pr create --fill", 0, "https://github.com/shop/cart/pull/1")
        ]
      })
    )
  )

  it.effect(
    "lacks nothing that git does not take along, or that has nothing in it",
    judged([
      ...stops(done, {
        dotenv: [order, ...begun, edit(".env.local"), edit("config/.env.test")],
        built: [order, ...begun, edit("dist/cart.js"), edit("packages/web/build/index.js")],
        "empty-commit": [
          order,
          ...begun,
          run("git switch -c trial && git commit --allow-empty -m trial", 0, "[trial 7f6e5d4] trial")
        ]
      }),
      {
        name: "in-gitignore",
        project: { ".gitignore": "# made\n/gen/\n*.local.js\n!keep.local.js\n" },
        events: [order, ...begun, edit("gen/api.js"), edit("web/my.local.js"), end],
        wanted: done
      },
      {
        name: "taken-back-in-gitignore",
        project: { ".gitignore": "/gen/\n*.local.js\n!keep.local.js\n" },
        events: [order, ...begun, edit("keep.local.js"), end],
        wanted: { status: "incomplete", nudge: true, gates: { commit: "stale" } }
      }
    ])
  )

  const tidy = "On branch main\nYour branch is up to date with 'origin/main'.\n\nnothing to commit, working tree clean"
  const handOver = user("Commit and push.")
  const nothing = agent("There is nothing to commit or push.")

  it.effect(
    "is there by git's own word",
    judged([
      ...stops(
        { status: "complete", nudge: false, gates: { commit: "passed" } },
        {
          "by-commitizen": [
            user("Fix the rounding in the cart and commit."),
            edit("cart.js"),
            run("git cz", 0, "[main 3f2a1bc] fix: rounding\n 1 file changed, 1 insertion(+)")
          ],
          "by-a-script": [
            user("Fix the rounding in the cart and commit."),
            edit("cart.js"),
            run("./save.sh", 0, "[main 3f2a1bc] fix: rounding\n 1 file changed, 1 insertion(+)")
          ]
        }
      ),
      row("clean", { status: "complete", nudge: false, gates: { commit: "passed", push: "passed" } }, [
        handOver,
        run("git status", 0, tidy),
        nothing
      ]),
      row("clean-in-short", { status: "complete", nudge: false, gates: { commit: "passed", push: "passed" } }, [
        handOver,
        run("git status --porcelain", 0, ""),
        run("git log origin/main..HEAD --oneline", 0, ""),
        nothing
      ]),
      row(
        "clean-before-the-work",
        { status: "incomplete", nudge: true, gates: { commit: "missing", push: "missing" } },
        [order, run("git status", 0, tidy), edit("cart.js"), end]
      )
    ])
  )
})
