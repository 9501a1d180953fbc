import { assert, describe, it } from "@effect/vitest"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import { Effect } from "effect"
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Home, hooksHome, modeOf } from "./hooksHome.ts"
import { bare } from "./runCli.ts"

const scripts = { test: "node --test", typecheck: "flow", deploy: "x", lint: "eslint --fix ." }

const testOf = (right: number): string => `import { test } from "node:test"
import assert from "node:assert"
test("adds", () => assert.equal(1 + 1, ${right}))
`

/** A project whose tests pass, or fail, and whose compiler is not there. */
const shop = (right = 2) =>
  Effect.map(hooksHome, (home) => {
    home.put("project/package.json", JSON.stringify({ scripts }))
    home.put("project/a.test.mjs", testOf(right))
    return home
  })

const fileIn = ({ home, project }: Home): string =>
  TakenFile.fileOf({ state: join(home, ".local/state/reflexion") }, project)

/** The commands that are kept, by their names. */
const kept = (home: Home): Readonly<Record<string, string>> | null => {
  const file = fileIn(home)
  if (!existsSync(file)) return null
  const { checks }: { checks: ReadonlyArray<{ name: string; command: string }> } = JSON.parse(
    readFileSync(file, "utf8")
  )
  return Object.fromEntries(checks.map(({ command, name }) => [name, command]))
}

const tests = { tests: "npm test" }

const question = "Run each once now? [y/N]"

describe("reflexion install, in a project that has checks", () => {
  it.scopedLive(
    "shows each with what says so, asks once, runs each on y or yes alone, and keeps what gave a result",
    () =>
      Effect.gen(function* () {
        const home = yield* shop()
        const { code, out } = yield* home.run("install codex", { answers: [" YES "] })
        assert.strictEqual(code, 0)
        assert.match(
          bare(out),
          /typecheck npm run typecheck \(by package\.json: flow\) tests npm test \(by package\.json/
        )
        assert.strictEqual(out.split(question).length, 2)
        assert.notInclude(out, "eslint")
        assert.include(bare(out), "in its own sandbox, where one works, and nowhere else")
        assert.match(
          bare(out),
          /! typecheck: `npm run typecheck` gave no result: .* Not kept: `reflexion allow checks typecheck`/
        )
        assert.match(bare(out), /✓ tests: `npm test` passed: .*1 passed.* \(\d+\.\d s\)/)
        assert.match(bare(out), /Allowed in this project: `npm test`\. `reflexion allow checks --revoke`/)
        assert.deepStrictEqual(kept(home), tests)
        assert.strictEqual(modeOf(fileIn(home)), 0o600)
      })
  )

  it.scopedLive(
    "asks nothing where they are allowed or configured, where there are none, and outside of a project",
    () =>
      Effect.gen(function* () {
        const home = yield* shop()
        const checks = [
          { name: "tests", command: "x" },
          { name: "typecheck", command: "y" }
        ]
        home.put(".config/reflexion/config.json", JSON.stringify({ checks }))
        assert.notInclude((yield* home.run("install codex", { answers: ["y"] })).out, question)
        home.put(".config/reflexion/config.json", JSON.stringify({ checks: checks.slice(1) }))
        yield* home.run("install codex", { answers: ["y"] })
        assert.notInclude((yield* home.run("install claude-code", { answers: ["n"] })).out, question)
        assert.deepStrictEqual(kept(home), tests)
        assert.notInclude((yield* home.run("install codex", { answers: ["y"], cwd: home.home })).out, question)
        const empty = yield* hooksHome
        assert.notInclude((yield* empty.run("install codex", { answers: ["y"] })).out, question)
      })
  )
})

describe("reflexion allow checks", () => {
  it.scopedLive("runs each once, says how it went, and keeps a check that fails now", () =>
    Effect.gen(function* () {
      const home = yield* shop(3)
      home.put("project/package.json", JSON.stringify({ scripts: { ...scripts, lint: "eslint ." } }))
      chmodSync(home.put("project/node_modules/.bin/eslint", "#!/bin/sh\nexit 0\n"), 0o700)
      const { code, out } = yield* home.run("allow checks", { answers: ["y"], terminal: 100 })
      assert.strictEqual(code, 0)
      assert.match(bare(out), /tests: `npm test` failed: .* What fails now is not held against a task/u)
      assert.deepStrictEqual(kept(home), { lint: "npm run lint", ...tests })
    })
  )

  it.scopedLive("asks for a new yes where what is run changed, and shows it", () =>
    Effect.gen(function* () {
      const home = yield* shop()
      yield* home.run("allow checks tests --yes")
      assert.match(bare((yield* home.run("doctor codex")).out), /checks you allowed `npm test` in this project/)
      home.put("project/package.json", JSON.stringify({ scripts: { test: "node --test --no-warnings" } }))
      assert.match(bare((yield* home.run("doctor codex")).out), /what `npm test` runs has changed since you allowed it/)
      const text = readFileSync(fileIn(home), "utf8")
      const { code, out } = yield* home.run("allow checks", { answers: ["n"] })
      assert.strictEqual(code, 2)
      assert.match(bare(out), /tests npm test \(changed since you agreed: node --test --no-warnings\)/)
      assert.strictEqual(readFileSync(fileIn(home), "utf8"), text)
      yield* home.run("allow checks", { answers: ["y"] })
      assert.notStrictEqual(readFileSync(fileIn(home), "utf8"), text)
      assert.match(bare((yield* home.run("allow checks")).out), /Allowed in this project: tests npm test \(node --test/)
    })
  )

  it.scopedLive("takes no agent's word for the user's", () =>
    Effect.gen(function* () {
      const home = yield* shop()
      for (const name of ["CLAUDECODE", "CODEX_THREAD_ID", "OPENCODE"]) {
        const { code, err } = yield* home.run("allow checks --yes", { env: { [name]: "1" } })
        assert.strictEqual(code, 2)
        assert.include(bare(err), "runs this: only you can agree, in a terminal outside of it")
        assert.isNull(kept(home))
      }
    })
  )

  it.scopedLive("keeps a command of the user's own with the others, shown whole", () =>
    Effect.gen(function* () {
      const home = yield* shop()
      yield* home.run("allow checks tests --yes")
      const { out } = yield* home.runWords(["allow", "checks", "lint", "true && echo clean", "--yes"])
      assert.match(bare(out), /tests npm test \(allowed before: node --test\) lint true && echo clean/)
      assert.deepStrictEqual(kept(home), { ...tests, lint: "true && echo clean" })
    })
  )

  it.scopedLive("proposes what an untrusted project's configuration names, and no hook runs it", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put("project/.reflection/config.json", '{ "checks": [{ "name": "e2e", "command": "touch bad" }] }')
      const { out } = yield* home.run("allow checks", { answers: ["n"] })
      assert.include(bare(out), "e2e touch bad (by .reflection/config.json)")
      assert.isFalse(existsSync(join(home.project, "bad")))
      yield* home.run("allow checks", { answers: ["y"] })
      assert.isTrue(existsSync(join(home.project, "bad")))
      assert.deepStrictEqual(kept(home), { e2e: "touch bad" })
    })
  )

  it.scopedLive("revokes one, or all, without a question, also where the file is damaged", () =>
    Effect.gen(function* () {
      const home = yield* shop()
      for (const name of ["e2e", "lint"]) yield* home.run(`allow checks ${name} true --yes`)
      assert.include((yield* home.run("allow checks build --revoke")).out, "No check named build is allowed in this")
      assert.include((yield* home.run("allow checks lint --revoke")).out, "1 check is not allowed any more")
      assert.deepStrictEqual(kept(home), { e2e: "true" })
      writeFileSync(fileIn(home), "{")
      const { code, err } = yield* home.run("allow checks")
      assert.strictEqual(code, 2)
      assert.include(bare(err), "is damaged: `reflexion allow checks --revoke`")
      assert.include((yield* home.run("allow checks --revoke")).out, "What was allowed is not allowed any more")
      assert.isNull(kept(home))
      assert.include((yield* home.run("allow checks --revoke")).out, "No check is allowed in this project; nothing")
    })
  )

  it.scopedLive("follows no link of its file", () =>
    Effect.gen(function* () {
      const home = yield* shop()
      yield* home.run("allow checks e2e true --yes")
      const file = fileIn(home)
      home.put("project/list.json", readFileSync(file, "utf8").replace('"true"', '"touch bad"'))
      yield* home.run("allow checks --revoke")
      symlinkSync(join(home.project, "list.json"), file)
      const { code, err } = yield* home.run("allow checks")
      assert.strictEqual(code, 2)
      assert.include(err, "symbolic link")
    })
  )
})
