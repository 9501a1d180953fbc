/** Finds the turn that a label is about. */
import type { Transcript } from "@reflexion/core/Transcript"
import type { Stop } from "./Corpus.ts"

/** A turn by its number and the time of the prompt that began it. */
export interface Turn {
  readonly index: number
  readonly userMessageAt: string | null
}

/** The turn that a prompt joined because it was typed while the agent worked. */
const joined = ({ events }: Transcript, stop: Stop): number | null => {
  const prompt = events.find(
    (event) => event.type === "user_message" && !event.synthetic && event.at === stop.userMessageAt
  )
  return prompt?.type === "user_message" && prompt.turn !== undefined && prompt.turn < stop.turn ? prompt.turn : null
}

/** The turn with the label's number, begun by the same prompt; or the one that the prompt joined. None is null. */
export const of = <A extends Turn>(transcript: Transcript, turns: ReadonlyArray<A>, stop: Stop): A | null => {
  const own = turns.find(({ index, userMessageAt }) => index === stop.turn && userMessageAt === stop.userMessageAt)
  return own ?? turns.find(({ index }) => index === joined(transcript, stop)) ?? null
}

/** The session as it stood at a stop: a turn that a push sent on goes on after it. */
export const until = ({ events, ...session }: Transcript, stoppedAt: string): Transcript => ({
  ...session,
  events: events.slice(0, events.findLastIndex((event) => event.at === stoppedAt) + 1)
})
