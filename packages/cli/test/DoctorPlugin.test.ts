import { assert, describe } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { ofTwo } from "../src/install/Plan.ts"
import { type Home, quietPlugin, withHosts } from "./hooksHome.ts"
import { escaped, scenes } from "./scenes.ts"

const config = ".config/opencode/opencode.json"
const local = "project/opencode.json"

/** The copy that is installed, relative to the home directory. */
const copy = (home: Home): string => {
  const folder = ".local/share/reflexion/hooks/opencode"
  return `${folder}/${readdirSync(join(home.home, folder))[0]}/server.js`
}

const plugin = (body: string): string => `export default { id: "reflexion", server: async ({ client }) => { ${body} } }`

/** A plugin that writes a file when it runs. */
const evil = plugin('(await import("node:fs")).writeFileSync("{root}/ran", "")')

/** What a plugin does at the doctor's trial, and what the doctor says of it. */
const trials = (
  [
    [plugin('throw new Error("no luck")'), "could not be started: Error: no luck"],
    ["export default {", "could not be started: SyntaxError"],
    ["process.exit(3)", "ended with exit status 3"],
    [`${quietPlugin}console.error("hello")`, 'printed text that would disturb the host\'s screen: "hello"']
  ] as const
).map(
  ([source, said]) => `
    # a plugin that ${said}
    put ../hooks/opencode/server.js ${escaped(source)}
    $ install opencode
    $1 doctor opencode
    + ${said}`
)

describe("reflexion doctor opencode", () => {
  scenes(
    String.raw`
    # all is well
    $ install opencode
    $ doctor opencode ¦ + 1.18.33, ~/bin/opencode ¦ + ~/.config/opencode/opencode.json (all your projects) ¦ + the version of this reflexion
    + loaded and started, and printed nothing ¦ + All is well.

    # the plugin that is shipped starts, without a trace
    put scratch/.keep
    $ HOOKS=built install opencode
    start
    $ HOOKS=built TMPDIR={home}/scratch doctor opencode ¦ + loaded and started, and printed nothing
    same ¦ state installed
    ${trials.join("")}

    # a copy that is not whole is not loaded, and one of another version is told of
    $ install opencode
    put {copy} {evil}
    $1 doctor opencode ¦ + is damaged: run {tick}reflexion install opencode{tick} ¦ ../ran gone
    rm {folder}
    $1 doctor opencode ¦ + its files are gone: run {tick}reflexion install opencode{tick}
    $ install opencode
    $ doctor opencode
    $1 HOOKS=next doctor opencode ¦ + is installed, but this reflexion has

    # two different ones are told of, and one that is named twice is not
    $ install opencode
    $ install opencode --project
    $ doctor opencode
    put project/.opencode/opencode.json { "plugin": ["@reflexion/opencode"] }
    $1 doctor opencode ¦ ~ twice ~/\.config/opencode/opencode\.json and .+ load different copies ¦ + ${ofTwo}

    # the scope alone that is named is looked at, but for two plugins that are in each other's way
    $ install opencode --project
    $ doctor opencode --project ¦ + ~/project/opencode.json (this project)
    $1 doctor opencode --global ¦ + not installed for all your projects: run {tick}reflexion install opencode{tick} ¦ - project/opencode.json
    $ uninstall opencode --project
    put {config} { "plugin": ["@reflexion/opencode"] }
    $1 doctor opencode --project ¦ + not installed for this project: run {tick}reflexion install opencode --project{tick} ¦ - @reflexion/opencode
    $ doctor opencode --global
    put {local} { "plugin": ["@reflexion/opencode@0.1.0", "file:///elsewhere/server.js"] }
    $ doctor opencode --project
    put {local} {
    $2 doctor opencode --project
    $ doctor opencode --global

    # what is missing is said, and what could not be read
    $1 doctor opencode ¦ + not installed: run {tick}reflexion install opencode{tick}
    put {config} {
    $2 doctor opencode ¦ + opencode.json:1:2: not valid JSON

    # nothing is loaded that a project names
    $ install opencode ¦ put project/server.js {evil} ¦ put .local/share/reflexion/hooks/1/server.js {evil}
    put {local} {"plugin":["{project}/server.js"]} ¦ $ doctor opencode ¦ ../ran gone
    put {local} {"plugin":["{home}/.local/share/reflexion/hooks/opencode/../1/server.js"]} ¦ $ doctor opencode ¦ ../ran gone
    put {local} {"plugin":["@reflexion/opencode-evil"]} ¦ $ doctor opencode ¦ ../ran gone

    # a copy of ours is not loaded for a project whose user did not install it there
    $ install opencode
    put {local} {text}
    $1 doctor opencode ¦ + not run: ~/project/opencode.json belongs to the project ¦ + run {tick}reflexion install opencode --project{tick}

    # what the user installed for a project is loaded, without the options that the project sets
    put ../hooks/opencode/server.js {picky}
    $ install opencode --project
    $ doctor opencode ¦ + ~/project/opencode.json (this project) ¦ + loaded and started
    put {local} {"plugin":[["file://{home}/{copy}",{"x":"y"}]]}
    $ doctor opencode ¦ + loaded and started
    `,
    {
      words: {
        copy,
        local,
        config,
        evil,
        folder: (home) => dirname(copy(home)),
        tick: "`",
        text: (home) => home.read(config) ?? "",
        picky: escaped(
          quietPlugin.replace(
            "async () => ({ event })",
            "async (_, options) => { if (options.x) throw options.x; return { event } }"
          )
        )
      },
      home: withHosts,
      env: ({ home }) => ({ PATH: join(home, "bin") }),
      verbs: {
        state: (names, home) =>
          assert.deepStrictEqual(readdirSync(join(home.home, ".local/state/reflexion")), names.split(" "))
      }
    }
  )
})
