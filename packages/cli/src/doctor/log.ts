/** What the doctor sees of a host's newest decisions. */
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as Either from "effect/Either"
import { explain } from "../process/FileProblem.ts"
import * as Finding from "./finding.ts"
import type { Host } from "../host/Hosts.ts"
import type * as InstallFile from "../install/InstallFile.ts"
import * as LogFile from "../report/LogFile.ts"

const recent = 200

const failures = (decisions: ReadonlyArray<Decision>): Finding.Finding => {
  const failed = decisions.filter(({ decision }) => decision === "failure")
  const last = failed.at(-1)
  if (decisions.length === 0) return Finding.plain("log", "nothing decided yet")
  const newest = decisions.length === 1 ? "the last decision" : `the last ${decisions.length} decisions`
  if (last === undefined) return Finding.good("log", `no failure in ${newest}`)
  const text = `${failed.length} of ${newest} failed, at ${last.at}: ${last.reason}`
  return decisions.at(-1) === last ? Finding.needed("log", text) : Finding.plain("log", text)
}

const stopped = (host: Host, decisions: ReadonlyArray<Decision>): ReadonlyArray<Finding.Finding> => {
  const commands = decisions.filter(({ decision }) => decision === "stop" || decision === "start")
  const last = new Map(commands.map((one) => [one.sessionId, one.decision]))
  const ids = LogFile.shortIds(decisions.flatMap(({ sessionId }) => sessionId ?? []))
  const off = [...last].flatMap(([id, decision]) => (decision === "stop" && id !== null ? [ids.get(id) ?? id] : []))
  const text = `by you in session ${off.join(", ")}; \`${host.installation.words.command} start\` there turns it on again`
  return off.length === 0 ? [] : [Finding.plain("stopped", text)]
}

export const look = ({ directories, host }: InstallFile.Request): ReadonlyArray<Finding.Finding> =>
  Either.match(Either.try({ try: () => LogFile.read(directories), catch: (cause) => explain(cause).problem }), {
    onLeft: (problem) => [Finding.blind("log", problem)],
    onRight: ({ decisions }) => {
      const own = decisions.filter((one) => one.host === host.name).slice(-recent)
      return [failures(own), ...stopped(host, own)]
    }
  })
