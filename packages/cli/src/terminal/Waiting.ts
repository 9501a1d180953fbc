/** Shows a person that something takes long: a line with the elapsed time, as long as it takes. */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { CliProcess } from "../process/CliProcess.ts"
import { clip, oneLine } from "./Layout.ts"

/** The line on the terminal. */
export interface Waiting {
  readonly shown: <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Removes the line so that other text can be printed. */
  readonly clear: Effect.Effect<void>
}

type Surroundings = Pick<Context.Tag.Service<CliProcess>, "env" | "stderr">

const erase = "\r\u001b[2K"

const nothing: Waiting = { shown: (_, effect) => effect, clear: Effect.void }

const onTerminal = ({ columns = 80, write }: Surroundings["stderr"]): Waiting => {
  let drawn = false
  const draw = (text: string): void => {
    write(`${erase}${clip(text, Math.max(20, columns - 1), "…")}`)
    drawn = true
  }
  const clear = Effect.sync(() => {
    if (drawn) write(erase)
    drawn = false
  })
  const counting = Effect.fnUntraced(function* (what: string) {
    const begun = yield* Clock.currentTimeMillis
    const second = Effect.gen(function* () {
      yield* Effect.sleep("1 second")
      const seconds = Math.round(((yield* Clock.currentTimeMillis) - begun) / 1000)
      draw(`reflexion: ${oneLine(what)}: ${seconds} s`)
    })
    return yield* Effect.forever(second)
  })
  return {
    clear,
    shown: (what, effect) =>
      Effect.acquireUseRelease(
        Effect.forkDaemon(Effect.interruptible(counting(what))),
        () => effect,
        (line) => Effect.zipRight(Fiber.interrupt(line), clear)
      )
  }
}

export const make = ({ env, stderr }: Surroundings): Waiting =>
  stderr.isTerminal && env["TERM"] !== "dumb" ? onTerminal(stderr) : nothing
