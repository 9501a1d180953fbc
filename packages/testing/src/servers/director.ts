import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ModelRequest, Reply, Rule, Script } from "./ModelScript.ts"

interface Answers<Block> {
  /** To a request without tools that no rule caught. */
  readonly auxiliary: Reply<Block>
  /** To a request for which the script has no turn left. */
  readonly unscripted: Reply<Block>
}

export const otherwise = {
  auxiliary: { content: [{ text: "Ready." }] },
  unscripted: { content: [{ text: "The script has no further answer." }] }
} as const

/** Chooses answers: rules first, then the turns for requests that bring tools. */
const director = <Block>(script: Script<Block>, { auxiliary, unscripted }: Answers<Block>) => {
  const used = new Map<Rule<Block>, number>()
  let turn = 0
  return (request: ModelRequest): { readonly reply: Reply<Block>; readonly answeredBy: string } => {
    const rule = script.rules?.find((candidate) => candidate.when(request))
    if (rule !== undefined) {
      const index = used.get(rule) ?? 0
      used.set(rule, index + 1)
      return { reply: rule.replies[Math.min(index, rule.replies.length - 1)] ?? rule.replies[0], answeredBy: rule.name }
    }
    if (request.tools.length === 0) return { reply: auxiliary, answeredBy: "auxiliary" }
    const scripted = script.turns[turn]
    if (scripted === undefined) return { reply: unscripted, answeredBy: "unscripted" }
    turn += 1
    const reply = typeof scripted === "function" ? scripted(request) : scripted
    return { reply, answeredBy: `turn ${turn}` }
  }
}

/** A script being played: the answer to each request after its delay, and the requests so far. */
export const conversation = <Block>(script: Script<Block>, answers: Answers<Block>) => {
  const log: Array<ModelRequest> = []
  const direct = director(script, answers)
  const next = (request: Omit<ModelRequest, "answeredBy">) =>
    Effect.gen(function* () {
      const seen = { ...request, answeredBy: "" }
      const { answeredBy, reply } = direct(seen)
      const id = log.push({ ...seen, answeredBy }) + (script.first ?? 1) - 1
      yield* script.before?.(seen) ?? Effect.void
      yield* Effect.sleep(reply.delay ?? Duration.zero)
      return { id, reply }
    })
  return { next, requests: Effect.sync((): ReadonlyArray<ModelRequest> => [...log]) }
}
