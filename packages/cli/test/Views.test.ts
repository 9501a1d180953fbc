/** The screens and records of `reflexion judge --show`, word for word, and the data behind the views. */
import { describe } from "@effect/vitest"
import { CompactionAssessment } from "@reflexion/core/Compaction"
import { Score } from "@reflexion/core/Score"
import { Assessment } from "@reflexion/core/StuckAssessment"
import { Effect, Schema } from "effect"
import { golden } from "./golden.ts"
import { hooksHome } from "./hooksHome.ts"
import { scenes } from "./scenes.ts"
import { claudeCode, failing, neutral, passing, text, turn } from "./sessions.ts"
import * as Silences from "./silences.ts"

const compacted = Silences.session([
  Silences.user("Add a --json flag to the export command in src/export.ts."),
  Silences.bash("cat src/export.ts", { output: "export const run = () => {}" }),
  { type: "notice", kind: "compacted", detail: "auto" }
])

const files = {
  "turns.jsonl": text(claudeCode([passing, failing])),
  "limited.jsonl": text(claudeCode([turn("Fix the test. / You've hit your limit · resets 3pm (Europe/Berlin)")])),
  "stuck.json": Silences.stuck,
  "looping.json": Silences.looping,
  "alternating.json": Silences.alternating,
  "working.json": Silences.working,
  "waiting.json": Silences.waiting,
  "complete.json": Silences.complete,
  "compacted.json": compacted,
  "timeless.json": Silences.stuck.replace(/"at":"[^"]{1,40}",/gu, ""),
  "answered.json": neutral([{ ask: "What does src/cart.ts do?", answer: "It adds up the prices of the cart." }]),
  "promptless-stuck.json": Silences.promptless(Silences.stuck),
  "promptless-score.json": Silences.promptless(Silences.complete),
  "promptless-compaction.json": Silences.promptless(compacted)
}

const schemas = { stuck: Assessment, compaction: CompactionAssessment, score: Score }

const home = Effect.tap(hooksHome, ({ put }) =>
  Effect.sync(() => {
    for (const [name, content] of Object.entries(files)) put(`project/src/${name}`, content)
  })
)

const given = '--format json --task "Fix src/cart.ts and run npm test."'

describe("a view of a session", () => {
  scenes(
    String.raw`
    # each view's screen matches its golden file
    $1 judge turns.jsonl --turn all ¦ golden verdict-turns
    $1 judge complete.json turns.jsonl ¦ golden verdict-complete
    $1 judge --show stuck alternating.json {minute} ¦ golden stuck-alternating
    $2 judge --show stuck stuck.json looping.json working.json missing.json {minute} ¦ golden stuck-stuck
    $2 judge --show compaction compacted.json complete.json missing.json ¦ golden compaction-compacted
    $2 judge --show score complete.json waiting.json missing.json ¦ golden score-complete

    # a usage limit with a stated end: shows it and the host's command to continue
    $1 judge limited.jsonl ¦ + The usage limit ends at 2026-01-31 14:01 UTC. To go on then: ¦ + claude --resume 5e55105e-0000-4000-8000-000000000001
    $1 judge limited.jsonl --format json ¦ json limitEnd "2026-01-31T14:01:00.000Z" ¦ json shouldContinue false

    # each view's JSON has exactly the fields of its contract
    $1 judge --show stuck alternating.json --format json {minute} ¦ fields stuck
    $ judge --show compaction alternating.json --format json ¦ fields compaction
    $ judge --show score alternating.json --format json ¦ fields score

    # each view uses the given task if the record has no prompt
    $1 judge --show stuck promptless-stuck.json ${given} {minute} ¦ json reason "genuinely_stuck" ¦ json shouldNudge true
    $ judge --show score promptless-score.json ${given} ¦ json score 5
    $ judge --show compaction promptless-compaction.json ${given} ¦ + Fix src/cart.ts
    $ judge --show stuck promptless-stuck.json --format json {minute} ¦ json shouldNudge false

    # stuck: only a stuck session is nudged
    $ judge --show stuck working.json --format json {minute} ¦ json reason "working" ¦ json shouldNudge false ¦ json nudge null
    $ judge --show stuck waiting.json --format json {minute} ¦ json reason "waiting_for_user" ¦ json shouldNudge false ¦ json nudge null
    $ judge --show stuck complete.json --format json {minute} ¦ json reason "complete" ¦ json stuck false ¦ json nudge null

    # stuck: the silence ends at --now or now, and too short a silence never nudges
    $* judge --show stuck stuck.json --format json --now ${Silences.after(5)} ¦ json silence 5 ¦ json shouldNudge false
    $1 judge --show stuck stuck.json --format json --now ${Silences.after(45)} ¦ json reason "genuinely_stuck" ¦ json silence 45 ¦ json shouldNudge true
    $1 judge --show stuck stuck.json --format json {minute} --profile advisory ¦ json shouldNudge false
    put .config/reflexion/config.json {"stuck": {"silence": 90}}
    $* judge --show stuck stuck.json --format json --now ${Silences.after(45)} ¦ json shouldNudge false
    now ${Silences.after(90)}
    $* judge --show stuck stuck.json --format json ¦ json silence 90
    $* judge --show stuck timeless.json --format json {minute} ¦ json silence null ¦ json shouldNudge false
    $* judge --show stuck timeless.json {minute} ¦ + its record has no times

    # score: if something cannot be checked, nothing is called proved
    $ judge --show score answered.json ¦ + 5 of 5 ¦ + not everything can be checked
    `,
    {
      home,
      words: { minute: `--now ${Silences.after(60)}` },
      verbs: {
        golden: (name, _, { out }) => golden(name, out),
        fields: (view, _, { out }) => {
          const printed = Schema.Struct({ file: Schema.String, ...schemas[view as keyof typeof schemas].fields })
          Schema.decodeUnknownSync(Schema.parseJson(printed as Schema.Schema<unknown>), { onExcessProperty: "error" })(
            out
          )
        }
      }
    }
  )
})
