/** PORT: what the command line sees of the process it runs in. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { fileURLToPath } from "node:url"

/** A terminal that is closed, or an interrupt, is no answer. */
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
    /** Bytes of standard input: it can be read once. */
    readonly stdin: () => AsyncIterable<Uint8Array>
    /** Asks a question on the terminal and gives the line that is typed; null where nobody could type one. */
    readonly ask: ((question: string) => Promise<string>) | null
    readonly stdout: { readonly isTerminal: boolean; readonly columns: number | undefined }
    /** `write` prints a part of a line; whole lines go through the console. */
    readonly stderr: {
      readonly isTerminal: boolean
      readonly columns: number | undefined
      readonly write: (text: string) => void
    }
    /** The Node binary that runs, and the folder that has each host's hook in a folder of the host's name. */
    readonly program: { readonly node: string; readonly hooks: string }
  }
>() {
  static readonly Live: Layer.Layer<CliProcess> = Layer.sync(CliProcess, () => ({
    env: process.env,
    cwd: process.cwd(),
    stdin: () => process.stdin,
    ask: process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : null,
    stdout: { isTerminal: process.stdout.isTTY === true, columns: process.stdout.columns },
    stderr: {
      isTerminal: process.stderr.isTTY === true,
      columns: process.stderr.columns,
      write: (text) => void process.stderr.write(text)
    },
    program: { node: process.execPath, hooks: fileURLToPath(new URL("hooks", import.meta.url)) }
  }))
}
