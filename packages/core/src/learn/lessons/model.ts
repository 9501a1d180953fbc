/** A lesson as rules find it in the output of a failed attempt. */
import type * as Reflection from "./Reflection.ts"

/**
 * What is learned; who keeps it adds the rest.
 *
 * @category models
 */
export type Lesson = Pick<
  Reflection.Reflection,
  "category" | "analysis" | "suggestion" | "actionItems" | "confidence" | "source" | "model" | "tags"
>
