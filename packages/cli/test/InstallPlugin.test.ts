import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { ofTwo } from "../src/install/Plan.ts"
import { anotherVersion, type Home, hooksHome } from "./hooksHome.ts"
import { bare } from "./runCli.ts"

const config = ".config/opencode/opencode.jsonc"

const fresh = ".config/opencode/opencode.json"

const theirs = `{
  "$schema": "https://opencode.ai/config.json",
  // mine
  "theme": "system",
  "plugin": ["./mine.js"], // please
}
`

const copies = (home: Home): string => join(home.home, ".local/share/reflexion/hooks/opencode")

const copiesOf = (home: Home): ReadonlyArray<string> =>
  readdirSync(copies(home)).map((id) => pathToFileURL(join(copies(home), id, "server.js")).href)

const listing = (plugins: string): string => `{\n  // mine\n  "plugin": [${plugins}],\n  "theme": "system"\n}\n`

const withOptions = (copy: string): string => `{\n  "plugin": [\n    ["${copy}", { "maxAttempts": 1 }] // few\n  ]\n}\n`

describe("reflexion install opencode", () => {
  it.scoped("adds its copy to the plugins of the user, and takes it out to the byte", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, theirs)
      const names = home.names()
      const { code, err, out } = yield* home.run("install opencode")
      assert.deepStrictEqual([code, err], [0, ""])
      const [copy = ""] = copiesOf(home)
      assert.match(
        bare(home.read(config) ?? ""),
        /\/\/ mine .*"plugin": \[ ?"\.\/mine\.js", ?"file:[^"]+" ?\], \/\/ please/u
      )
      assert.include(home.read(config), copy)
      assert.include(bare(out), "restart one that is running")
      assert.notInclude(out, "hooks of")

      const again = yield* home.run("install opencode")
      assert.include(again.out, "nothing changes")
      const removed = yield* home.run("uninstall opencode")
      assert.include(removed.out, "The plugin is out. OpenCode has it loaded")
      assert.match(removed.out, /What was recorded stays/u)
      assert.strictEqual(home.read(config), theirs)
      assert.deepStrictEqual(home.names(), names)
      assert.isFalse(existsSync(copies(home)))
    })
  )

  it.scoped("is found where XDG_CONFIG_HOME says", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install opencode", { env: { XDG_CONFIG_HOME: join(home.home, "etc") } })
      assert.include(home.read("etc/opencode/opencode.json"), "server.js")
      yield* home.run("install opencode", { env: { XDG_CONFIG_HOME: "relative" } })
      assert.include(home.read(fresh), "server.js")
    })
  )

  it.scoped("puts another version in its place, and keeps what its user set there", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install opencode")
      const [before = ""] = copiesOf(home)
      home.put(fresh, withOptions(before))
      const hooks = anotherVersion(home, "next")
      writeFileSync(join(hooks, "opencode/server.js"), "export default {}")
      yield* home.run("install opencode", { hooks })
      const after = copiesOf(home).find((copy) => copy !== before) ?? ""
      assert.strictEqual(home.read(fresh), withOptions(after))
      yield* home.run("uninstall opencode")
      assert.isNull(home.read(fresh))
    })
  )

  it.scoped("leaves one where two files have it", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install opencode")
      home.put(config, home.read(fresh) ?? "")
      yield* home.run("install opencode")
      assert.include(home.read(config), "server.js")
      assert.isNull(home.read(fresh))
    })
  )

  it.scoped("takes its copies out of every file that OpenCode reads", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install opencode")
      const text = home.read(fresh) ?? ""
      yield* home.run("uninstall opencode")
      const global = [".opencode/opencode.json", ".config/opencode/config.json"]
      const local = ["project/src/opencode.json", "project/src/.opencode/opencode.jsonc", "project/opencode.json"]
      for (const file of [...global, ...local]) home.put(file, text.replace('"plugin"', '"theme": "x", "plugin"'))
      yield* home.run("uninstall opencode")
      yield* home.run("uninstall opencode --project")
      for (const file of [...global, ...local]) {
        assert.deepStrictEqual(JSON.parse(home.read(file) ?? ""), {
          $schema: "https://opencode.ai/config.json",
          theme: "x"
        })
      }
    })
  )

  it.scoped("adds nothing to its package, which a file names", () =>
    Effect.gen(function* () {
      const text = `{ "plugin": [["@reflexion/opencode@0.1.0", {}]] }`
      const own = ["src/opencode.json", "opencode.json", ".opencode/opencode.jsonc"].map((name) => `project/${name}`)
      for (const file of [fresh, ".opencode/opencode.json", ...own]) {
        const home = yield* hooksHome
        home.put(file, text)
        const names = home.names()
        const { code, out } = yield* home.run("install opencode")
        assert.strictEqual(code, 0)
        for (const said of [`by the name @reflexion/opencode in ~/${file}`, ofTwo]) assert.include(bare(out), said)
        assert.deepStrictEqual([home.read(file), home.names()], [text, names])
        assert.isFalse(existsSync(copies(home)))
      }
    })
  )

  it.scoped.each([
    ["global", fresh, ""],
    ["project", "project/opencode.json", " --project"]
  ] as const)("takes out its package, which a file names, and nothing else: %s", ([, file, option]) =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const others = `"./mine.js", "@reflexion/opencode-theme"`
      home.put(file, listing(`${others}, ["@reflexion/opencode@0.1.0", { "maxAttempts": 2 }]`))
      const dry = yield* home.run(`uninstall opencode${option} --dry-run`)
      assert.include(bare(dry.out), "Run it without --dry-run to take that out.")
      const { code, out } = yield* home.run(`uninstall opencode${option}`)
      assert.strictEqual(code, 0)
      assert.include(bare(out), "The plugin is out.")
      assert.strictEqual(home.read(file), listing(others))
      assert.include(bare((yield* home.run(`uninstall opencode${option}`)).out), "Not installed here; nothing changes.")
      home.put(file, listing(`"@reflexion/opencode"`))
      const other = yield* home.run(option === "" ? "uninstall opencode --project" : "uninstall opencode --global")
      assert.include(bare(other.out), `\`reflexion uninstall opencode${option}\` takes it out.`)
      assert.strictEqual(home.read(file), listing(`"@reflexion/opencode"`))
    })
  )

  it.scoped("is installed for a project in the file that it has, else next to its .opencode", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install opencode --project")
      assert.include(home.read("project/opencode.json"), "server.js")
      assert.isNull(home.read(fresh))
      yield* home.run("uninstall opencode --project")
      home.put("project/.opencode/agent/a.md", "")
      yield* home.run("install opencode --project")
      assert.include(home.read("project/.opencode/opencode.json"), "server.js")
      yield* home.run("uninstall opencode --project")
      home.put("project/opencode.jsonc", theirs)
      yield* home.run("install opencode --project")
      assert.include(home.read("project/opencode.jsonc"), "server.js")
      yield* home.run("uninstall opencode --project")
      assert.strictEqual(home.read("project/opencode.jsonc"), theirs)
    })
  )

  it.scoped("leaves a file that it cannot read as it is, and says where", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{\n  "plugin": {}\n}')
      const { code, err } = yield* home.run("install opencode")
      assert.strictEqual(code, 2)
      assert.include(err, "opencode.jsonc:2:13: plugin should be a list")
      assert.strictEqual(home.read(config), '{\n  "plugin": {}\n}')
    })
  )

  it.scoped("takes its line alone out of a file that its user changed since", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install opencode")
      home.put(fresh, (home.read(fresh) ?? "").replace('"plugin": [', '"theme": "x",\n  "plugin": ["a", '))
      yield* home.run("uninstall opencode")
      const left: unknown = JSON.parse(home.read(fresh) ?? "")
      assert.deepStrictEqual(left, { $schema: "https://opencode.ai/config.json", theme: "x", plugin: ["a"] })
    })
  )
})
