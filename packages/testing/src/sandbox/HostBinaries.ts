/** Finds the real coding agents for host tests: exact versions, in a cache outside the repository. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as OS from "node:os"
import * as Process from "node:process"
import * as Url from "node:url"

export class HostBinaryMissing extends Data.TaggedError("HostBinaryMissing")<{
  readonly host: string
  readonly looked: string
}> {
  override get message() {
    return `The ${this.host} binary is not at ${this.looked}. Install it with \`npm run setup -- --hosts\`.`
  }
}

const Manifest = Schema.parseJson(
  Schema.Struct({ dependencies: Schema.Record({ key: Schema.String, value: Schema.String }) })
)

const cache = Effect.map(Path.Path, (path) => {
  const { REFLEXION_HOSTS_CACHE: own, XDG_CACHE_HOME: xdg } = Process.env
  return own || path.join(xdg || path.join(OS.homedir(), ".cache"), "reflexion", "hosts")
})

/** A host's manifest has only one dependency. */
const installation = Effect.fnUntraced(function* (host: string, dependency: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const manifest = Url.fileURLToPath(new URL(`../../hosts/${host}/package.json`, import.meta.url))
  const { dependencies } = yield* Schema.decode(Manifest)(yield* fs.readFileString(manifest))
  return path.join(yield* cache, `${host}-${dependencies[dependency] ?? "unknown"}`)
})

const firstThere = Effect.fnUntraced(function* (
  host: string,
  looked: string,
  candidates: ReadonlyArray<ReadonlyArray<string>>
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const files = candidates.map((parts) => path.join(looked, "node_modules", ...parts))
  const found = yield* Effect.findFirst(files, (file) => fs.exists(file))
  return yield* Effect.mapError(found, () => new HostBinaryMissing({ host, looked }))
})

const executable = (name: string): string => (Process.platform === "win32" ? `${name}.exe` : name)

/** The package for the usual C library comes first. */
const claudeCodePackages = () => {
  const name = `claude-code-${Process.platform}-${Process.arch}`
  return Process.platform === "linux" ? [name, `${name}-musl`] : [name]
}

/** The version of each host is in `hosts/<host>/package.json`. */
export const claudeCodeBinary = Effect.gen(function* () {
  const installed = yield* installation("claude-code", "@anthropic-ai/claude-code")
  const candidates = claudeCodePackages().map((name) => ["@anthropic-ai", name, executable("claude")])
  return yield* firstThere("Claude Code", installed, candidates)
})

const codexArchitectures: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" }

const codexSystems: Readonly<Record<string, string>> = {
  linux: "unknown-linux-musl",
  darwin: "apple-darwin",
  win32: "pc-windows-msvc"
}

export const codexBinary = Effect.gen(function* () {
  const installed = yield* installation("codex", "@openai/codex")
  const target = `${codexArchitectures[Process.arch] ?? Process.arch}-${codexSystems[Process.platform] ?? Process.platform}`
  const name = `codex-${Process.platform}-${Process.arch}`
  return yield* firstThere("Codex", installed, [["@openai", name, "vendor", target, "bin", executable("codex")]])
})

export const copilotBinary = Effect.gen(function* () {
  const installed = yield* installation("copilot", "@github/copilot")
  const name = `copilot-${Process.platform}-${Process.arch}`
  return yield* firstThere("Copilot CLI", installed, [["@github", name, executable("copilot")]])
})

const system = Process.platform === "win32" ? "windows" : Process.platform

export const openCodeBinary = Effect.gen(function* () {
  const installed = yield* installation("opencode", "opencode-ai")
  return yield* firstThere("OpenCode", installed, [
    [`opencode-${system}-${Process.arch}`, "bin", executable("opencode")]
  ])
})

export const kiloBinary = Effect.gen(function* () {
  const installed = yield* installation("kilo", "@kilocode/cli")
  return yield* firstThere("Kilo", installed, [
    ["@kilocode", `cli-${system}-${Process.arch}`, "bin", executable("kilo")]
  ])
})

/** Node runs this program. */
export const geminiBinary = Effect.gen(function* () {
  const installed = yield* installation("gemini", "@google/gemini-cli")
  return yield* firstThere("Gemini CLI", installed, [["@google", "gemini-cli", "bundle", "gemini.js"]])
})
