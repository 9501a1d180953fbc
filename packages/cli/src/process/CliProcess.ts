/** PORT: the process of the command line: its variables, folder, input, output and program files. */
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileURLToPath } from "node:url"

/** The answer is empty if the terminal is closed or the user interrupts. */
const ask = async (question: string): Promise<string> => {
  const { createInterface } = await import("node:readline/promises")
  const reading = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new Promise<string>((resolve) => reading.once("close", () => resolve("")))
  try {
    return await Promise.race([reading.question(question), closed])
  } finally {
    reading.close()
  }
}

export class CliProcess extends Context.Tag("@reflexion/cli/CliProcess")<
  CliProcess,
  {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly cwd: string
    /** Can be read only once. */
    readonly stdin: () => AsyncIterable<Uint8Array>
    /** Null if nobody can type. */
    readonly ask: ((question: string) => Promise<string>) | null
    readonly stdout: { readonly isTerminal: boolean; readonly columns: number | undefined }
    /** `hooks` has one folder for each host. */
    readonly program: { readonly node: string; readonly hooks: string }
  }
>() {
  static readonly Live: Layer.Layer<CliProcess> = Layer.sync(CliProcess, () => ({
    env: process.env,
    cwd: process.cwd(),
    stdin: () => process.stdin,
    ask: process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : null,
    stdout: { isTerminal: process.stdout.isTTY === true, columns: process.stdout.columns },
    program: { node: process.execPath, hooks: fileURLToPath(new URL("hooks", import.meta.url)) }
  }))
}

export const userDirectories = Effect.map(CliProcess, ({ env }) => UserDirectories.make(env))
