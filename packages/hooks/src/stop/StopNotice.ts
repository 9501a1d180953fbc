/** What the user is told of a stop, as one call: a stop at which nothing is said does not load the words. */
import * as Notice from "@reflexion/core/internal/turn/records/Notice"

/**
 * `problem`: of the configuration, all of it. `push`: the agent is asked to go on. `end`: what became of the stop.
 *
 * @category models
 */
export type Asked =
  | { readonly _tag: "problem"; readonly text: string }
  | ({ readonly _tag: "push" } & Parameters<typeof Notice.push>[0])
  | ({ readonly _tag: "end" } & Notice.Input)

/**
 * The line for the user.
 *
 * @category rendering
 */
export const write = (asked: Asked): string => {
  switch (asked._tag) {
    case "problem":
      return Notice.problem(asked.text)
    case "push":
      return Notice.push(asked)
    case "end":
      return Notice.render(asked)
  }
}
