import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Layer } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { CliProcess } from "../src/process/CliProcess.ts"
import * as Main from "../src/Main.ts"

export interface CliRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: ReadonlyArray<Uint8Array>
  readonly terminal?: number
  /** What is typed at each question, in this order. Without it, there is no terminal. */
  readonly answers?: ReadonlyArray<string>
  /** The folder of the hosts' hooks; by default the built ones. */
  readonly hooks?: string
}

/** The hooks that the build puts next to the command line. */
export const builtHooks = fileURLToPath(new URL("../dist/hooks", import.meta.url))

const bytes = async function* (chunks: ReadonlyArray<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** Shows the question as a terminal would. */
const answering = (answers: Surroundings["answers"], out: Array<string>) => {
  if (answers === undefined) return null
  const left = [...answers]
  return async (question: string): Promise<string> => {
    out.push(question)
    return left.shift() ?? ""
  }
}

/** Runs the command line in this process, as far from the machine's own settings as can be. */
export const runCli = Effect.fnUntraced(function* (words: ReadonlyArray<string>, given: Surroundings = {}) {
  const out: Array<string> = []
  const err: Array<string> = []
  const console = yield* Effect.console
  const surroundings = Layer.succeed(CliProcess, {
    env: { HOME: "/nonexistent", ...given.env },
    cwd: given.cwd ?? "/",
    stdin: () => bytes(given.stdin ?? []),
    ask: answering(given.answers, out),
    stdout: { isTerminal: given.terminal !== undefined, columns: given.terminal },
    program: { node: process.execPath, hooks: given.hooks ?? builtHooks }
  })
  const code = yield* Main.run(words).pipe(
    Effect.withConsole({
      ...console,
      log: (...texts) => Effect.sync(() => void out.push(texts.join(" "))),
      error: (...texts) => Effect.sync(() => void err.push(texts.join(" "))),
      unsafe: { ...console.unsafe, error: (...texts) => void err.push(texts.join(" ")) }
    }),
    Effect.provide(Layer.merge(NodeContext.layer, surroundings))
  )
  return { code, out: out.join("\n"), err: err.join("\n") } satisfies CliRun
})

/** A folder of files that goes away with the test. */
export const folder = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = mkdtempSync(join(tmpdir(), "reflexion-cli-"))
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true })
        writeFileSync(join(root, name), content)
      }
      return root
    }),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

/** A text as it would be on one endless line. */
export const bare = (text: string): string => text.replaceAll(/\s+/gu, " ")
