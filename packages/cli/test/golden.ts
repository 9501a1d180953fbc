import { expect } from "@effect/vitest"
import { Effect } from "effect"

/** Holds a screen to the file of that name; `vitest -u` writes it again. */
export const golden = (name: string, text: string): Effect.Effect<void> =>
  Effect.promise(() => expect(`${text}\n`).toMatchFileSnapshot(`screens/${name}.txt`))
