/** TODO room */
import type * as Reflection from "./Reflection.ts"

/**
 * What is learned; who keeps it adds the rest.
 *
 * @since 0.1.0
 * @category models
 */
export type Lesson = Pick<
  Reflection.Reflection,
  "category" | "analysis" | "suggestion" | "actionItems" | "confidence" | "source" | "model" | "tags"
>
