/** A process that reads and writes JSON lines. It ends with the scope. */
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

/** `messages` grows as messages arrive. */
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
    /** Closes standard input and waits for the end. The exit code is null after a signal. */
    end: Effect.zipRight(input.end, Effect.map(Effect.option(process.exitCode), Option.getOrNull)),
    kill: (signal: "SIGINT" | "SIGTERM" | "SIGKILL") => Effect.ignore(process.kill(signal))
  }
})
