/** The version of this command line. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { readFileSync } from "node:fs"

export const version: Effect.Effect<string> = Effect.sync(() => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return Predicate.hasProperty(manifest, "version") ? String(manifest.version) : "unknown"
})
