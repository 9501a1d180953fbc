/** Sessions in a few events for each rule: those in which it fires, those in which it only tells, and near misses. */
import type { RuleName } from "../../../src/judge/rules/Rules.ts"
import type { TranscriptEvent } from "../../../src/session/transcript/Transcript.ts"
import { claims } from "./claims.ts"
import { conduct } from "./conduct.ts"
import { gates } from "./gates.ts"
import { host } from "./host.ts"

/** By what there is to see in each. */
type Sessions = Readonly<Record<string, ReadonlyArray<TranscriptEvent>>>

export type Examples<Name extends RuleName = RuleName> = Readonly<
  Record<Name, { readonly fires: Sessions; readonly tells?: Sessions; readonly spares: Sessions }>
>

export const examples: Examples = { ...host, ...gates, ...claims, ...conduct }
