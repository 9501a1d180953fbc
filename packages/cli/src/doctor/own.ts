/** What the doctor sees of the model that is asked at a host's stops: which, by whose word, and how it answers. */
import * as AskLog from "@reflexion/core/internal/model/calls/AskLog"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { CliProcess } from "../process/CliProcess.ts"
import * as Finding from "./finding.ts"
import type { Host } from "../host/Hosts.ts"
import * as Asked from "../models/Asked.ts"
import * as OwnStanding from "../models/OwnStanding.ts"
import type { Standing } from "../models/model.ts"
import * as OwnWords from "../models/OwnWords.ts"
import * as Settings from "../process/Settings.ts"

const model = (host: Host, standing: Standing): Finding.Finding =>
  (OwnStanding.isAsked(standing) ? Finding.good : Finding.plain)("model", OwnWords.standing(host, standing))

/** What the newest session's silence most likely means, and what shows it. */
const silence = (host: Host, lines: ReadonlyArray<AskLog.AskLine>): ReadonlyArray<Finding.Finding> => {
  const session = lines.at(-1)?.session
  if (session === undefined || !AskLog.isOff(lines, session)) return []
  const ends = lines.filter((line) => line.session === session).slice(-3)
  const how = [...new Set(ends.map(({ end }) => end))].join(", ")
  const text = `the last three questions of the newest session were not answered (${how}), so none is asked there any more: ${host.model.tries}; ${OwnWords.typed(host, "on")} there asks again, and so does the next session`
  return [Finding.needed("no answer", text)]
}

const questions = Effect.fnUntraced(function* (host: Host, asked: boolean) {
  const { cwd } = yield* CliProcess
  const { models } = yield* Settings.workspace(yield* Settings.user, cwd)
  const now = yield* Clock.currentTimeMillis
  const all = yield* Asked.lines
  const own = all.filter((line) => line.host === host.name)
  const today = AskLog.today(all, now)
  const here = AskLog.today(own, now)
  if (!asked && here.length === 0) return []
  const spent = `${Asked.summed(here)}; ${Asked.ofTheDay(today, models.callsPerDay)}, all hosts together`
  return [Finding.plain("asked today", spent), ...silence(host, own)]
})

/**
 * Looks for one host. A configuration that cannot be read is told of elsewhere, and what is kept of the questions in its
 * place.
 *
 * @category programs
 */
export const look = Effect.fn("DoctorOwn.look")(
  function* (host: Host) {
    const { name } = host
    const { cwd } = yield* CliProcess
    const standing = yield* OwnStanding.at(name, cwd)
    const asked = yield* Effect.catchTag(questions(host, OwnStanding.isAsked(standing)), "AskLogError", ({ message }) =>
      Effect.succeed([Finding.needed("asked today", message)])
    )
    return [model(host, standing), ...asked]
  },
  Effect.catchTag("ConfigurationError", ({ problem }) => Effect.succeed([Finding.needed("model", problem)]))
)
