/** The situations at a stop that a runner of checks has to get right: each as data. */
import { edit, say, shell } from "../contract/HostContract.ts"
import * as Ecosystems from "./Ecosystems.ts"
import * as Runners from "./Runners.ts"
import { type Action, type ExpectedStop, type Situation, type Stop, user, write } from "./Situation.ts"

const { broken, rightly, wrongly, ...node } = Ecosystems.node

const task = user("Make b add its second number first.")
const done = say("I changed the order in b.")

const once = (deeds: ReadonlyArray<Action>, expected: ExpectedStop, ending?: Stop["ending"]): ReadonlyArray<Stop> => [
  { deeds: [task, ...deeds], expected, ...(ending && { ending }) }
]

const quiet = { nudge: null } as const

/** Nothing is run, and nobody is told of the check. */
const unrun = { nudge: null, runs: 0 } as const

const inEcosystems: ReadonlyArray<Situation> = Ecosystems.all.flatMap((shop) => [
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
    stops: once([shop.wrongly, done], { nudge: [shop.b], unsaid: [new RegExp(`\\b${shop.a}`)] })
  }
])

const manifest = (scripts: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "shop", private: true, type: "module", scripts }, null, 2)}\n`

/** A script instead of the tests. */
const scripted = (text: string): Pick<Situation, "check" | "project" | "runner"> => ({
  ...node,
  project: { ...node.project, "package.json": manifest({ test: "sh test.sh" }), "test.sh": text }
})

const typescript = {
  runner: Runners.tsc,
  ignored: Runners.installed({ typescript: ["tsc", "bin/tsc"] }),
  project: {
    ".gitignore": "node_modules\n",
    "package.json": manifest({ typecheck: "tsc --noEmit" }),
    "tsconfig.json": '{ "compilerOptions": { "target": "es2022", "types": [] }, "include": ["src"] }\n',
    "src/a.ts": "export const first = (all: ReadonlyArray<string>): string => all.find(Boolean)\n"
  },
  check: { name: "typecheck", command: "npm run typecheck" }
}

const testIn = (name: string, imported: string): string => `import assert from "node:assert/strict"
import { test } from "node:test"
import { ${name} } from "${imported}"

test("${name} adds", () => assert.equal(${name}(1, 2), 3))
`

const aPackage = (name: string): Situation["project"] => ({
  [`packages/${name}/package.json`]: `{ "name": "@shop/${name}", "type": "module", "exports": "./src/${name}.js" }\n`
})

const connecting = (name: string): string => `import { connect } from "node:net"
import { test } from "node:test"

test("${name} is kept", () => new Promise((resolve, reject) => connect(1, "127.0.0.1", resolve).on("error", reject)))
`

const pythonTests = (count: number): string =>
  Array.from({ length: count }, (_, at) => `def test_number_${at}():\n    assert True\n`).join("\n\n")

const atTheStart: ReadonlyArray<Situation> = [
  {
    ...node,
    name: "what the user had broken and not committed before the task nudges nobody",
    dirty: broken,
    stops: once([rightly, done], { nudge: null, runs: 3 })
  },
  {
    ...node,
    name: "what failed before by a file that git ignores is held against nobody",
    project: {
      ...node.project,
      ".gitignore": "node_modules\ndist\n",
      "test/d.test.js": testIn("d", "../dist/d.js")
    },
    dirty: { "dist/d.js": "export const d = () => 0\n" },
    config: { attended: true },
    stops: once([rightly, done], { nudge: null, runs: 4, notice: /whether it failed before the task is not known/ })
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
    ...Ecosystems.pytest,
    name: "a change of documents runs the check that covers them",
    check: { name: "tests", command: "pytest --doctest-glob='*.md' docs", paths: ["docs/**", "**/*.py"] },
    project: { ...Ecosystems.pytest.project, "docs/sums.md": ">>> 1 + 2\n3\n" },
    stops: once([edit("docs/sums.md", "1 + 2", "1 + 3"), say("I changed the example.")], { nudge: ["sums.md"] })
  },
  {
    ...typescript,
    name: "a change of configuration alone runs the check",
    stops: once(
      [edit("tsconfig.json", '"types": []', '"types": [], "strict": true'), say("I made the compiler strict.")],
      { nudge: ["typecheck", "src/a.ts"] }
    )
  },
  {
    ...node,
    name: "a package that another one uses is checked with it, from the root",
    project: {
      ...aPackage("a"),
      ...aPackage("b"),
      ".gitignore": "node_modules\n",
      "package.json": manifest({ test: "node --test packages/a packages/b" }),
      "packages/a/src/a.js": "export const a = (one, other) => one + other\n",
      "packages/b/src/b.js": 'import { a } from "@shop/a"\n\nexport const b = (one, other) => a(one, other)\n',
      "packages/a/test/none.test.js": 'import { test } from "node:test"\n\ntest("a is there", () => {})\n',
      "packages/b/test/b.test.js": testIn("b", "../src/b.js")
    },
    ignored: Runners.linked({ "@shop/a": "packages/a" }),
    stops: once(
      [
        shell("cd packages/a && cat src/a.js"),
        edit("packages/a/src/a.js", "one + other", "one * other"),
        say("I changed packages/a.")
      ],
      { nudge: ["b adds"] }
    )
  }
]

const untold: ReadonlyArray<Situation> = [
  {
    ...node,
    name: "a test that passes when it is run again is flaky, on record, and nudges nobody",
    project: {
      ...node.project,
      "test/b.test.js": `import { existsSync, writeFileSync } from "node:fs"
import { test } from "node:test"

test("b is lucky", () => {
  const mark = process.env.RUNS + ".lucky"
  if (existsSync(mark)) return
  writeFileSync(mark, "")
  throw new Error("unlucky")
})
`
    },
    stops: once([rightly, done], { nudge: null, runs: 2, logged: /flaky/ })
  },
  {
    ...node,
    name: "a watcher ends with its time, and nothing of it goes on",
    project: { ...node.project, "package.json": manifest({ test: "node --test --watch" }) },
    check: { name: "tests", command: "npm test", timeout: 2 },
    stops: once([wrongly, done], { nudge: null, logged: /not finished|watch/ })
  },
  {
    ...scripted('printf "Continue? "\nread -r answer || exit 1\n'),
    name: "a prompt finds no input, and says nothing of the work",
    stops: once([rightly, done], quiet)
  },
  {
    ...node,
    name: "a service that refuses says nothing of the work",
    project: { ...node.project, "test/b.test.js": connecting("b") },
    stops: once([rightly, done], quiet)
  },
  {
    ...node,
    name: "a service that refuses a new test says nothing of the work",
    stops: once([rightly, write("test/kept.test.js", connecting("the order")), done], quiet)
  },
  {
    ...Ecosystems.vitest,
    name: "packages that are not installed say nothing of the work",
    ignored: () => undefined,
    stops: once([rightly, done], quiet)
  },
  {
    ...Ecosystems.pytest,
    name: "a project without tests has none to fail",
    project: { ...Ecosystems.pytest.project, "tests/test_a.py": "", "tests/test_b.py": "" },
    stops: once([Ecosystems.pytest.wrongly, done], quiet)
  },
  {
    ...Ecosystems.pytest,
    name: "tests that are not collected any more since the task are nudged",
    project: { ...Ecosystems.pytest.project, "tests/test_a.py": pythonTests(12), "tests/test_b.py": "" },
    stops: once([shell("mkdir old && git mv tests old/cases && mv old/cases/test_a.py old/cases/a.py"), done], {
      nudge: ["test"]
    })
  },
  {
    ...node,
    name: "of a long output the agent reads the failure, in a bounded text",
    project: {
      ...node.project,
      "test/a.test.js": `import { test } from "node:test"

test("a is loud", () => {
  const line = "ok, read config: No such file or directory, so the default is taken\\n"
  for (let at = 0; at < 700; at++) process.stdout.write(line.repeat(100))
})
`
    },
    stops: once([wrongly, done], { nudge: ["b adds", "test/b.test.js"] })
  }
]

const fails = (name: string): string => `import assert from "node:assert/strict"
import { test } from "node:test"
import { b } from "../src/b.js"

test("b is ${name}", () => assert.equal(b(1, 2), 3))
`

const named = (name: string, title: string): string => testIn(name, `../src/${name}.js`).replace(`${name} adds`, title)

const again: ReadonlyArray<Situation> = [
  {
    ...node,
    name: "two tests whose names differ by a number are two",
    project: {
      ...node.project,
      ...broken,
      "test/a.test.js": named("a", "case 1"),
      "test/b.test.js": named("b", "case 2")
    },
    stops: once([wrongly, done], { nudge: ["case 2"], unsaid: ["case 1"] })
  },
  {
    ...node,
    name: "the same failures are nudged once, and what is left of them once more",
    project: {
      ...node.project,
      "src/c.js": "export const c = () => 1\n",
      "test/b.test.js": fails("right"),
      "test/c.test.js": testIn("c", "../src/c.js").replace("c adds", "c counts").replace("c(1, 2), 3", "c(), 1")
    },
    stops: [
      ...once([wrongly, edit("src/c.js", "1", "2"), done], { nudge: ["b is right", "c counts"] }),
      { deeds: [say("The tests were red before, I think.")], expected: unrun },
      {
        deeds: [edit("src/c.js", "2", "1"), say("I repaired c.")],
        expected: { nudge: ["b is right"], unsaid: ["c counts"] }
      }
    ]
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
    name: "a run before a later edit is run again",
    stops: once([shell("npm test"), rightly, done], { nudge: null, runs: 1 })
  },
  {
    ...node,
    name: "a run of one file alone is run again, whole",
    stops: once([rightly, shell("node --test test/a.test.js"), done], { nudge: null, runs: 1 })
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

const trust: ReadonlyArray<Situation> = [
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
    name: "a script that the task has made idle proves nothing, and is named",
    stops: once([wrongly, edit("package.json", '"test": "node --test"', '"test": "true"'), done], {
      nudge: ["npm test", "its script is `true`"]
    })
  }
]

const repair = user("Fix the order in b: its second number comes first.")

/** What a task did to the check that is green. */
const changed: ReadonlyArray<Situation> = [
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
  },
  {
    ...node,
    name: "fewer tests than an earlier run had are named to the user",
    stops: [
      ...once([rightly, done], { nudge: null, runs: 1 }),
      {
        deeds: [
          user("Swap them back."),
          edit(rightly.file, rightly.after, rightly.before),
          shell("git rm -q test/a.test.js"),
          done
        ],
        expected: { nudge: null, notice: /2 tests ran on the files from before the task, and now 1/ }
      }
    ]
  },
  {
    ...node,
    name: "a check that is not to be run yet is not run",
    stops: [{ deeds: [user("Fix b, but do not run the tests yet."), wrongly, done], expected: unrun }]
  }
]

const noFinish: ReadonlyArray<Situation> = [
  { ...node, name: "a plan is no finish", stops: once([wrongly, done], unrun, { plan: true }) },
  {
    ...node,
    name: "a question to the user is no finish",
    config: { attended: true },
    stops: once(
      [wrongly, say("I changed the order in b. Should b take the larger number first, or the second one as now?")],
      unrun
    )
  },
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

export const all: ReadonlyArray<Situation> = [
  ...inEcosystems,
  ...atTheStart,
  ...untold,
  ...again,
  ...trust,
  ...changed,
  ...noFinish
]
