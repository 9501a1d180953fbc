/** The schema of the memory's part of the configuration. */
import * as Schema from "effect/Schema"
import { Flag, must, shape, whole } from "./values.ts"

const fields = {
  /** Whether anything is learned and given. */
  enabled: Flag,
  /** How many reflections a prompt has at most. */
  maxReflectionsPerRetry: whole(1, 10),
  /** How long a model may take to reflect. */
  generationTimeoutMs: whole(1000, 600_000),
  /** After so many days a reflection is forgotten. */
  retentionDays: whole(1, 3650),
  /** How similar a reflection of another task must be to be given too; false for none. */
  crossTask: Schema.Union(Schema.Literal(false), Schema.Number.pipe(Schema.between(0, 1))).annotations(
    must("false, or a similarity from 0 to 1")
  )
}

export const Memory = Schema.Struct(fields)

export const PartialMemory = Schema.partialWith(Memory, { exact: true }).annotations(
  shape("an object with enabled, maxReflectionsPerRetry, generationTimeoutMs, retentionDays or crossTask")
)
