/** `reflexion trust` and `reflexion untrust`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import type { CommandSpec } from "../command/CommandSpec.ts"

const notes: CommandSpec["notes"] = [
  [
    "What is trusted",
    [
      [
        ".reflection/config.json",
        "the project's configuration: without trust it cannot raise maxAttempts, name a model or a provider, or let a command run, and no text shows its gates' commands"
      ],
      [".reflection.md", "the project's guidance (also reflection.md)"],
      ["", "A change of any of these voids the trust in them."],
      [
        ".reflection/reflections.jsonl",
        "the memory: what others wrote there, and all of one that git tracks, goes into no prompt without trust. What is added later by others is not trusted."
      ]
    ]
  ],
  [
    "Exit status",
    [
      ["0", "done, or nothing to do"],
      ["2", "nothing was changed: the reason is on standard error"]
    ]
  ]
]

export const trustSpec: CommandSpec = {
  name: "trust",
  usage: "reflexion trust [DIR]",
  summary:
    "Trusts what a project brings along for reflexion, as it is now. Shows the files and what they change; without DIR, of the project of the current directory.",
  operands: "directories",
  options: [],
  notes
}

export const untrustSpec: CommandSpec = {
  name: "untrust",
  usage: "reflexion untrust [DIR]",
  summary: "Takes the trust in a project back.",
  operands: "directories",
  options: [],
  notes: notes.slice(1)
}

const directories = Args.text({ name: "DIR" }).pipe(Args.repeated)

const program = Effect.promise(() => import("./TrustProject.ts"))

export const trust = Command.make(trustSpec.name, { directories }, ({ directories }) =>
  Effect.flatMap(program, ({ trust }) => trust(directories))
).pipe(Command.withDescription(trustSpec.summary))

export const untrust = Command.make(untrustSpec.name, { directories }, ({ directories }) =>
  Effect.flatMap(program, ({ untrust }) => untrust(directories))
).pipe(Command.withDescription(untrustSpec.summary))
