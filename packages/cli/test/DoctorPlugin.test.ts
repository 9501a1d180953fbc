import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { ofTwo } from "../src/install/Plan.ts"
import { type Home, hooksHome, quietPlugin } from "./hooksHome.ts"
import { bare, builtHooks } from "./runCli.ts"

const config = ".config/opencode/opencode.json"

const local = "project/opencode.json"

const openCode = (home: Home, name = "bin/opencode"): string => {
  const file = home.put(name, `#!${process.execPath}\nconsole.log("1.18.33")`)
  chmodSync(file, 0o755)
  return file
}

const doctor = (home: Home, env: Readonly<Record<string, string>> = {}, hooks?: string, words = "doctor opencode") =>
  home.run(words, { env: { PATH: join(home.home, "bin"), ...env }, ...(hooks && { hooks }) })

const copyIn = (home: Home, file: string): string =>
  fileURLToPath(/"(file:[^"]+)"/.exec(home.read(file) ?? "")?.[1] ?? "")

/** A home directory with a plugin of this text installed. */
const withPlugin = (source: string, words = "install opencode") =>
  Effect.gen(function* () {
    const home = yield* hooksHome
    openCode(home)
    writeFileSync(join(home.hooks, "opencode/server.js"), source)
    yield* home.run(words)
    return home
  })

const plugin = (body: string): string => `export default { id: "reflexion", server: async ({ client }) => { ${body} } }`

/** What says that it ran, by a file. */
const evil = (home: Home): string => plugin(`(await import("node:fs")).writeFileSync("${home.root}/ran", "")`)

describe("reflexion doctor opencode", () => {
  it.scoped("says that all is well", () =>
    Effect.gen(function* () {
      const home = yield* withPlugin(quietPlugin)
      const { code, err, out } = yield* doctor(home)
      assert.deepStrictEqual([code, err], [0, ""])
      assert.include(out, "1.18.33, ~/bin/opencode")
      assert.include(out, "~/.config/opencode/opencode.json (all your projects)")
      assert.include(out, "the one of this reflexion")
      assert.include(bare(out), "reviewed a sample, and printed nothing; decided: none, nothing was to do")
      assert.include(out, "All is well.")
    })
  )

  it.scoped("sees the plugin of the build review a sample, and leaves no trace", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install opencode", { hooks: builtHooks })
      const scratch = dirname(home.put("scratch/.keep", ""))
      const names = home.names()
      const { code, out } = yield* doctor(home, { TMPDIR: scratch }, builtHooks)
      assert.strictEqual(code, 0)
      assert.match(
        bare(out),
        /reviewed a sample, and printed nothing; decided: none, A question was asked and answered/
      )
      assert.deepStrictEqual(home.names(), names)
      assert.deepStrictEqual(readdirSync(join(home.home, ".local/state/reflexion")), ["installed"])
    })
  )

  it.scoped.each([
    ["throws when it starts", plugin('throw new Error("no luck")'), "could not be started: Error: no luck"],
    ["does not parse", "export default {", "could not be started: SyntaxError"],
    ["ends the process", "process.exit(3)", "could not be loaded"],
    ["prints", `${quietPlugin}console.error("hello")`, 'printed text that would disturb the host\'s screen: "hello"'],
    [
      "reviews nothing",
      plugin('return { event: () => client.tui.showToast({ body: { message: "off" } }) }'),
      'reviewed nothing: "off"'
    ]
  ] as const)("tells of a plugin that %s", ([, source, expected]) =>
    Effect.gen(function* () {
      const home = yield* withPlugin(source)
      const { code, out } = yield* doctor(home)
      assert.strictEqual(code, 1)
      assert.include(bare(out), expected)
    })
  )

  it.scoped("tells of a copy that is gone, damaged or of another version, and loads none that is not whole", () =>
    Effect.gen(function* () {
      const home = yield* withPlugin(quietPlugin)
      const copy = copyIn(home, config)
      writeFileSync(copy, evil(home))
      const damaged = yield* doctor(home)
      assert.include(bare(damaged.out), "is damaged: run `reflexion install opencode`")
      assert.isFalse(existsSync(join(home.root, "ran")))
      rmSync(dirname(copy), { recursive: true })
      assert.include(bare((yield* doctor(home)).out), "its files are gone: run `reflexion install opencode`")
      yield* home.run("install opencode")
      assert.strictEqual((yield* doctor(home)).code, 0)
      writeFileSync(join(home.hooks, "opencode/server.js"), `${quietPlugin}// newer`)
      const { code, out } = yield* doctor(home)
      assert.deepStrictEqual([code, bare(out).includes("is installed, this reflexion brings")], [1, true])
    })
  )

  it.scoped("tells of two different ones, and not of one that is named twice", () =>
    Effect.gen(function* () {
      const home = yield* withPlugin(quietPlugin)
      yield* home.run("install opencode --project")
      assert.strictEqual((yield* doctor(home)).code, 0)
      home.put("project/.opencode/opencode.json", '{ "plugin": ["@reflexion/opencode"] }')
      const { code, out } = yield* doctor(home)
      assert.strictEqual(code, 1)
      assert.match(bare(out), /twice in ~\/\.config\/opencode\/opencode\.json and .+ there are different ones/)
      assert.include(bare(out), ofTwo)
    })
  )

  it.scoped("looks at the scope alone that is named, but for two plugins that are in each other's way", () =>
    Effect.gen(function* () {
      const home = yield* withPlugin(quietPlugin, "install opencode --project")
      const look = (scope: string) =>
        Effect.map(doctor(home, {}, undefined, `doctor opencode ${scope}`), ({ code, out }) => ({
          code,
          out: bare(out)
        }))
      const here = yield* look("--project")
      assert.deepStrictEqual([here.code, here.out.includes("~/project/opencode.json (this project)")], [0, true])
      const everywhere = yield* look("--global")
      assert.strictEqual(everywhere.code, 1)
      assert.include(everywhere.out, "not installed for all your projects: run `reflexion install opencode`")
      assert.notInclude(everywhere.out, "project/opencode.json")
      yield* home.run("uninstall opencode --project")
      home.put(config, '{ "plugin": ["@reflexion/opencode"] }')
      const gone = yield* look("--project")
      assert.strictEqual(gone.code, 1)
      assert.include(gone.out, "not installed for this project: run `reflexion install opencode --project`")
      assert.notInclude(gone.out, "@reflexion/opencode")
      assert.strictEqual((yield* look("--global")).code, 0)
      home.put(local, '{ "plugin": ["@reflexion/opencode@0.1.0", "file:///elsewhere/server.js"] }')
      assert.strictEqual((yield* look("--project")).code, 0)
      home.put(local, "{")
      assert.deepStrictEqual([(yield* look("--project")).code, (yield* look("--global")).code], [2, 0])
    })
  )

  it.scoped("says what is missing, and what it could not read", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const none = yield* doctor(home)
      assert.deepStrictEqual(
        [none.code, bare(none.out).includes("not installed: run `reflexion install opencode`")],
        [1, true]
      )
      home.put(config, "{")
      const { code, out } = yield* doctor(home)
      assert.deepStrictEqual([code, bare(out).includes("opencode.json:1:2: not valid JSON")], [2, true])
    })
  )
})

describe("reflexion doctor opencode in a project that nobody vouches for", () => {
  it.scoped("loads nothing that the user's records do not have", () =>
    Effect.gen(function* () {
      const home = yield* withPlugin(quietPlugin)
      home.put(local, home.read(config) ?? "")
      const { code, out } = yield* doctor(home)
      assert.strictEqual(code, 1)
      assert.include(bare(out), "not run: ~/project/opencode.json is the project's")
      assert.include(bare(out), "run `reflexion install opencode --project`")
    })
  )

  it.scoped.each([
    ["a file of the project", (home: Home) => join(home.project, "server.js")],
    [
      "a file next to the copies",
      (home: Home) => join(home.home, ".local/share/reflexion/hooks/opencode/../1/server.js")
    ],
    ["a package of another name", () => "@reflexion/opencode-evil"]
  ] as const)("does not load %s", ([, spec]) =>
    Effect.gen(function* () {
      const home = yield* withPlugin(quietPlugin)
      for (const name of ["project/server.js", ".local/share/reflexion/hooks/1/server.js"]) home.put(name, evil(home))
      home.put(local, JSON.stringify({ plugin: [spec(home)] }))
      assert.strictEqual((yield* doctor(home)).code, 0)
      assert.isFalse(existsSync(join(home.root, "ran")))
    })
  )

  it.scoped("loads what the user installed for it, without the options that it sets", () =>
    Effect.gen(function* () {
      const source = quietPlugin.replace(
        "async () => ({ event })",
        "async (_, options) => { if (options.x) throw options.x; return { event } }"
      )
      const home = yield* withPlugin(source, "install opencode --project")
      const { out } = yield* doctor(home)
      assert.include(bare(out), "~/project/opencode.json (this project)")
      assert.include(bare(out), "loaded and reviewed a sample")
      home.put(local, (home.read(local) ?? "").replace(/("file:[^"]+")/, '[$1, { "x": "y" }]'))
      assert.include(bare((yield* doctor(home)).out), "loaded and reviewed a sample")
    })
  )
})
