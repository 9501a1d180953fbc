/** Describes OpenCode for the command line. */
import * as FileSystem from "@effect/platform/FileSystem"
import {
  type Host,
  HostError,
  type Installation,
  type Place,
  type Places,
  type SessionFile
} from "@reflexion/core/internal/session/host/Host"
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { existsSync } from "node:fs"
import { isAbsolute, join, relative, sep } from "node:path"
import * as OpenCodeAgents from "./decoder/OpenCodeAgents.ts"
import * as OpenCodeSessions from "./decoder/OpenCodeSessions.ts"
import * as OpenCodeTranscript from "./decoder/OpenCodeTranscript.ts"

/** The XDG specification says that a relative path in this variable must be ignored. */
const configFolder = (env: Place["env"]): string => {
  const given = env["XDG_CONFIG_HOME"]
  return given !== undefined && isAbsolute(given) ? given : join(HostFiles.homeOf(env), ".config")
}

const names = ["opencode.jsonc", "opencode.json"]

/** Returns existing files first, in the order of the folders, and then the place for a new file. */
const files = (folders: ReadonlyArray<string>, fresh: string, more: ReadonlyArray<string> = []): Places => {
  const all = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...more]
  const there = all.filter((file) => existsSync(file))
  return [...new Set([...there, join(fresh, "opencode.json"), ...all])].map((file) => ["plugins", file])
}

/** Returns the folders from `cwd` up to the project's root, without the root. */
const below = (root: string, cwd: string): ReadonlyArray<string> => {
  const steps = relative(root, cwd).split(sep)
  return steps[0] === "" || steps[0] === ".." || isAbsolute(steps.join(sep))
    ? []
    : steps.map((_, index) => join(root, ...steps.slice(0, index + 1))).toReversed()
}

const installation: Installation = {
  form: "plugin",
  binary: "opencode",
  binaryVariable: "OPENCODE_BIN",
  agentVariable: "OPENCODE",
  tried: "1.18.33",
  events: [],
  loopWatch: [],
  windowsShell: null,
  approves: false,
  runsEach: false,
  plainJson: false,
  plugin: { packageName: "@reflexion/opencode", schema: "https://opencode.ai/config.json" },
  // No `.opencode` folder is created, because OpenCode would install packages from the registry into it at its next
  // start.
  places: (scope, { cwd, env, root }) => {
    if (scope === "project") {
      const folders = [root, ...below(root, cwd)].flatMap((folder) => [join(folder, ".opencode"), folder])
      return files(folders, folders.slice(0, 2).find((folder) => existsSync(folder)) ?? root)
    }
    const folder = join(configFolder(env), "opencode")
    return files([folder, join(HostFiles.homeOf(env), ".opencode")], folder, [join(folder, "config.json")])
  },
  sample: {},
  words: {
    command: "/reflection",
    changes:
      "~/.config/opencode/opencode.json, or opencode.jsonc if you have one; with --project, the file in .opencode or in the project.",
    installed: "OpenCode loads plugins when it starts: restart it if it is running.",
    ofProject: null,
    waiting: null,
    stays: null,
    checks: "With OpenCode, checks run with your rights, like the agent's own commands there."
  },
  look: () => Effect.succeed({ itself: [], more: [] })
}

/** The program needs about a second for each export. */
const maxExports = 5

/**
 * Asks OpenCode's program and writes its output into a temporary folder. Does nothing if the database has nothing newer
 * than `after`.
 */
const recent = Effect.fnUntraced(function* ({ after, cwd, env }: Place, most: number) {
  const written = yield* OpenCodeSessions.writtenAt(env)
  if (Option.isNone(written) || written.value <= after) return []
  const fs = yield* FileSystem.FileSystem
  const options = { cwd, env, folder: yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-" }) }
  const wanted = (yield* OpenCodeSessions.list(options)).filter((one) => one.updated > after)
  return yield* Effect.forEach(wanted.slice(0, Math.min(most, maxExports)), ({ id: name, updated }) =>
    Effect.either(
      Effect.map(OpenCodeSessions.download(options, name), (file): SessionFile => ({ name, file, written: updated }))
    ).pipe(Effect.map(Either.mapLeft((error) => new HostError({ problem: `the session ${name}: ${error.message}` }))))
  )
})

const newest = Effect.fnUntraced(function* (place: Place) {
  const [found] = yield* recent(place, 1)
  return found === undefined ? Option.none<SessionFile>() : Option.some(yield* found)
})

export const host: Host = {
  name: "opencode",
  title: "OpenCode",
  decoder: OpenCodeTranscript.decoder,
  sessions: {
    newest,
    recent: (place, most) => Effect.map(recent(place, most), Array.map(Either.mapLeft(({ problem }) => problem))),
    subagentCalls: OpenCodeAgents.read,
    keepsAgentsApart: false
  },
  installation,
  model: {
    title: "the small model of the session's provider",
    program: null,
    paid: "a question is paid like the session, by your plan or your key",
    tries: "check that the session's provider answers"
  }
}
