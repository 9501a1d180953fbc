/** The command `reflexion uninstall`. */
import * as Effect from "effect/Effect"
import { flag, program, words } from "../command/Parts.ts"

export const alone = program(
  {
    name: "reflexion uninstall",
    usage: "reflexion uninstall [HOST...] [--global|--project] [--dry-run]",
    summary:
      "Takes the hooks, or the plugin, out again, without HOST of every agent. A file that nobody changed since becomes what it was, to the byte; of others only reflexion's own lines go.",
    notes: [
      [
        "Exit status",
        [
          ["0", "taken out, or nothing was there"],
          ["2", "not all of it could be taken out: what could not, and why, is on standard error"]
        ]
      ]
    ]
  },
  {
    global: flag("global", "Only what is installed by the settings in your home directory."),
    project: flag("project", "Only what is installed for the project of the current directory."),
    dryRun: flag("dry-run", "Show each change as a diff and write nothing."),
    hosts: words("HOST")
  },
  (given) =>
    Effect.flatMap(
      Effect.promise(() => import("./Install.ts")),
      ({ uninstall }) => uninstall({ ...given, loopWatch: null, yes: null })
    )
)

export const verbs = {}
