/** The command `reflexion judge`. */
import * as Effect from "effect/Effect"
import { choice, flag, program, text, words } from "../command/Parts.ts"
import * as Hosts from "../host/Hosts.ts"
import type { JudgeArguments } from "./request.ts"

const options = {
  show: choice("show", ["verdict", "stuck", "compaction", "score"], "What to show of a session (verdict)."),
  host: choice(
    "host",
    ["auto", ...Hosts.decoders.map(({ host }) => host)],
    "The format of the session's record; auto tells it by the content (auto)."
  ),
  turn: text("turn", "last|all|N", "verdict: which turns to judge, counted from 0 (last)."),
  cwd: text("cwd", "DIR", "The working copy to look at instead of the session's own directory."),
  task: text(
    "task",
    "TEXT",
    "What was asked, over the session's own prompt; for stuck only where the record has none."
  ),
  profile: choice(
    "profile",
    ["balanced", "strict", "advisory"],
    "Which gates a task must pass; under advisory nobody is nudged."
  ),
  attended: choice(
    "attended",
    ["auto", "true", "false"],
    "verdict: whether a person is there to answer the agent; auto goes by the session's record."
  ),
  format: choice(
    "format",
    ["text", "json", "jsonl"],
    "text to read (default), one JSON document, or one record a line."
  ),
  now: text(
    "now",
    "ISO",
    "verdict, stuck: the time to judge at, such as 2026-01-31T12:00:00Z. By default that of the session's last event, for stuck the present: the silence lasts until then."
  ),
  model: text(
    "model",
    "off|auto|PROVIDER/MODEL",
    "verdict, score: the model to ask about what the evidence leaves undecided (off); auto is the one that the configuration or a key in the environment gives."
  ),
  checks: flag(
    "checks",
    "verdict: run the checks that your configuration names under checks, for required gates of the last turn that have no result. They run in the session's directory, as you."
  ),
  "done-when": text(
    "done-when",
    "FILE",
    "verdict: when the task is done, in your words, one condition in a line of that file. A line that names a command, as `npm test` passes or $ npm test, must have passed; --checks runs it."
  ),
  "cross-review": flag(
    "cross-review",
    "verdict: have what the last turn changed reviewed, if it is judged complete, by the models of crossReview in your configuration; without one, by the --model."
  ),
  files: words("SESSION")
}

export const alone = program(
  {
    name: "reflexion judge",
    usage: "reflexion judge [SESSION...] [--show verdict|stuck|compaction|score] [options]",
    summary:
      "Decides from evidence whether the task of a coding agent's session is done, what is missing and what to tell the agent. No model, no key, no network and nothing run, unless --model, --checks or --cross-review says so.",
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
  },
  options,
  (given: JudgeArguments) =>
    Effect.flatMap(
      Effect.promise(() => import("./Judge.ts")),
      ({ run }) => run(given)
    )
)

export const verbs = {}
