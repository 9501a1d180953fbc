/**
 * The labelled stops that models which answer by a rule are asked about: those of a push, which are few, and a fixed share
 * of the others, spread over all sessions. There are ten such models, and each costs as much as a real judgement.
 */
import * as Crypto from "node:crypto"
import type * as Corpus from "../sessions/Corpus.ts"

/** One in so many of the stops that are none of a push. */
export const share = 12

type Named = Pick<Corpus.Stop, "session" | "turn" | "stoppedAt" | "push">

/** By the stop's name alone: a label that is added moves no other stop in or out. */
export const isIn = ({ push, session, stoppedAt = "", turn }: Named): boolean => {
  if (push === true) return true
  const hash = Crypto.createHash("sha256").update(`${session}\n${turn}\n${stoppedAt}`).digest()
  return hash.readUInt32BE(0) % share === 0
}
