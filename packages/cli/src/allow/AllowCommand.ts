/** The command `reflexion allow`. */
import * as Effect from "effect/Effect"
import { flag, program, words } from "../command/Parts.ts"
import type { AllowArguments } from "./options.ts"

const options = {
  yes: flag("yes", "Agrees without a question, for example where there is no terminal."),
  revoke: flag("revoke", "Takes it back.")
}

const kept = ["0", "kept, or taken back"] as const
const nothing = ["2", "nothing was kept: the reason is on standard error"] as const

export const alone = null

export const verbs = {
  checks: program(
    {
      name: "reflexion allow checks",
      usage: "reflexion allow checks [NAME [COMMAND]] [--yes] [--revoke]",
      summary: "Allows running a project's checks at the stop of an agent. Each is run once first.",
      notes: [
        [
          "Which",
          [
            ["(none)", "those that the project's files suggest, and those whose script changed since you agreed"],
            ["NAME", "one of them; with COMMAND your own, as in: allow checks tests 'make test'"],
            ["", "What gives no result within two minutes is kept only where you name it."]
          ]
        ],
        ["Exit status", [kept, nothing]]
      ]
    },
    { ...options, words: words("WORD") },
    (given: AllowArguments) =>
      Effect.flatMap(
        Effect.promise(() => import("./AllowChecks.ts")),
        ({ run }) => run(given)
      )
  ),
  model: program(
    {
      name: "reflexion allow model",
      usage: "reflexion allow model [HOST|PROVIDER/MODEL] [--yes] [--revoke]",
      summary: "Allows asking a model at the stops of an agent.",
      notes: [
        [
          "Which",
          [
            ["HOST", "your agent's own small model is asked at stops of work, where your login pays for it"],
            ["PROVIDER/MODEL", "is tried on 30 written sessions that come with reflexion; nothing of yours is sent"],
            ["", "24 or more right: its word sends an agent on from the threshold that it earned; fewer: it tells you"]
          ]
        ],
        ["Exit status", [kept, ["1", "a model was tried and kept: it got fewer than 24 right"], nothing]]
      ]
    },
    { ...options, words: words("MODEL") },
    (given: AllowArguments) =>
      Effect.flatMap(
        Effect.promise(() => import("./AllowModel.ts")),
        ({ run }) => run(given)
      )
  ),
  workspace: program(
    {
      name: "reflexion allow workspace",
      usage: "reflexion allow workspace [DIR] [--yes] [--revoke]",
      summary: "Trusts what a project brings along, as it is now. It shows first what that changes.",
      notes: [
        [
          "What",
          [
            [".reflection/config.json", "the project's configuration, which cannot do without trust what is shown"],
            [".reflection.md", "the project's guidance (also reflection.md)"],
            [".reflection/reflections.jsonl", "the lessons that others wrote there, or all where git tracks the file"],
            ["", "A change of any of these voids the trust in them."]
          ]
        ],
        ["Exit status", [kept, nothing]]
      ]
    },
    { ...options, words: words("DIR") },
    (given: AllowArguments) =>
      Effect.flatMap(
        Effect.promise(() => import("./AllowWorkspace.ts")),
        ({ run }) => run(given)
      )
  )
}
