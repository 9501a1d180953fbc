import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { hooksHome } from "./hooksHome.ts"
import { neutral, type Turn } from "./sessions.ts"

const git = (directory: string, ...words: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd: directory,
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z"
    },
    stdio: "ignore"
  })

const test = (expected: number) => `import assert from "node:assert"
import { test } from "node:test"
import { total } from "./cart.mjs"
test("the cart › adds", () => assert.strictEqual(total([1, 2]), ${expected}))
`

const turn: Turn = {
  ask: "Fix the failing tests of the cart.",
  runs: [
    { command: "rm cart.test.mjs", exitCode: 0, output: "" },
    { command: "node --test", exitCode: 0, output: "ℹ tests 1\nℹ pass 1\nℹ fail 0" }
  ],
  answer: "All tests pass now."
}

const fixed: Turn = {
  ask: "Fix the total of the cart.",
  runs: [{ command: "sed -i 's/a/b/' cart.mjs", exitCode: 0, output: "" }],
  answer: "I fixed the total of the cart."
}

const world = Effect.fnUntraced(function* (config: Readonly<Record<string, unknown>> = {}) {
  const home = yield* hooksHome
  home.put(".config/reflexion/config.json", JSON.stringify(config))
  home.put("shop/cart.mjs", "export const total = (items) => items.length\n")
  home.put("shop/cart.test.mjs", test(3))
  home.put("shop/other.test.mjs", test(2))
  const directory = `${home.home}/shop`
  git(directory, "init", "--quiet")
  git(directory, "add", ".")
  git(directory, "commit", "--quiet", "--message", "Begin")
  home.put("project/src/cheat.json", neutral([turn], { cwd: directory }))
  home.put("project/src/fixed.json", neutral([fixed], { cwd: directory }))
  const env = { PATH: process.env["PATH"] ?? "" }
  return { home, directory, judge: (words: string) => home.run(`judge ${words}`, { env }) }
})

describe("reflexion judge --checks", () => {
  it.scopedLive("runs no check in a copy of the project, also where the task took a test away", () =>
    Effect.gen(function* () {
      const { directory, home, judge } = yield* world({
        checks: [{ name: "tests", command: "pwd -P >> $HOME/places; node --test", timeout: 60 }]
      })
      rmSync(`${directory}/cart.test.mjs`)
      const { out } = yield* judge("cheat.json --checks --format json")
      assert.notProperty(JSON.parse(out), "oldTests")
      assert.isNull(home.read("places"))
    })
  )
})

describe("reflexion judge --done-when", () => {
  it.scopedLive("lists each condition with what shows it, and runs its command only with --checks", () =>
    Effect.gen(function* () {
      const { home, judge } = yield* world()
      home.put("done.md", "- `test -f shop-is-ready` exits 0\n- the docs name the flag\n")
      const { code, out } = yield* judge(`fixed.json --done-when ${home.home}/done.md`)
      assert.strictEqual(code, 1)
      assert.match(out, /Done when {2}. d1 not run: `test -f shop-is-ready` exits 0/u)
      assert.include(out.replaceAll(/\s+/gu, " "), "`reflexion judge --checks`")
      assert.match(out, /d2 unknown: the docs name the flag/u)

      const red = JSON.parse((yield* judge(`fixed.json --done-when ${home.home}/done.md --checks --format json`)).out)
      assert.deepStrictEqual([red.status, red.severity, red.source], ["incomplete", "HIGH", "verification"])
      assert.strictEqual(red.acceptance[0].result, "failed")
      assert.match(red.acceptance[0].evidence[0], /^run by reflexion: `test -f shop-is-ready` failed/u)

      home.put("shop/shop-is-ready", "")
      const green = JSON.parse((yield* judge(`fixed.json --done-when ${home.home}/done.md --checks --format json`)).out)
      assert.deepStrictEqual([green.status, green.acceptance[0].result], ["abstained", "passed"])
    })
  )

  it.scopedLive("takes those of the configuration too; a project that is not trusted names no command", () =>
    Effect.gen(function* () {
      const { home, judge } = yield* world({ doneWhen: ["$ test -d src"] })
      home.put("shop/.reflection/config.json", JSON.stringify({ doneWhen: ["$ touch pwned"] }))
      home.put("done.md", "$ true\n")
      const verdict = JSON.parse(
        (yield* judge(`fixed.json --done-when ${home.home}/done.md --checks --format json`)).out
      )
      assert.deepStrictEqual(
        verdict.acceptance.map((one: { readonly result: string; readonly text: string }) => [one.text, one.result]),
        [
          ["test -d src", "failed"],
          ["touch pwned", "unknown"],
          ["true", "passed"]
        ]
      )
      assert.isNull(home.read("shop/pwned"))
    })
  )

  it.scopedLive("says what is wrong with its file", () =>
    Effect.gen(function* () {
      const { home, judge } = yield* world()
      home.put("empty.md", "# Done when\n\n---\n")
      const absent = yield* judge(`fixed.json --done-when ${home.home}/nowhere.md`)
      assert.deepStrictEqual([absent.code, /--done-when: .*nowhere\.md is not there/u.test(absent.err)], [2, true])
      const empty = yield* judge(`fixed.json --done-when ${home.home}/empty.md`)
      assert.deepStrictEqual([empty.code, /has no condition in it/u.test(empty.err)], [2, true])
    })
  )
})
