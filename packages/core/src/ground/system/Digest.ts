import * as Effect from "effect/Effect"

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** SHA-256, in hexadecimal digits. */
export const digest = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new Uint8Array(bytes))),
    (buffer) => hex(new Uint8Array(buffer))
  )
