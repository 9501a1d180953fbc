import { expect } from "@effect/vitest"
import { Effect } from "effect"

/** Compares a screen with the file of that name; `vitest -u` writes the file again. */
export const golden = (name: string, text: string): Effect.Effect<void> =>
  Effect.promise(() => expect(`${text}\n`).toMatchFileSnapshot(`screens/${name}.txt`))
