/** The situations in which reflexion's checks must give the right result. */
import { edit, say, shell } from "../contract/HostContract.ts"
import * as Shops from "./shops.ts"
import { type Action, type ExpectedStop, type Situation, type Stop, user, write } from "./Situation.ts"

const { broken, rightly, wrongly, ...node } = Shops.node
const { manifest } = Shops

const task = user("Make b add its second number first.")
const done = say("I changed the order in b.")

const once = (deeds: ReadonlyArray<Action>, expected: ExpectedStop, ending?: Stop["ending"]): ReadonlyArray<Stop> => [
  { deeds: [task, ...deeds], expected, ...(ending && { ending }) }
]

/** `quiet`: no nudge. `unrun`: no nudge, and the check does not run. */
const quiet = { nudge: null } as const
const unrun = { nudge: null, runs: 0 } as const

const inShops: ReadonlyArray<Situation> = [Shops.node, Shops.vitest, Shops.pytest].flatMap((shop) => [
  {
    ...shop,
    name: "a test that failed before the task is told to the user once, and nudges nobody",
    project: { ...shop.project, ...shop.broken },
    stops: [
      ...once([shop.rightly, done], { nudge: null, notice: new RegExp(shop.a) }),
      {
        deeds: [user("Swap them back."), edit(shop.rightly.file, shop.rightly.after, shop.rightly.before), done],
        expected: { nudge: null, notice: /failed, as it did before the task/, unnoticed: new RegExp(shop.a) }
      }
    ]
  },
  {
    ...shop,
    name: "of the tests that fail those are nudged that passed before the task",
    project: { ...shop.project, ...shop.broken },
    stops: once([shop.wrongly, done], { nudge: [shop.b], unsaid: new RegExp(`\\b${shop.a}`) })
  }
])

const scripted = (text: string): Pick<Situation, "check" | "project" | "runner"> => ({
  ...node,
  project: { ...node.project, "package.json": manifest({ test: "sh test.sh" }), "test.sh": text }
})

const lucky = `import { existsSync, writeFileSync } from "node:fs"
import { test } from "node:test"

test("b is lucky", () => {
  const mark = process.env.RUNS + ".lucky"
  if (existsSync(mark)) return
  writeFileSync(mark, "")
  throw new Error("unlucky")
})
`

const loud = `import { test } from "node:test"

test("a is loud", () => {
  const line = "ok, read config: No such file or directory, so the default is taken\\n"
  for (let at = 0; at < 700; at++) process.stdout.write(line.repeat(100))
})
`

const what: ReadonlyArray<Situation> = [
  {
    ...node,
    name: "what the user had broken and not committed before the task nudges nobody",
    dirty: broken,
    stops: once([rightly, done], { nudge: null, runs: 3 })
  },
  {
    ...node,
    name: "what was committed in the task is checked as well",
    stops: once([wrongly, shell("git commit --quiet --all --message=Order"), done], {
      nudge: [node.b, "npm test"],
      runs: 4
    })
  },
  {
    ...node,
    name: "a change of documents alone runs nothing",
    stops: once([write("docs/order.md", "# Order\n"), say("I wrote docs/order.md.")], unrun)
  },
  {
    ...node,
    name: "a green run on record after the last edit is not run again",
    stops: once([rightly, shell("npm test"), done], unrun)
  },
  {
    ...node,
    name: "a run whose status a pipe hides is run again",
    stops: once([rightly, shell("npm test | tail -3"), done], { nudge: null, runs: 1 })
  },
  {
    ...node,
    name: "what a project itself names is not run",
    check: null,
    project: {
      ...node.project,
      ".reflection/config.json": '{ "checks": [{ "name": "tests", "command": "echo ran >> \\"$RUNS\\"" }] }'
    },
    stops: once([wrongly, done], { runs: 0 })
  },
  {
    ...node,
    name: "a check that would rewrite the user's files is not run, and the user is told why",
    project: { ...node.project, "package.json": manifest({ lint: "eslint --fix ." }) },
    check: { name: "lint", command: "npm run lint" },
    stops: once([rightly, done], { runs: 0, notice: /changes the files that it checks/ })
  },
  {
    ...scripted('for file in src/*.js; do printf "// checked\\n" >> "$file"; done\n'),
    fault: "what a script of the project's own writes is not known before it runs",
    name: "a check that writes leaves the user's files as they were",
    stops: once([rightly, done], quiet)
  }
]

const untold: ReadonlyArray<Situation> = [
  {
    ...node,
    name: "a test that passes when it is run again is flaky, on record, and nudges nobody",
    project: { ...node.project, "test/b.test.js": lucky },
    stops: once([rightly, done], { nudge: null, runs: 2, logged: /flaky/ })
  },
  {
    ...scripted('printf "Continue? "\nread -r answer || exit 1\n'),
    name: "a prompt finds no input, and says nothing of the work",
    stops: once([rightly, done], quiet)
  },
  {
    ...Shops.vitest,
    name: "packages that are not installed say nothing of the work",
    ignored: () => undefined,
    stops: once([rightly, done], quiet)
  },
  {
    ...node,
    name: "of a long output the agent reads the failure, in a bounded text",
    project: { ...node.project, "test/a.test.js": loud },
    stops: once([wrongly, done], { nudge: ["b adds", "test/b.test.js"] })
  },
  {
    ...node,
    name: "the same failures are nudged once, and what is left of them once more",
    project: {
      ...node.project,
      "src/c.js": "export const c = () => 1\n",
      "test/c.test.js": Shops.testIn("c").replace("c adds", "c counts").replace("c(1, 2), 3", "c(), 1")
    },
    stops: [
      ...once([wrongly, edit("src/c.js", "1", "2"), done], { nudge: ["b adds", "c counts"] }),
      { deeds: [say("The tests were red before, I think.")], expected: unrun },
      {
        deeds: [edit("src/c.js", "2", "1"), say("I repaired c.")],
        expected: { nudge: ["b adds"], unsaid: /c counts/ }
      }
    ]
  }
]

const repair = user("Fix the order in b: its second number comes first.")

const weakened: ReadonlyArray<Situation> = [
  {
    ...node,
    name: "a script that the task has made idle proves nothing, and is named",
    stops: once([wrongly, edit("package.json", '"test": "node --test"', '"test": "true"'), done], {
      nudge: ["npm test", "its script is `true`"]
    })
  },
  {
    ...node,
    name: "tests that were changed to pass are run as they were, and hide nothing",
    stops: once([repair, wrongly, edit("test/b.test.js", "3", "4"), shell("npm test"), done], { nudge: ["b adds"] })
  },
  {
    ...node,
    name: "a test that was removed is run as it was",
    stops: once([repair, wrongly, shell("git rm -q test/b.test.js"), done], { nudge: ["b adds"] })
  },
  {
    ...node,
    name: "a script that runs less than before proves nothing, and is named to the user",
    stops: once([rightly, edit("package.json", "node --test", "node --test test/a.test.js"), done], {
      nudge: null,
      notice: /the task changed `[^`]*package\.json`/
    })
  }
]

const noFinish: ReadonlyArray<Situation> = [
  { ...node, name: "a plan is no finish", stops: once([wrongly, done], unrun, { plan: true }) },
  {
    ...node,
    name: "an agent that goes on in the background has not finished, and its work is checked at the next stop",
    stops: [
      ...once([wrongly, say("The rest is under way.")], unrun, { background: true }),
      { deeds: [say("Now all of it is done.")], expected: { nudge: ["b adds"] } }
    ]
  },
  {
    ...scripted("exec sleep 600\n"),
    name: "a check that is too slow says nothing of the work, and the user is told once",
    check: { name: "tests", command: "npm test", timeout: 1 },
    stops: [
      ...once([wrongly, done], { nudge: null, logged: /not finished/ }),
      { deeds: [edit("src/b.js", "* 2", "* 3"), done], expected: quiet }
    ]
  }
]

export const all: ReadonlyArray<Situation> = [...inShops, ...what, ...untold, ...weakened, ...noFinish]
