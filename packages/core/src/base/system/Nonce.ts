/** Makes a random marker for a block in a prompt, so that the block's text cannot close the block. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

const word = Effect.map(Random.nextIntBetween(0, 2 ** 31), (part) => part.toString(36).padStart(6, "0"))

export const nonce = (kind: string): Effect.Effect<string> =>
  Effect.map(Effect.all([word, word]), (words) => `${kind}-${words.join("")}`)
