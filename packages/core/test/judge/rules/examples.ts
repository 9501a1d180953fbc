/** Sessions in a few events for each rule: those in which it fires, and near misses in which it must not. */
import type { RuleName } from "../../../src/session/config/RuleNames.ts"
import type { TranscriptEvent } from "../../../src/session/transcript/Transcript.ts"
import { claims } from "./claims.ts"
import { conduct } from "./conduct.ts"
import { gates } from "./gates.ts"
import { host } from "./host.ts"

/** By what there is to see in each. */
type Sessions = Readonly<Record<string, ReadonlyArray<TranscriptEvent>>>

export type Examples<A extends string = string> = Readonly<
  Record<Extract<RuleName, `${A}/${string}`>, { readonly fires: Sessions; readonly spares: Sessions }>
>

export const examples: Examples = { ...host, ...gates, ...claims, ...conduct }
