/** The tests as they were, on the code as it is: where checks may be run, and the stop would otherwise be left as it is. */
import * as Effect from "effect/Effect"
import { gather } from "../../session/facts/Facts.ts"
import { maySpeak, redacted } from "../../judge/verdict/Conclusion.ts"
import { excuse } from "../oldtests/Orders.ts"
import type { Service } from "../oldtests/OldTests.ts"
import * as OldTestsVerdict from "../oldtests/OldTestsVerdict.ts"
import { eventsOf } from "../assessment/TurnRecord.ts"
import type { Seen } from "./model.ts"

const checkOf = ({ options }: Seen) => options.context.config.verify.checks.find(({ gate }) => gate === "tests")

/** `directory`: the project, null where nothing is to be run in it. */
export const run = Effect.fnUntraced(function* (seen: Seen, { run: runOld }: Service, directory: string | null) {
  const { attempt, judged, options, state, transcript } = seen
  const check = checkOf(seen)
  if (directory === null || check === undefined) return seen
  const facts = gather(state, options)
  const { config, cwd = transcript.cwd, repo } = options.context
  const oldTests = yield* runOld({
    directory,
    check,
    events: eventsOf(transcript, state.task),
    context: { repo, gates: config.gates, cwd },
    isFirst: state.task.since <= 0,
    commits: state.evidence.commits > 0,
    told: excuse(facts)
  })
  if (oldTests === null) return seen
  const given = { attempt, maxAttempts: config.maxAttempts, unattended: !facts.attended }
  const applied = (speaks: boolean) => OldTestsVerdict.apply(judged.verdict, oldTests, { ...given, maySpeak: speaks })
  if (!OldTestsVerdict.isHeld(oldTests)) return { ...seen, judged: { ...judged, oldTests } }
  const verdict = redacted(applied(maySpeak(facts)))
  const wouldContinue = applied(maySpeak({ ...facts, profile: "balanced" })).shouldContinue
  return { ...seen, judged: { ...judged, verdict, wouldContinue, oldTests } }
})
