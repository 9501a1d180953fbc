import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Home, hooksHome, quietHook } from "./hooksHome.ts"
import { bare } from "./runCli.ts"

const local = "project/.claude/settings.local.json"

const script = (home: Home, name: string, source: string): string => {
  const file = home.put(name, source)
  chmodSync(file, 0o755)
  return file
}

/** A program that says that it ran, by a file. */
const evil = (home: Home, name = "project/evil.sh"): string =>
  script(home, name, `#!/bin/sh\ntouch ${join(home.root, "ran")}\n`)

const ran = (home: Home): boolean => existsSync(join(home.root, "ran"))

const hooks = (...commands: ReadonlyArray<string>): string =>
  JSON.stringify({
    hooks: { Stop: commands.map((command) => ({ hooks: [{ type: "command", command, timeout: 30 }] })) }
  })

const bundles = (home: Home): string => join(home.home, ".local/share/reflexion/hooks")

/** The copy that the user installed for all projects. */
const copy = (home: Home): string => {
  const parent = join(bundles(home), "claude-code")
  return join(parent, readdirSync(parent)[0] ?? "", "hook.cjs")
}

const commands: ReadonlyArray<readonly [string, (home: Home) => string]> = [
  [
    "a command with ours in a comment",
    (home) => `touch ${home.root}/ran # ${bundles(home)}/../../../../anything/hook.cjs Stop`
  ],
  [
    "one that leaves the data directory",
    (home) => `"${process.execPath}" "${bundles(home)}/claude-code/../../../../../project/hook.cjs" Stop`
  ],
  ["a program of the project as Node", (home) => `"${evil(home)}" "${copy(home)}" Stop`],
  ["a program from elsewhere as Node", (home) => `"${evil(home, "bin/evil")}" "${copy(home)}" Stop`],
  ["a word before", (home) => `"${evil(home)}" "${process.execPath}" "${copy(home)}" Stop`],
  ["a variable before", (home) => `NODE_OPTIONS=--require=${evil(home)} "${process.execPath}" "${copy(home)}" Stop`],
  ["a word between", (home) => `"${process.execPath}" "--require=${evil(home)}" "${copy(home)}" Stop`],
  ["a word after", (home) => `"${process.execPath}" "${copy(home)}" Stop ; "${evil(home)}"`],
  ["a substitution", (home) => `"${process.execPath}" "${copy(home)}" "$(${evil(home)})"`],
  ["a line after", (home) => `"${process.execPath}" "${copy(home)}" Stop\n"${evil(home)}"`]
]

describe("reflexion doctor in a project that nobody vouches for", () => {
  it.scoped("runs none of its commands, however much they look like reflexion's", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      home.put("project/hook.cjs", `require("node:fs").writeFileSync(${JSON.stringify(join(home.root, "ran"))}, "")`)
      // At most four of a file are looked at.
      for (let at = 0; at < commands.length; at += 4) {
        const given = commands.slice(at, at + 4)
        const text = hooks(...given.map(([, command]) => command(home)))
        home.put(local, text)
        home.put("project/.codex/hooks.json", text)
        const { code, out } = yield* home.run("doctor claude-code codex --project")
        assert.isFalse(ran(home), given.map(([name]) => name).join())
        assert.strictEqual(out.split("not run: ").length - 1, 2 * given.length, out)
        assert.notStrictEqual(code, 0)
      }
    })
  )

  it.scoped("does not run a command of ours that the user's records do not have", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      home.put(local, hooks(`"${process.execPath}" "${copy(home)}" Stop`))
      const { code, out } = yield* home.run("doctor claude-code")
      assert.strictEqual(code, 1)
      assert.match(bare(out), /exit 0 after \d+ ms/)
      assert.include(bare(out), "not run: ~/project/.claude/settings.local.json")
      assert.include(bare(out), "reflexion install claude-code --project")
    })
  )

  it.scoped("runs what the user installed for the project, and no longer once it was changed", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code --project")
      const own = yield* home.run("doctor claude-code")
      assert.match(bare(own.out), /exit 0 after \d+ ms/)
      assert.notInclude(bare(own.out), "not run")
      const text = home.read(local) ?? ""
      home.put(local, text.replaceAll(process.execPath, evil(home, "bin/node")))
      const changed = yield* home.run("doctor claude-code")
      assert.include(bare(changed.out), "not run: ")
      assert.isFalse(ran(home))
    })
  )

  it.scoped("runs no Node that lies in the project, whatever the records say", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code --project")
      const records = ".local/state/reflexion/installed"
      const names = readdirSync(join(home.home, records)).map((name) => join(records, name))
      for (const name of [local, ...names]) {
        home.put(name, (home.read(name) ?? "").replaceAll(process.execPath, evil(home)))
      }
      const { code, out } = yield* home.run("doctor claude-code")
      assert.isFalse(ran(home))
      assert.strictEqual(code, 1)
      assert.include(bare(out), "its Node lies in the project")
    })
  )

  it.scoped("runs no copy that is not what was installed", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      writeFileSync(
        copy(home),
        `require("node:child_process").execFileSync(${JSON.stringify(evil(home))})\n${quietHook}`
      )
      const { out } = yield* home.run("doctor claude-code")
      assert.isFalse(ran(home))
      assert.include(bare(out), "is damaged")
    })
  )

  it.scoped("asks no program of the project for its version", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      evil(home, "project/node_modules/.bin/claude")
      const { out } = yield* home.run("doctor claude-code", {
        env: { PATH: join(home.project, "node_modules/.bin") }
      })
      assert.isFalse(ran(home))
      assert.include(bare(out), "~/project/node_modules/.bin/claude was not run, for it lies in the project")
    })
  )
})
