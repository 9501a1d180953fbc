/**
 * Where the real coding agents are that host tests run: exact versions, in a cache outside the repository.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as OS from "node:os"
import * as Process from "node:process"
import * as Url from "node:url"

/**
 * @since 0.1.0
 * @category errors
 */
export class HostBinaryMissing extends Data.TaggedError("HostBinaryMissing")<{
  readonly host: string
  readonly looked: string
}> {
  override get message() {
    return `The ${this.host} binary is not at ${this.looked}. Install it with \`npm run setup -- --hosts\`.`
  }
}

const Manifest = Schema.parseJson(
  Schema.Struct({ dependencies: Schema.Struct({ "@anthropic-ai/claude-code": Schema.String }) })
)

const manifest = Url.fileURLToPath(new URL("../hosts/claude-code/package.json", import.meta.url))

const cache = Effect.map(Path.Path, (path) => {
  const { REFLEXION_HOSTS_CACHE: own, XDG_CACHE_HOME: xdg } = Process.env
  return own || path.join(xdg || path.join(OS.homedir(), ".cache"), "reflexion", "hosts")
})

/** The npm packages that may carry the binary on this machine, the usual C library first. */
const platformPackages = () => {
  const name = `claude-code-${Process.platform}-${Process.arch}`
  return Process.platform === "linux" ? [name, `${name}-musl`] : [name]
}

/**
 * The path of the Claude Code binary whose version `hosts/claude-code/package.json` names.
 *
 * @since 0.1.0
 * @category accessors
 */
export const claudeCodeBinary = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { dependencies } = yield* Schema.decode(Manifest)(yield* fs.readFileString(manifest))
  const installed = path.join(yield* cache, `claude-code-${dependencies["@anthropic-ai/claude-code"]}`)
  const file = Process.platform === "win32" ? "claude.exe" : "claude"
  const candidates = platformPackages().map((name) => path.join(installed, "node_modules", "@anthropic-ai", name, file))
  const found = yield* Effect.findFirst(candidates, (candidate) => fs.exists(candidate))
  return yield* Effect.mapError(found, () => new HostBinaryMissing({ host: "Claude Code", looked: installed }))
})
