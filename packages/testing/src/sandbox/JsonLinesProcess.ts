/** A program that speaks JSON lines in both directions, for as long as the scope is open. */
import * as Command from "@effect/platform/Command"
import * as Effect from "effect/Effect"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

export type Message = Readonly<Record<string, unknown>>

const decodeLine = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const encoder = new TextEncoder()

/** Starts it. `messages` grows as they come. */
export const start = Effect.fnUntraced(function* (command: Command.Command) {
  const input = yield* Mailbox.make<Uint8Array>()
  const messages: Array<Message> = []
  const errors: Array<string> = []
  const send = (value: object) => input.offer(encoder.encode(`${JSON.stringify(value)}\n`))
  const process = yield* command.pipe(Command.stdin(Mailbox.toStream(input)), Command.start)
  const output = process.stdout.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filterMap((text) => decodeLine(text)),
    Stream.runForEach((message) => Effect.sync(() => messages.push(message)))
  )
  yield* Effect.forkScoped(output)
  yield* Effect.forkScoped(
    process.stderr.pipe(
      Stream.decodeText(),
      Stream.runForEach((text) => Effect.sync(() => errors.push(text)))
    )
  )
  return {
    messages,
    errors: () => errors.join(""),
    send,
    /** Closes its standard input and waits for its end; the exit code is null where a signal ended it. */
    end: Effect.zipRight(input.end, Effect.map(Effect.option(process.exitCode), Option.getOrNull)),
    kill: (signal: "SIGINT" | "SIGTERM" | "SIGKILL") => Effect.ignore(process.kill(signal))
  }
})
