/** `reflexion install` and `reflexion uninstall`. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { flag, type CommandSpec, type OptionSpec } from "../command/CommandSpec.ts"
import { all, names } from "../host/Hosts.ts"
import { hosts } from "./model.ts"

const options = {
  global: {
    name: "global",
    value: null,
    description: "For everything that you do with the host, by the settings in your home directory (default)."
  },
  project: {
    name: "project",
    value: null,
    description: "For the project of the current directory alone, on this machine."
  },
  loopWatch: {
    name: "loop-watch",
    value: null,
    description: "Also watch every tool call for loops (Claude Code alone)."
  },
  dryRun: {
    name: "dry-run",
    value: null,
    description: "Show what would change and write nothing."
  },
  yes: {
    name: "yes",
    value: null,
    description: "Ask nothing. It takes no check and has no model asked: those need your own y."
  }
} as const satisfies Record<string, OptionSpec>

export const installSpec: CommandSpec = {
  name: "install",
  usage: `reflexion install ${names.join("|")} [--global|--project] [--dry-run] [options]`,
  summary:
    "Installs the hooks, for OpenCode the plugin, with which reflexion reviews every turn of a coding agent. Shows each change that it makes to a file; run again, it changes nothing.",
  operands: names,
  options: Object.values(options),
  notes: [
    [
      "Checks",
      [
        [
          "",
          "In a project it shows the checks that the project's files suggest and asks, on a terminal, whether reflexion may run them; with a yes each is run once: see reflexion allow checks."
        ]
      ]
    ],
    [
      "A model",
      [
        [
          "",
          "It then asks once, on a terminal, whether your own small model may be asked at stops of work, and says what that takes: see reflexion models on."
        ]
      ]
    ],
    ["What changes", all.map(({ installation: { words }, name }) => [name, words.changes])],
    [
      "Exit status",
      [
        ["0", "installed, or nothing to change"],
        ["2", "nothing was changed: the reason is on standard error"]
      ]
    ]
  ]
}

export const uninstallSpec: CommandSpec = {
  name: "uninstall",
  usage: `reflexion uninstall ${names.join("|")} [--global|--project] [--dry-run]`,
  summary:
    "Takes the hooks, or the plugin, out again. A file that nobody changed since becomes what it was, to the byte; of others only reflexion's own lines go.",
  operands: names,
  options: [options.global, options.project, options.dryRun],
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

const program = Effect.promise(() => import("./Install.ts"))

export const install = Command.make(
  installSpec.name,
  {
    hosts,
    global: flag(options.global),
    project: flag(options.project),
    loopWatch: flag(options.loopWatch),
    dryRun: flag(options.dryRun),
    yes: flag(options.yes)
  },
  (given) => Effect.flatMap(program, ({ install }) => install(given))
).pipe(Command.withDescription(installSpec.summary))

export const uninstall = Command.make(
  uninstallSpec.name,
  { hosts, global: flag(options.global), project: flag(options.project), dryRun: flag(options.dryRun) },
  (given) => Effect.flatMap(program, ({ uninstall }) => uninstall({ ...given, loopWatch: false, yes: false }))
).pipe(Command.withDescription(uninstallSpec.summary))
