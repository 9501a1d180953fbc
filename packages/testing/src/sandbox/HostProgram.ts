/** Replaces a coding agent's binary by a fake, or by the real one without this machine's environment. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { Sandbox } from "./Sandbox.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const write = Effect.fnUntraced(function* (program: string, script: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return program
})

export interface Printing {
  readonly out?: string
  readonly err?: string
  readonly code?: number
}

/** Arguments can have several lines, so each ends with a null character. */
const keeping = (folder: string, code: number): string => `cd ${quoted(folder)} || exit 1
: > words
for word in "$@"; do printf '%s\\0' "$word" >> words; done
env > env
cat > question
cat out
cat err >&2
exit ${code}`

/** The program saves its last arguments, environment and input. The folder is removed with the scope. */
export const fake = Effect.fn("HostProgram.fake")(function* ({ code = 0, err = "", out = "" }: Printing) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "fake-program-" })
  const kept = (name: string) => fs.readFileString(path.join(folder, name))
  yield* fs.writeFileString(path.join(folder, "out"), out)
  yield* fs.writeFileString(path.join(folder, "err"), err)
  return {
    program: yield* write(path.join(folder, "program"), keeping(folder, code)),
    words: Effect.map(kept("words"), (text) => text.split("\0").slice(0, -1)),
    env: Effect.map(kept("env"), (text) => text.split("\n")),
    question: kept("question")
  }
})

/** An adapter sets these variables for the program. */
const handedOn = "^(REFLEXION_ASKING|CLAUDE_CODE_MAX_[A-Z_]*|CLAUDE_CODE_DISABLE_[A-Z_]*|DISABLE_[A-Z_]*)="

/** The environment is the sandbox's, with `env` and the adapter's variables. */
export const sandboxed = Effect.fn("HostProgram.sandboxed")(function* (options: {
  readonly sandbox: Sandbox
  readonly binary: string
  readonly env: Readonly<Record<string, string>>
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(options.sandbox.home, "bin")
  yield* fs.makeDirectory(folder, { recursive: true })
  const env = Object.entries({ ...options.sandbox.env, ...options.env }).map(([key, value]) =>
    quoted(`${key}=${value}`)
  )
  const line = `exec env -i ${env.join(" ")} $(env | grep -E ${quoted(handedOn)}) ${quoted(options.binary)} "$@"`
  return yield* write(path.join(folder, path.basename(options.binary)), line)
})
