import { assert, describe } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { ofTwo } from "../src/install/Plan.ts"
import type { Home } from "./hooksHome.ts"
import { scenes } from "./scenes.ts"

const fresh = ".config/opencode/opencode.json"

const theirs = String.raw`{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "theme": "system",\n  "plugin": ["./mine.js"], // please\n}\n`

/** How a configuration names a copy: the path of the next version's copy, or of this one's. */
const copy =
  (isNext: boolean) =>
  ({ home }: Home): string => {
    const folder = join(home, ".local/share/reflexion/hooks/opencode")
    const all = readdirSync(folder).map((id) => pathToFileURL(join(folder, id, "server.js")).href)
    return all.find((one) => readFileSync(fileURLToPath(one), "utf8").includes("// next") === isNext) ?? ""
  }

const withOptions = (one: string): string =>
  String.raw`{\n  "plugin": [\n    ["${one}", { "maxAttempts": 1 }] // few\n  ]\n}\n`

const listing = (plugins: string): string =>
  String.raw`{\n  // mine\n  "plugin": [${plugins}],\n  "theme": "system"\n}\n`

const mine = '"./mine.js", "@reflexion/opencode-theme"'

const taken = (
  [
    ["{fresh}", "", " --project"],
    ["project/opencode.json", " --project", " --global"]
  ] as const
).map(
  ([file, scope, other]) => String.raw`
    # its package goes from ${file}, and nothing else
    put ${file} ${listing(`${mine}, ["@reflexion/opencode@0.1.0", { "maxAttempts": 2 }]`)}
    $ uninstall opencode${scope} --dry-run ¦ + Run it without --dry-run to remove this.
    $ uninstall opencode${scope} ¦ + The plugin is removed.
    ${file} = ${listing(mine)}
    $ uninstall opencode${scope} ¦ + Not installed here; nothing changes.
    put ${file} ${listing('"@reflexion/opencode"')} ¦ start
    $ uninstall opencode${other}
    + ${"`"}reflexion uninstall opencode${scope}${"`"} removes it.
    same`
)

/** Every file that OpenCode reads. */
const read = [
  ".opencode/opencode.json",
  ".config/opencode/config.json",
  "project/src/opencode.json",
  "project/src/.opencode/opencode.jsonc",
  "project/opencode.json"
]

describe("reflexion install opencode", () => {
  scenes(
    String.raw`
    # the copy joins the user's plugins, and goes to the byte
    put {config} {theirs} ¦ start
    $ install opencode ¦ {config} + server.js ¦ {config} + // please ¦ + OpenCode loads plugins when it starts: restart it if it is running. ¦ - hooks of
    $ install opencode ¦ + nothing changes
    $ uninstall opencode ¦ + The plugin is removed. If OpenCode is running, restart it. ¦ + The records stay until you delete them ¦ same ¦ .local/share/reflexion/hooks/opencode gone

    # XDG_CONFIG_HOME says where, if it is absolute
    $ XDG_CONFIG_HOME={home}/etc install opencode ¦ etc/opencode/opencode.json + server.js
    $ XDG_CONFIG_HOME=relative install opencode ¦ {fresh} + server.js

    # another version takes its place, and its options stay
    $ install opencode
    put {fresh} ${withOptions("{copy}")}
    $ HOOKS=next install opencode ¦ {fresh} = ${withOptions("{next}")}
    $ uninstall opencode ¦ {fresh} gone

    # Kilo has copies and files of its own, and its schema
    put .config/kilo/kilo.jsonc {theirs} ¦ put project/opencode.json {package} ¦ start
    $ install kilo ¦ .config/kilo/kilo.jsonc + hooks/kilo/ ¦ + Kilo loads plugins when it starts: restart it if it is running.
    $ install opencode --project ¦ + ~/project/opencode.json names the package @reflexion/opencode
    $ uninstall kilo ¦ same ¦ .local/share/reflexion/hooks/kilo gone
    put project/.kilo/agent/a.md
    $ install kilo --project ¦ project/.kilo/kilo.json + https://app.kilo.ai/config.json
    put .kilocode/kilo.json { "plugin": ["@reflexion/opencode"] }
    $ install kilo ¦ + ~/.kilocode/kilo.json names the package @reflexion/opencode, which Kilo

    # where two files have it, one keeps it
    $ install opencode
    put {config} {text}
    $ install opencode ¦ {config} + server.js ¦ {fresh} gone

    # the copies go from every file that OpenCode reads
    $ install opencode
    ${read.map((file) => `put ${file} {themed}`).join("\n")}
    $ uninstall opencode
    $ uninstall opencode --project
    ${read.map((file) => `value ${file} {"$schema":"https://opencode.ai/config.json","theme":"x"}`).join("\n")}

    # its package stays, which a file names: the user's
    put {fresh} {package} ¦ start ¦ $ install opencode ¦ + Already installed: ~/{fresh} names the package @reflexion/opencode ¦ + {two} ¦ same
    .local/share/reflexion/hooks/opencode gone
    # its package stays, which a file names: the home directory's
    put .opencode/opencode.json {package} ¦ start ¦ $ install opencode ¦ + ~/.opencode/opencode.json names the package @reflexion/opencode ¦ same
    # its package stays, which a file names: a folder's
    put project/src/opencode.json {package} ¦ start ¦ $ install opencode ¦ + ~/project/src/opencode.json names the package @reflexion/opencode ¦ same
    # its package stays, which a file names: the project's
    put project/opencode.json {package} ¦ start ¦ $ install opencode ¦ + ~/project/opencode.json names the package @reflexion/opencode ¦ same
    # its package stays, which a file names: the project's own
    put project/.opencode/opencode.jsonc {package} ¦ start ¦ $ install opencode ¦ + ~/project/.opencode/opencode.jsonc names the package @reflexion/opencode ¦ same
    ${taken.join("")}

    # a project has it in the file that is there, else next to its .opencode
    $ install opencode --project ¦ project/opencode.json + server.js ¦ {fresh} gone
    $ uninstall opencode --project
    put project/.opencode/agent/a.md
    $ install opencode --project ¦ project/.opencode/opencode.json + server.js
    $ uninstall opencode --project
    put project/opencode.jsonc {theirs}
    $ install opencode --project ¦ project/opencode.jsonc + server.js
    $ uninstall opencode --project ¦ project/opencode.jsonc = {theirs}

    # a file that cannot be read stays as it is, and is named
    put {config} {\n  "plugin": {}\n} ¦ start
    $2 install opencode ¦ ! opencode.jsonc:2:13: plugin should be a list ¦ same

    # its line alone goes from a file that was changed since
    $ install opencode
    sub {fresh} "plugin": [ ==> "theme": "x",\n  "plugin": ["a", 
    $ uninstall opencode ¦ value {fresh} {"$schema":"https://opencode.ai/config.json","theme":"x","plugin":["a"]}
    `,
    {
      words: {
        theirs,
        fresh,
        two: ofTwo,
        package: '{ "plugin": [["@reflexion/opencode@0.1.0", {}]] }',
        config: ".config/opencode/opencode.jsonc",
        copy: copy(false),
        next: copy(true),
        text: (home) => home.read(fresh) ?? "",
        themed: (home) => (home.read(fresh) ?? "").replace('"plugin"', '"theme": "x", "plugin"')
      },
      verbs: {
        value: (rest, home) => {
          const [name = "", ...json] = rest.split(" ")
          assert.deepStrictEqual(JSON.parse(home.read(name) ?? ""), JSON.parse(json.join(" ")))
        }
      }
    }
  )
})
