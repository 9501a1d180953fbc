/** `reflexion judge`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandSpec, type OptionSpec, values } from "../command/CommandSpec.ts"
import { option } from "../command/Verbs.ts"
import * as Hosts from "../host/Hosts.ts"
import type { OptionName } from "./request.ts"

const options: Readonly<Record<OptionName, OptionSpec>> = {
  show: option("show", "VIEW", "What to show of a session; verdict is the default.", {
    choices: ["verdict", "stuck", "compaction", "score"]
  }),
  host: option("host", "HOST", "The format of the session's record; auto tells it by the content (default).", {
    choices: ["auto", ...Hosts.decoders.map(({ host }) => host)]
  }),
  turn: option(
    "turn",
    "TURN",
    "verdict: which turns to judge, which are last (default), all, or the number of one, counted from 0."
  ),
  cwd: option("cwd", "DIR", "The working copy to look at instead of the session's own directory."),
  task: option(
    "task",
    "TEXT",
    "What was asked, over the session's own prompt; for stuck only where the record has none."
  ),
  profile: option("profile", "PROFILE", "Which gates a task must pass; under advisory nobody is nudged.", {
    choices: ["balanced", "strict", "advisory"]
  }),
  attended: option(
    "attended",
    "ATTENDED",
    "verdict: whether a person is there to answer the agent; auto goes by the session's record.",
    { choices: ["auto", "true", "false"] }
  ),
  format: option("format", "FORMAT", "text to read (default), one JSON document, or one record a line.", {
    choices: ["text", "json", "jsonl"]
  }),
  now: option(
    "now",
    "ISO",
    "verdict, stuck: the time to judge at, such as 2026-01-31T12:00:00Z. By default that of the session's last event, for stuck the present: the silence lasts until then."
  ),
  model: option(
    "model",
    "MODEL",
    "verdict, score: the model to ask about what the evidence leaves undecided: off (default), auto for the one that the configuration or a key in the environment gives, or PROVIDER/MODEL.",
    { suggestions: ["off", "auto"] }
  ),
  checks: option(
    "checks",
    null,
    "verdict: run the checks that your configuration names under checks, for required gates of the last turn that have no result. They run in the session's directory, as you."
  ),
  "done-when": option(
    "done-when",
    "FILE",
    "verdict: when the task is done, in your words, one condition in a line of that file. A line that names a command, as `npm test` passes or $ npm test, must have passed; --checks runs it."
  ),
  "cross-review": option(
    "cross-review",
    null,
    "verdict: have what the last turn changed reviewed, if it is judged complete, by the models of crossReview in your configuration; without one, by the --model."
  )
}

export const spec: CommandSpec = {
  name: "judge",
  usage:
    "reflexion judge [SESSION...] [--show verdict|stuck|compaction|score] [--turn last|all|N] [--format text|json|jsonl] [--model MODEL] [--checks] [--done-when FILE] [--cross-review] [options]",
  summary:
    "Decides from evidence whether the task of a coding agent's session is done, what is missing and what to tell the agent. No model, no key, no network and nothing run, unless --model, --checks or --cross-review says so.",
  operands: "files",
  options: Object.values(options),
  notes: [
    [
      "Sessions",
      [
        [
          "SESSION",
          "The file of a session's record, packed (gzip, zstd) or not. Subagents are read with their session."
        ],
        ["-", "Standard input."],
        ["(none)", "The newest session of the current directory."]
      ]
    ],
    [
      "Views",
      [
        ["verdict", "Whether the task of the last turn is done."],
        ["stuck", "Whether the session is stuck, waits for its user, works or is done, and the loops it is in."],
        ["compaction", "What to tell the agent after its context was compacted."],
        ["score", "How well the agent worked on the last task, from 0 (nothing done) to 5 (done and proved)."]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "verdict: complete. stuck: nothing to do. compaction, score: shown"],
        ["1", "verdict: not complete. stuck: stuck, or in a loop"],
        ["2", "could not judge: the reason is on standard error"],
        ["3", "verdict: abstained, for neither the evidence nor a model that was asked decides it"],
        ["", "Of several sessions 2 over 1 over 3 over 0, by their last turns."]
      ]
    ]
  ]
}

export const command = Command.make(
  spec.name,
  { files: Args.text({ name: "SESSION" }).pipe(Args.repeated), given: values(options) },
  ({ files, given }) =>
    Effect.flatMap(
      Effect.promise(() => import("./Judge.ts")),
      ({ run }) => run({ ...given, files })
    )
).pipe(Command.withDescription(spec.summary))
