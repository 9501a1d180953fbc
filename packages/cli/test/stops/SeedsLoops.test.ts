/**
 * What the project's first documents ask for of looks without work, of the same call again and again, and of a turn that
 * breaks off or lists what is left: a session for each point.
 */
import { assert, describe, it } from "@effect/vitest"
import { agent, edit, type Event, judged, row, run, type Stop, todos, tool, user, type Wanted } from "./judged.ts"
import { attended, breaksOff, done, isAsked, open, nudged, read, reads, stop, timed, undecided } from "./seedStops.ts"

const order = user("Add a search by tag to the notes module.")
const looks = [
  "git status",
  "git log -3",
  "git diff",
  "git branch",
  "git show HEAD",
  "git status",
  "ls -la",
  "cat notes/tags.ts",
  "rg tag",
  "git status"
].map((command) => run(command, 0, "notes"))
const change = edit("notes/search.ts", "byTitle", "byTag")

/** Nobody is sent on by words alone; whether all is called done is a guess about them. */
const quiet: Wanted = { status: ["abstained", "complete", "incomplete"], nudge: false }

const planning: Wanted = { status: "stuck", nudge: false, finds: ["loops/planning"] }

const otherwise: Wanted = { status: "stuck", nudge: true, finds: ["loops/repeat"] }

describe("looks without work", () => {
  it.effect(
    "are no loop where they are few, and no work",
    judged([
      stop("seven reads", undecided, [order, ...reads(7), agent("I have read the module.")]),
      stop("eight reads", { nudge: false, status: ["abstained", "stuck"] }, [
        order,
        ...reads(8),
        agent("I have read the module.")
      ]),
      stop("twelve reads and two looks at git", { status: ["abstained", "stuck"] }, [
        order,
        ...reads(5),
        run("git log --oneline", 0, "a1 x"),
        ...reads(5),
        run("git diff", 0, ""),
        agent("I understand the module now.")
      ]),
      stop("twelve reads and an edit", { nudge: false }, [
        order,
        ...reads(6),
        change,
        ...reads(6),
        agent("I understand the module.")
      ])
    ])
  )

  it.effect(
    "are told to the user, with somebody there or nobody, where the turn ends silent or the agent's own list says that more was to come",
    judged([
      stop("twelve reads and silence", planning, timed(order, ...reads(12))),
      stop(
        "looks at git among them, and silence",
        planning,
        timed(order, ...reads(6), run("git status", 0, "clean"), ...reads(6))
      ),
      stop("looks at git alone, and silence", planning, timed(order, ...looks)),
      stop("twelve reads, one edit, and silence", planning, timed(order, ...reads(6), change, ...reads(6))),
      stop("looks at git, an open list and a closing sentence", planning, [
        order,
        ...looks,
        todos("[>] Look", "[ ] Write"),
        agent("I understand the module now. I have a plan.")
      ]),
      stop("twelve reads, an open list and what comes next", planning, [
        order,
        ...reads(12),
        todos("[x] Look", "[ ] Write"),
        agent("I have the whole picture and will write the search next.")
      ])
    ])
  )
})

const migrate = (exitCode = 1): Event => run("./migrate.sh", exitCode, "Error: connection refused")
const migration = user("Bring the database up to date with ./migrate.sh.")
const red = run("npm test", 1, "FAIL notes/search.test.ts\n1 failed, 3 passed")

describe("the same call again and again", () => {
  it.effect(
    "is told, and a failing check that was ordered is sent back",
    judged([
      stop("three that work", { ...done, spares: ["loops/repeat", "loops/repeat"] }, [
        migration,
        migrate(0),
        migrate(0),
        migrate(0),
        agent("The database is up to date.")
      ]),
      stop("every second call is a look", open, [
        migration,
        ...[1, 2, 3].flatMap(() => [migrate(), read("notes/db.ts")]),
        agent("It fails.")
      ]),
      ...["Fixed.", "The test still fails.", "I'm stuck."].flatMap((text, at) =>
        [1, 2].map((count) =>
          stop(`the test failed ${count} times, answer ${at}`, { ...nudged, gates: { tests: "failed" } }, [
            user("Fix the failing test and run npm test."),
            change,
            ...Array.from({ length: count }, () => red),
            agent(text)
          ])
        )
      ),
      ...["Fixed.", "I'm stuck.", "I'm stuck: whatever I try, this test fails."].flatMap((text, at) =>
        [3, 4].map((count): Stop =>
          row(
            `another way after ${count} times, answer ${at}`,
            { status: "stuck", nudge: true, feedback: ["different approach"] },
            [
              user("Fix the failing test and run npm test."),
              change,
              ...Array.from({ length: count }, () => red),
              agent(text)
            ]
          )
        )
      ),
      stop("the test fails and the agent says so", nudged, [
        user("Make npm test pass."),
        change,
        red,
        red,
        red,
        agent("Still failing.")
      ]),
      row("six failing runs of the test", { status: "stuck", nudge: true }, [
        user("Fix the failing test."),
        ...[1, 2, 3, 4, 5, 6].map(() => red),
        agent("The tests still fail.")
      ])
    ])
  )
})

describe("work that fails again and again", () => {
  it.effect(
    "is to be done in another way, with somebody there or nobody",
    judged([
      stop("a deployment that failed six times", otherwise, [
        migration,
        ...[1, 2, 3, 4, 5, 6].map(() => migrate()),
        agent("The migration fails.")
      ]),
      stop("the same, to be fixed", otherwise, [
        user("Fix the migration so that it works."),
        ...[1, 2, 3, 4, 5, 6].map(() => migrate()),
        agent("The migration fails.")
      ]),
      stop("three times, to be fixed", otherwise, [
        user("Fix the failing migration."),
        migrate(),
        migrate(),
        migrate(),
        agent("The migration does not work.")
      ])
    ])
  )
})

describe("the agent's own list", () => {
  it.effect(
    "keeps a task from being called done while an item is open",
    judged([
      stop("an item is open", { status: "abstained", nudge: false }, [
        user("Correct the order of the notes and add a test."),
        todos("[x] Correct the order", "[>] Add a test"),
        change,
        agent("The order is right now.")
      ])
    ])
  )
})

describe("a turn that has not ended, or broke off", () => {
  it.effect(
    "is judged by what the host says",
    judged([
      stop("an installation runs", { status: "working", nudge: false }, [
        user("Install the packages."),
        tool("bash", { command: "npm install" }, { status: "running" })
      ]),
      stop("a build runs", { status: "working", nudge: false }, [
        user("Build it."),
        tool("bash", { command: "npm run build" }, { status: "running" })
      ]),
      stop(
        "cut off by the host's word",
        { ...nudged, finds: ["host/cut-off"] },
        timed(order, change, { ...agent("Now I will wire the list so that the ta"), completed: false })
      ),
      stop("steps listed and cut off by the host's word", nudged, [
        order,
        change,
        {
          ...agent("The index is there.\n\nNext steps:\n1. Wire it into the list\n2. Add tests"),
          completed: false
        }
      ]),
      stop("no answer at all", { nudge: true, finds: ["host/cut-off"] }, timed(order)),
      stop("few words and no work", undecided, timed(order, { ...agent("I looked at it."), outputTokens: 5 }))
    ])
  )
})

/** Judged as it is today; the comment says what the documents ask for. */
const later: ReadonlyArray<Stop> = [
  stop(
    "twelve reads and a plan",
    undecided,
    timed(order, ...reads(12), agent("My plan:\n1. Add byTag()\n2. Wire it into the list\n3. Add tests"))
  ),
  // Whether a sentence behind many looks is an answer a model reads.
  stop("twelve reads and a closing sentence", undecided, [order, ...reads(12), agent("I understand the module now.")]),
  stop("twelve reads and what would come next", undecided, [
    order,
    ...reads(12),
    agent("The tags live in notes/part3.ts. Next I would look at the index.")
  ]),
  attended("twelve reads and the next look", undecided, [order, ...reads(12), agent("Next I will look at the index.")]),
  // An agent that says itself that it fails: whether it tried enough a model reads.
  stop("three of three, and told", open, [migration, migrate(), migrate(), migrate(), agent("It fails.")]),
  stop("three of four, and told", open, [migration, migrate(), read("a.ts"), migrate(), migrate(), agent("It fails.")]),
  stop("three of five, and told", open, [
    migration,
    migrate(),
    read("a.ts"),
    migrate(),
    read("b.ts"),
    migrate(),
    agent("It fails.")
  ]),
  // Torn where the host says nothing: a model is asked, and the agent is sent on.
  ...[
    "Now I will wire the list so that the ta",
    "The tags are read in search.ts and then the list is passed to the",
    "Let me now",
    "```ts\nexport const byTag = (a",
    "The work has two parts: first the index in `tags`, and second the",
    "I changed the index. The list must also use",
    "I changed search.ts,"
  ].flatMap((text, index): ReadonlyArray<Stop> =>
    [agent(text), breaksOff(text)].map((last, at) =>
      attended(`torn ${index}, ${at === 0 ? "ended" : "no word of the host"}`, quiet, timed(order, change, last))
    )
  ),
  attended("torn, without times", quiet, [order, change, breaksOff("Now I will wire the list so that the ta")]),
  // What the agent lists as next was ordered: it is not done.
  ...[
    "The index is there.\n\n## Next Steps\n1. Wire it into the list\n2. Add tests",
    "I added the index to tags.ts.\n\nNext steps:\n- Wire it into the list\n- Add tests",
    "Index added. Next Steps: wire it into the list, then add tests.",
    "The index is there.\n\n**Next Steps**\n- [ ] Wire it into the list\n- [ ] Add tests",
    "Remaining work:\n1. Wire the index into the list\n2. Add tests"
  ].map((text, index) =>
    attended(
      `what is next ${index}`,
      quiet,
      timed(user("Index the tags, wire the index into the list and add tests."), change, agent(text))
    )
  )
]

describe("what is judged otherwise than asked for", () => {
  it.effect("stands as it does today", judged(later))

  it("has a model asked", () =>
    assert.deepStrictEqual(
      later.filter((one) => !isAsked(one)).map(({ name }) => name),
      []
    ))
})
