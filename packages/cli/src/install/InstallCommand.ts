/** `reflexion install` and `reflexion uninstall`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { type CommandSpec, values } from "../command/CommandSpec.ts"
import { options } from "./options.ts"
import { all, names } from "../host/Hosts.ts"

export const installSpec: CommandSpec = {
  name: "install",
  usage: "reflexion install [HOST...] [--global|--project] [options]",
  summary:
    "Installs the hooks, for OpenCode the plugin, with which reflexion reviews every turn of a coding agent. Without HOST it finds the agents on this machine, shows what it would do, and asks once. Run again, it changes nothing.",
  operands: names,
  options: Object.values(options),
  notes: [
    [
      "Then",
      [
        [
          "",
          "On a terminal it asks whether reflexion may run the checks that the project's files suggest, and whether your own small model may be asked at stops: see reflexion allow."
        ]
      ]
    ],
    ["What changes", all.map(({ installation: { words }, name }) => [name, words.changes])],
    [
      "Exit status",
      [
        ["0", "installed, or nothing to change"],
        ["2", "nothing was changed for an agent: the reason is on standard error"]
      ]
    ]
  ]
}

const fewer = Struct.pick(options, "global", "project", "dryRun")

export const uninstallSpec: CommandSpec = {
  name: "uninstall",
  usage: "reflexion uninstall [HOST...] [--global|--project] [--dry-run]",
  summary:
    "Takes the hooks, or the plugin, out again, without HOST of every agent. A file that nobody changed since becomes what it was, to the byte; of others only reflexion's own lines go.",
  operands: names,
  options: Object.values(fewer),
  notes: [
    [
      "Exit status",
      [
        ["0", "taken out, or nothing was there"],
        ["2", "not all of it could be taken out: what could not, and why, is on standard error"]
      ]
    ]
  ]
}

const hosts = Args.text({ name: "HOST" }).pipe(Args.repeated)

const program = Effect.promise(() => import("./Install.ts"))

export const install = Command.make(installSpec.name, { hosts, given: values(options) }, ({ given, hosts }) =>
  Effect.flatMap(program, ({ install }) => install({ ...given, hosts }))
).pipe(Command.withDescription(installSpec.summary))

export const uninstall = Command.make(uninstallSpec.name, { hosts, given: values(fewer) }, ({ given, hosts }) =>
  Effect.flatMap(program, ({ uninstall }) => uninstall({ ...given, hosts, loopWatch: null, yes: null }))
).pipe(Command.withDescription(uninstallSpec.summary))
