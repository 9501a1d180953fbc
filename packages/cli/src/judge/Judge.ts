/** The program for `reflexion judge`. */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { ConfigurationError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import * as SessionRun from "./SessionRun.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Compaction from "./compaction.ts"
import * as Score from "./score.ts"
import type { JudgeArguments } from "./options.ts"
import { type JudgeRequest, requestOf } from "./request.ts"
import type { Consult } from "./SessionFold.ts"
import * as Stuck from "./stuck.ts"
import * as Verdict from "./verdict.ts"

/** The user chose the file, so the commands in it may be run. */
const conditionsOf = Effect.fnUntraced(function* (given: string | null) {
  if (given === null) return []
  const { cwd } = yield* CliProcess
  const file = resolve(cwd, given)
  const text = yield* Settings.onFile(file, () => PlainFiles.read(file, { follow: true }))
  const found = DoneWhen.conditions(text ?? "")
  if (text !== null && found.length > 0) return found
  const problem = text === null ? "does not exist" : "has no condition"
  return yield* new ConfigurationError({ problem: `--done-when: ${oneLine(given)} ${problem}` })
})

type ConsultOf = (file: string) => Consult | null

const show = (request: JudgeRequest, consultOf: ConsultOf) => {
  if (request.show === "stuck") return SessionRun.run(request, Stuck.view, consultOf)
  if (request.show === "compaction") return SessionRun.run(request, Compaction.view, consultOf)
  if (request.show === "score") return SessionRun.run(request, Score.view, consultOf)
  return SessionRun.run(request, Verdict.view, consultOf)
}

export const run = Effect.fn("Judge.run")(function* (given: JudgeArguments) {
  const asked = yield* requestOf(given)
  const request = { ...asked, conditions: yield* conditionsOf(asked.doneWhen) }
  if (request.model === "off" && !request.checks && !request.crossReview) return yield* show(request, () => null)
  const JudgeTiers = yield* Effect.promise(() => import("./JudgeTiers.ts"))
  yield* JudgeTiers.run(request, (consultOf) => show(request, consultOf))
})
