import { assert, describe, it } from "@effect/vitest"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import { Effect } from "effect"
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Home, hooksHome, modeOf } from "./hooksHome.ts"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

const manifest = JSON.stringify({
  scripts: { test: "vitest run", build: "tsc -b", deploy: "x", lint: "eslint --fix ." }
})

const shop = Effect.map(hooksHome, (home) => {
  home.put("project/package.json", manifest)
  return home
})

const fileIn = ({ home, project }: Home): string =>
  TakenFile.fileOf({ state: join(home, ".local/state/reflexion") }, project)

/** The commands that are taken, by their gates. */
const taken = (home: Home): Readonly<Record<string, string>> | null => {
  const file = fileIn(home)
  if (!existsSync(file)) return null
  const { checks }: { checks: ReadonlyArray<{ name: string; command: string }> } = JSON.parse(
    readFileSync(file, "utf8")
  )
  return Object.fromEntries(checks.map(({ command, name }) => [name, command]))
}

const both = { tests: "npm test", build: "npm run build" }

describe("reflexion install, in a project that has checks", () => {
  it.scopedLive("shows each whole with what says so, asks once, and takes them on y or yes alone", () =>
    Effect.gen(function* () {
      for (const answer of ["y", "Y", "yes", " YES "]) {
        const home = yield* shop
        const { code, out } = yield* home.run("install codex", { answers: [answer] })
        assert.strictEqual(code, 0)
        assert.match(
          bare(out),
          /tests npm test by package\.json: vitest run build npm run build by package\.json: tsc -b/
        )
        assert.strictEqual(out.split("project? [y/N]").length, 2)
        assert.notInclude(out.split("Checks of this project")[1] ?? "", "eslint")
        assert.include(bare(out), "in its own sandbox, where one works, and nowhere else")
        assert.include(bare(out), "`reflexion checks remove` takes them back")
        assert.deepStrictEqual(taken(home), both)
        assert.strictEqual(modeOf(fileIn(home)), 0o600)
      }
    })
  )

  it.scopedLive("takes nothing on any other answer, and says how to do it later", () =>
    Effect.gen(function* () {
      for (const answer of ["", "n", "no", "yep", "ja", "y n", "1"]) {
        const home = yield* shop
        const { code, out } = yield* home.run("install claude-code", { answers: [answer] })
        assert.strictEqual(code, 0)
        assert.include(bare(out), "Nothing is taken, and nothing is run. `reflexion checks add` asks again.")
        assert.isNull(taken(home), answer)
      }
    })
  )

  it.scopedLive("takes nothing with --yes, in a dry run or without a terminal: one line says how to do it later", () =>
    Effect.gen(function* () {
      for (const [words, given] of [
        ["install codex --yes", { answers: ["y"] }],
        ["install codex --dry-run", { answers: ["y"] }],
        ["install codex", {}],
        ["install codex --yes", {}],
        ["install codex", { stdin: [Buffer.from("y\n")] }]
      ] as const) {
        const home = yield* shop
        const { code, out } = yield* home.run(words, given)
        assert.strictEqual(code, 0)
        assert.include(
          bare(out),
          "(`npm test`, `npm run build`); none is taken: `reflexion checks add`, in a terminal, asks you."
        )
        assert.notInclude(out, "project? [y/N]")
        assert.isNull(taken(home), words)
      }
    })
  )

  it.scopedLive("says where they run", () =>
    Effect.gen(function* () {
      const home = yield* shop
      const { out } = yield* home.run("install claude-code", { answers: ["n"] })
      assert.include(bare(out), "With Claude Code they run with your rights")
    })
  )

  it.scopedLive("asks nothing where they are taken or configured, where there are none, and outside of a project", () =>
    Effect.gen(function* () {
      const home = yield* shop
      yield* home.run("install codex", { answers: ["y"] })
      const again = yield* home.run("install claude-code", { answers: ["n"] })
      assert.notInclude(again.out, "project? [y/N]")
      assert.deepStrictEqual(taken(home), both)
      const outside = yield* home.run("install codex", { answers: ["y"], cwd: home.home })
      assert.notInclude(outside.out, "project? [y/N]")
      const configured = yield* shop
      const checks = [
        { name: "tests", command: "x" },
        { name: "build", command: "y" }
      ]
      configured.put(".config/reflexion/config.json", JSON.stringify({ checks }))
      assert.notInclude((yield* configured.run("install codex", { answers: ["y"] })).out, "project? [y/N]")
      const empty = yield* hooksHome
      assert.notInclude((yield* empty.run("install codex", { answers: ["y"] })).out, "project? [y/N]")
    })
  )
})

describe("reflexion checks", () => {
  it.scopedLive("shows what is proposed, configured and taken, and where it would be run", () =>
    Effect.gen(function* () {
      const home = yield* shop
      const first = yield* home.run("checks")
      assert.match(bare(first.out), /Proposed, not run: tests npm test by package\.json: vitest run/)
      assert.isNull(taken(home))
      yield* home.run("checks add tests", { answers: ["y"] })
      home.put(".config/reflexion/config.json", '{ "checks": [{ "name": "e2e", "command": "make e2e" }] }')
      const { out } = yield* home.run("checks")
      assert.match(
        bare(out),
        /Configured \(checks\): e2e make e2e Taken .*: tests npm test Proposed, not run: build npm run build/
      )
      const nothing = yield* hooksHome
      assert.include(bare((yield* nothing.run("checks")).out), "`reflexion checks add GATE COMMAND`")
    })
  )

  it.scopedLive("asks anew for every change of the list, with the whole of it", () =>
    Effect.gen(function* () {
      const home = yield* shop
      yield* home.run("checks add tests", { answers: ["yes"] })
      const { out } = yield* home.run("checks add build", { answers: ["y"] })
      assert.match(bare(out), /tests npm test taken before build npm run build/)
      assert.deepStrictEqual(taken(home), both)
      yield* home.run("checks add", { answers: ["n"] })
      assert.deepStrictEqual(taken(home), both)
    })
  )

  it.scopedLive("takes a command of the user's own, shown whole, and none without a terminal", () =>
    Effect.gen(function* () {
      const home = yield* shop
      const words = ["checks", "add", "tests", "make test && echo done"]
      const { code, err } = yield* home.runWords(words, {})
      assert.strictEqual(code, 2)
      assert.include(bare(err), "nothing is taken: reflexion asks on a terminal")
      assert.isNull(taken(home))
      const { out } = yield* home.runWords(words, { answers: ["y"] })
      assert.include(out, "make test && echo done")
      assert.deepStrictEqual(taken(home), { tests: "make test && echo done" })
    })
  )

  it.scopedLive("gives one back, or all, without a question, also where the file is damaged", () =>
    Effect.gen(function* () {
      const home = yield* shop
      yield* home.run("checks add", { answers: ["y"] })
      assert.include((yield* home.run("checks remove lint")).out, "Nothing was taken for lint")
      assert.include((yield* home.run("checks remove build")).out, "1 check is taken back")
      assert.deepStrictEqual(taken(home), { tests: "npm test" })
      assert.include((yield* home.run("checks remove")).out, "1 check is taken back")
      assert.isNull(taken(home))
      assert.include((yield* home.run("checks remove")).out, "nothing changes")
      yield* home.run("checks add", { answers: ["y"] })
      writeFileSync(fileIn(home), "{")
      const { code, err } = yield* home.run("checks")
      assert.strictEqual(code, 2)
      assert.include(bare(err), "is damaged: `reflexion checks remove`")
      assert.include((yield* home.run("checks remove")).out, "What was taken is taken back")
      assert.isNull(taken(home))
    })
  )

  it.scopedLive("follows no link, and what a workspace says takes nothing", () =>
    Effect.gen(function* () {
      const home = yield* shop
      yield* home.run("checks add", { answers: ["y"] })
      const file = fileIn(home)
      const text = readFileSync(file, "utf8")
      home.put("project/list.json", text.replace("npm test", "touch bad"))
      yield* home.run("checks remove")
      symlinkSync(join(home.project, "list.json"), file)
      const { code, err } = yield* home.run("checks")
      assert.strictEqual(code, 2)
      assert.include(err, "symbolic link")
      yield* home.run("checks remove")
      home.put("project/.reflection/config.json", '{ "checks": [{ "name": "tests", "command": "touch bad" }] }')
      const { out } = yield* home.run("checks")
      assert.notInclude(out, "touch bad")
    })
  )

  it.scopedLive("refuses what it does not know", () =>
    Effect.gen(function* () {
      const home = yield* shop
      for (const [words, problem] of [
        ["checks ad", "did you mean add"],
        ["checks add 'x", "is no gate's name"],
        ["checks add lint", "nothing is proposed for lint"],
        ["checks add tests make test", "quotation marks"],
        ["checks remove a b", "one gate at a time"]
      ] as const) {
        const { code, err } = yield* home.run(words, { answers: ["y"] })
        assert.strictEqual(code, 2, words)
        assert.include(err, problem)
      }
      assert.isNull(taken(home))
    })
  )

  it.scopedLive("is named by the doctor, with how to turn it off", () =>
    Effect.gen(function* () {
      const home = yield* shop
      assert.notInclude((yield* home.run("doctor codex")).out, "you took")
      yield* home.run("checks add tests", { answers: ["y"] })
      const { out } = yield* home.run("doctor codex")
      assert.match(
        bare(out),
        /checks you took `npm test` for this project: .* `reflexion checks remove` takes them back/
      )
    })
  )
})
