/** `reflexion allow`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandSpec, hint, values } from "../command/CommandSpec.ts"
import { options, type Given } from "./options.ts"
import { oneLine } from "../terminal/Layout.ts"
import { usage } from "./consent.ts"

const kinds = ["checks", "model", "workspace"]

export const spec: CommandSpec = {
  name: "allow",
  usage:
    "reflexion allow checks [NAME [COMMAND]] | allow model [HOST|PROVIDER/MODEL] | allow workspace [DIR] [--yes] [--revoke]",
  summary:
    "Allows what reflexion does only with your word: running a project's checks, asking a model, and believing what a project says. Each shows first what it means, and asks.",
  operands: kinds,
  options: Object.values(options),
  notes: [
    [
      "checks",
      [
        ["", "those that the project's files suggest, and those whose script changed since you agreed"],
        ["NAME", "one of them; with COMMAND your own, as in: allow checks tests 'make test'"],
        ["kept", "each is run once; what gives no result within two minutes is kept only where you name it"]
      ]
    ],
    [
      "model",
      [
        ["HOST", "your agent's own small model is asked at stops of work, where your login pays for it"],
        ["PROVIDER/MODEL", "is tried on 30 written sessions that come with reflexion; nothing of yours is sent"],
        ["", "24 or more right: its word sends an agent on from the threshold that it earned; fewer: it tells you"]
      ]
    ],
    [
      "workspace",
      [
        [".reflection/config.json", "the project's configuration, which cannot do without trust what is shown"],
        [".reflection.md", "the project's guidance (also reflection.md)"],
        ["", "A change of any of these voids the trust in them."],
        [".reflection/reflections.jsonl", "the lessons that others wrote there, or all where git tracks the file"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "kept, or taken back"],
        ["1", "a model was tried and kept: it got fewer than 24 right"],
        ["2", "nothing was kept: the reason is on standard error"]
      ]
    ]
  ]
}

const checks = Effect.promise(() => import("./AllowChecks.ts"))
const model = Effect.promise(() => import("./AllowModel.ts"))
const workspace = Effect.promise(() => import("./AllowWorkspace.ts"))

export const command = Command.make(
  spec.name,
  { given: values(options), words: Args.text({ name: "WORD" }).pipe(Args.repeated) },
  Effect.fnUntraced(function* ({ given, words: [what, ...words] }) {
    const asked: Given = { ...given, words }
    if (what === "checks") return yield* Effect.flatMap(checks, ({ run }) => run(asked))
    if (what === "model") return yield* Effect.flatMap(model, ({ run }) => run(asked))
    if (what === "workspace") return yield* Effect.flatMap(workspace, ({ run }) => run(asked))
    return yield* usage(
      what === undefined
        ? "say what is allowed: checks, model or workspace"
        : `"${oneLine(what.slice(0, 100))}" is not one of ${kinds.join(", ")}${hint(what, kinds)}`
    )
  })
).pipe(Command.withDescription(spec.summary))
