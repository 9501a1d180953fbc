/** A separate PostgreSQL server for tests. It uses Debian's packages and a socket in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/** `url` is for the server's administrator. */
export interface PostgresServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

const debian = "/usr/lib/postgresql"

/** The folder of Debian's newest version, or of the version on the PATH. */
export const programs = (): string | null => {
  const [newest] = (FS.existsSync(debian) ? FS.readdirSync(debian) : [])
    .filter((version) => FS.existsSync(Path.join(debian, version, "bin", "initdb")))
    .toSorted((one, other) => Number(other) - Number(one))
  if (newest !== undefined) return Path.join(debian, newest, "bin")
  try {
    return execFileSync("pg_config", ["--bindir"], { encoding: "utf8" }).trim()
  } catch {
    return null
  }
}

/** The server refuses to run as root. */
const owner = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ["postgres", "nobody"])
    try {
      const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" })))
      if (uid !== undefined && gid !== undefined) return { uid, gid }
    } catch {
      // There may be no such user.
    }
  return {}
}

const ready = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ""
    server.stderr?.setEncoding("utf8")
    server.stderr?.on("data", (text: string) => {
      said = `${said}${text}`.slice(-4000)
      if (said.includes("ready to accept connections")) resolve()
    })
    server.on("error", reject)
    server.on("exit", () => reject(new Error(`PostgreSQL ended: ${said}`)))
  })

/** Has no network port. Its data are in memory if the system has `/dev/shm`. */
export const start = async (): Promise<PostgresServer> => {
  const bin = programs()
  if (bin === null) throw new Error("PostgreSQL is missing: install the package postgresql")
  const as = owner()
  const parent = FS.existsSync("/dev/shm") ? "/dev/shm" : Os.tmpdir()
  const folder = FS.mkdtempSync(Path.join(parent, "reflexion-pg-"))
  if (as.uid !== undefined && as.gid !== undefined) FS.chownSync(folder, as.uid, as.gid)
  const data = Path.join(folder, "data")
  const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" }
  const words = ["-D", data, "-U", "reflexion", "-A", "trust", "-E", "UTF8", "--no-sync", "--wal-segsize=1"]
  execFileSync(Path.join(bin, "initdb"), words, { cwd: folder, env, stdio: "pipe", ...as })
  const settings = { listen_addresses: "", fsync: "off", synchronous_commit: "off", max_connections: "400" }
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(Path.join(bin, "postgres"), ["-D", data, "-k", folder, ...options], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
    ...as
  })
  const kill = () => server.kill("SIGQUIT")
  process.once("exit", kill)
  await ready(server)
  return {
    url: `postgres://reflexion@/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      process.off("exit", kill)
      const ended = new Promise((resolve) => server.once("exit", resolve))
      server.kill("SIGINT")
      await ended
      FS.rmSync(folder, { recursive: true, force: true })
    }
  }
}
