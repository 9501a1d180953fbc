/** Prints on the terminal of the command. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { sep } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { homeOf } from "../host/Hosts.ts"
import { hanging, oneLine, width, wrap } from "./Layout.ts"
import * as TerminalStyle from "./TerminalStyle.ts"

export const style: Effect.Effect<TerminalStyle.TerminalStyle, never, CliProcess> = Effect.map(
  CliProcess,
  ({ env, stdout }) => TerminalStyle.detect({ env, isTerminal: stdout.isTerminal, columns: stdout.columns })
)

/** Returns a path with the home directory as `~`. */
export const tilde = (env: Readonly<Record<string, string | undefined>>, path: string): string => {
  const home = homeOf(env)
  const short = path === home || path.startsWith(home.endsWith(sep) ? home : home + sep)
  return oneLine(short && home !== sep ? `~${path.slice(home.length)}` : path)
}

const paints = { passed: "green", failed: "red", warning: "yellow" } as const

/** Without a sign the text is indented in the same way. */
export const signed = (
  style: TerminalStyle.TerminalStyle,
  sign: keyof typeof paints | null,
  text: string
): ReadonlyArray<string> => {
  const symbol = sign === null ? " " : TerminalStyle.symbols[sign]
  const head = sign === null ? symbol : TerminalStyle.paint(style, [paints[sign]], symbol)
  const indent = width(symbol) + 1
  return hanging(`${head} `, indent, wrap(text, style.width - indent))
}

export const say = (text: string): Effect.Effect<void, never, CliProcess> =>
  Effect.flatMap(style, ({ width }) => Console.log(wrap(text, width).join("\n")))

/** Null if nobody can type. */
export const answer = (question: string): Effect.Effect<string | null, never, CliProcess> =>
  Effect.flatMap(CliProcess, ({ ask }) =>
    ask === null ? Effect.succeed(null) : Effect.promise(() => ask(`\n${question} [y/N] `).catch(() => ""))
  )

export const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer.trim())

export const isNo = (answer: string): boolean => /^no?$/i.test(answer.trim())

/** If the work takes longer than a second, prints on a terminal what reflexion is doing. */
export const slowly =
  (doing: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CliProcess> =>
    Effect.flatMap(CliProcess, ({ stdout }) => {
      const told = Effect.delay(Console.error(`reflexion: ${doing} …`), "1 second")
      return Effect.scoped(Effect.zipRight(stdout.isTerminal ? Effect.forkScoped(told) : Effect.void, work))
    })
