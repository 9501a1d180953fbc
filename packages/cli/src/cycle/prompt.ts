/**
 * The user's own prompt for what a model is asked about many runs. It stands beside their configuration, and nowhere in a
 * project: anyone who may push would speak to the model.
 */
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { ConfigurationError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { oneLine } from "../terminal/Layout.ts"

/**
 * The file below the user's directory of configuration.
 *
 * @category constants
 */
export const fileName = "analysis-prompt.md"

const maxBytes = 64 * 1024

const textOf = (file: string): string | null => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile()) throw new Error("it is no file")
  if (found.size > maxBytes) throw new Error(`it has more than ${maxBytes / 1024} kB`)
  const text = readFileSync(file, "utf8")
  if (text.trim() === "") throw new Error("it is empty: delete it, and the usual prompt is used")
  return text
}

/**
 * What it says, null where there is none.
 *
 * @category reading
 */
export const user: Effect.Effect<string | null, ConfigurationError, CliProcess> = Effect.flatMap(
  CliProcess,
  ({ env }) => {
    const file = join(UserDirectories.make(env).config, fileName)
    return Effect.try({
      try: () => textOf(file),
      catch: (cause) =>
        new ConfigurationError({
          problem: `${oneLine(file)}: ${cause instanceof Error ? cause.message : String(cause)}`
        })
    })
  }
)
