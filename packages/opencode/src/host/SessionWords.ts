/** Stores the user's commands for a session, each in a file. A command applies until the user takes it back. */
import { doing } from "@reflexion/core/internal/base/system/Doing"
import { safeName } from "@reflexion/core/internal/base/system/FileNames"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FS from "node:fs"
import * as Path from "node:path"

/** The file endings. Each value follows "could not save" in an error message. */
const kinds = {
  attended: "whether you are there",
  model: "whether a model is asked",
  donewhen: "when the task is done",
  nochecks: "whether checks are run",
  md: "the guidance"
} as const

type Kind = keyof typeof kinds

const failed = (kind: Kind, cause: unknown): Error =>
  new Error(`reflexion could not save ${kinds[kind]}: ${cause instanceof Error ? cause.message : String(cause)}`)

/** `read` returns null if there is no file. Writing an empty text removes it. */
export const files = (directory: string) => {
  const fileOf = (sessionId: string, kind: Kind): string => Path.join(directory, `${safeName(sessionId)}.${kind}`)
  return {
    read: (sessionId: string, kind: Kind) => doing(() => PlainFiles.read(fileOf(sessionId, kind))),
    write: (sessionId: string, kind: Kind, text: string) => {
      const file = fileOf(sessionId, kind)
      const writing = () => (text === "" ? FS.rmSync(file, { force: true }) : PlainFiles.write(file, text))
      return Effect.mapError(doing(writing), (cause) => failed(kind, cause))
    }
  }
}

interface Service {
  /** The user's command decides first, then the host's command line. */
  readonly attended: (sessionId: string) => Effect.Effect<boolean | null>
  /** "off" if the file cannot be read. Null if there is no command. */
  readonly model: (sessionId: string) => Effect.Effect<"on" | "off" | null>
  /** True if the user turned checks off, or if the file cannot be read. */
  readonly unchecked: (sessionId: string) => Effect.Effect<boolean>
  readonly doneWhen: (sessionId: string) => Effect.Effect<ReadonlyArray<DoneWhen.AcceptanceItem>>
  readonly say: (sessionId: string, kind: Kind, text: string) => Effect.Effect<void, Error>
}

interface Options {
  readonly directory: string
  /** Used if there was no command `away` or `here`. */
  readonly otherwise: boolean | null
}

const make = ({ directory, otherwise }: Options): Service => {
  const { read, write } = files(directory)
  const of =
    <A>(kind: Kind, unreadable: A, understood: (said: string | null) => A) =>
    (sessionId: string): Effect.Effect<A> =>
      Effect.match(read(sessionId, kind), {
        onFailure: () => unreadable,
        onSuccess: (text) => understood(text?.trim() ?? null)
      })
  return {
    attended: of("attended", otherwise, (said) => (said === "here" ? true : said === "away" ? false : otherwise)),
    model: of<"on" | "off" | null>("model", "off", (said) => (said === null || said === "on" ? said : "off")),
    unchecked: of("nochecks", true, (said) => said !== null),
    doneWhen: of("donewhen", [], (said) => (said === null ? [] : DoneWhen.parse(said))),
    say: write
  }
}

export class SessionWords extends Context.Reference<SessionWords>()("@reflexion/opencode/SessionWords", {
  defaultValue: (): Service => ({
    attended: () => Effect.succeed(null),
    model: () => Effect.succeed(null),
    unchecked: () => Effect.succeed(false),
    doneWhen: () => Effect.succeed([]),
    say: () => Effect.void
  })
}) {
  static readonly Live = (options: Options): Layer.Layer<SessionWords> => Layer.succeed(SessionWords, make(options))
}
