/** OpenCode's own screen: what its user types there, and what is to be seen. */
import * as Effect from "effect/Effect"
import { type HostFault, orFault } from "../contract/HostContract.ts"
import { openCodeBinary } from "../sandbox/HostBinaries.ts"
import * as TmuxScreen from "../sandbox/TmuxScreen.ts"
import * as OpenCodeHost from "./OpenCodeHost.ts"

export interface Screen extends Pick<TmuxScreen.Screen, "shown" | "press"> {
  /** Waits until something is to be seen, and gives the whole screen with it. */
  readonly shows: (what: RegExp) => Effect.Effect<string, HostFault>
  /** The same of what stands in the corner. */
  readonly tells: (what: RegExp) => Effect.Effect<string, HostFault>
  /** Types a line, and presses Enter once it is there. */
  readonly say: (line: string) => Effect.Effect<void, HostFault>
}

/**
 * What a screen tells in its corner, over what is below it; empty for nothing.
 *
 * @category accessors
 */
export const corner = (screen: string): string =>
  screen
    .split("\n")
    .flatMap((line) => /┃ {2}(\S[^┃]*?) *┃$/.exec(line)?.[1] ?? [])
    .join(" ")

/**
 * Begins OpenCode on a screen; it ends with the scope.
 *
 * @category constructors
 */
export const open = Effect.fn("OpenCodeScreen.open")(function* (options: OpenCodeHost.Options) {
  yield* OpenCodeHost.prepare(options)
  const screen = yield* TmuxScreen.open(options.sandbox, OpenCodeHost.environment(options), [yield* openCodeBinary])
  const { press, seen, shown, type } = screen
  const shows = (what: RegExp) => seen(`${what} on the screen`, (all) => what.test(all))
  yield* shows(/Ask anything/)
  return {
    shown,
    shows,
    press,
    tells: (what) => seen(`${what} in the corner`, (all) => what.test(corner(all))),
    say: (line) => Effect.zipRight(type(line), press("Enter"))
  } satisfies Screen
}, orFault("OpenCode's screen could not be opened"))
