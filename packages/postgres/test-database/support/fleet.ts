/** Processes of a fleet, each with its own way to the server, and faults that happen to them. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const socketOf = (folder: string): string => join(folder, ".s.PGSQL.5432")

/** Passes bytes to the server until it is blocked. Then nothing is passed, and neither side gets an error. */
const wire = (server: string) => {
  const folder = mkdtempSync(join(tmpdir(), "reflexion-wire-"))
  const ends = new Set<Socket>()
  let isBlocked = false
  const listener = createServer((client) => {
    const other = connect(socketOf(server))
    for (const [one, two] of [
      [client, other],
      [other, client]
    ] as const) {
      ends.add(one)
      one.on("error", () => two.destroy())
      one.on("close", () => {
        ends.delete(one)
        if (!isBlocked) two.destroy()
      })
      one.on("data", (bytes) => void (isBlocked || two.write(bytes)))
    }
  }).listen(socketOf(folder))
  return {
    folder,
    block: () => {
      isBlocked = true
    },
    heal: () => {
      for (const end of ends) end.destroy()
      isBlocked = false
    },
    close: () => {
      listener.close()
      for (const end of ends) end.destroy()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** One process of a fleet. `said` has its lines, also those of its predecessors that were killed. */
export interface Member {
  readonly name: string
  readonly said: () => ReadonlyArray<string>
  readonly process: () => ChildProcess
  readonly start: () => Promise<void>
  readonly block: () => void
  readonly heal: () => void
  readonly close: () => void
}

export const member = (program: string, url: string, name: string): Member => {
  const server = new URL(url.replace("@/", "@localhost/")).searchParams.get("host") ?? ""
  const { block, close, folder, heal } = wire(server)
  const own = url.replace(encodeURIComponent(server), encodeURIComponent(folder))
  let said = ""
  let child: ChildProcess
  return {
    name,
    said: () => said.split("\n").slice(0, -1),
    process: () => child,
    start: () =>
      new Promise((resolve, reject) => {
        child = spawn(process.execPath, [program, own, name], { stdio: ["ignore", "pipe", "inherit"], env: {} })
        child.stdout?.setEncoding("utf8")
        child.stdout?.on("data", (text: string) => {
          said += text
          if (text.includes("ready\n")) resolve()
        })
        // A line that the kill cut short does not count.
        child.on("close", () => {
          said = said.slice(0, said.lastIndexOf("\n") + 1)
          reject(new Error(`${name} ended before it was ready`))
        })
      }),
    block,
    heal,
    close: () => {
      child.kill("SIGKILL")
      close()
    }
  }
}
