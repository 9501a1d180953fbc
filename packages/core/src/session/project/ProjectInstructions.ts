/** What a project tells its agents, kept for a minute. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import { files } from "./repoLoad.ts"

const names = ["AGENTS.md", "CLAUDE.md", "AGENT.md", "GEMINI.md", ".github/copilot-instructions.md"]

const isNamed = (key: string, name: string): boolean => key === name || key.endsWith(`/${name}`)

/** The nearest first; what is not there says nothing. */
export const instructionsIn = (found: Readonly<Record<string, string>>): string | null => {
  const keys = Object.keys(found).toSorted(
    (left, right) => Number(left.startsWith("../")) - Number(right.startsWith("../"))
  )
  const texts = names.flatMap((name) => keys.filter((key) => isNamed(key, name)).map((key) => found[key] ?? ""))
  return texts.find((text) => text.trim() !== "") ?? null
}

const capacity = 64
const timeToLive = "60 seconds"

/** Asks for the instructions of a folder. */
export const make = Effect.gen(function* () {
  const fs = yield* Effect.context<FileSystem.FileSystem>()
  const lookup = (cwd: string) => Effect.provide(Effect.map(files(cwd), instructionsIn), fs)
  const cache = yield* Cache.make({ capacity, timeToLive, lookup })
  return (cwd: string | null): Effect.Effect<string | null> => (cwd === null ? Effect.succeed(null) : cache.get(cwd))
})
