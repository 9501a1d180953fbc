/** Describes OpenCode and Kilo for the command line. */
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
import { kilo as kiloProgram, openCode, type Program } from "./decoder/Program.ts"

/** Ignores a relative path, as the XDG specification says. */
const configFolder = (env: Place["env"]): string => {
  const given = env["XDG_CONFIG_HOME"]
  return given !== undefined && isAbsolute(given) ? given : join(HostFiles.homeOf(env), ".config")
}

/** The existing files, in the order of the folders, then the path for a new file, then all other paths. */
const files = (
  name: string,
  folders: ReadonlyArray<string>,
  fresh: string,
  more: ReadonlyArray<string> = []
): Places => {
  const all = [...folders.flatMap((folder) => ["jsonc", "json"].map((end) => join(folder, `${name}.${end}`))), ...more]
  const there = all.filter((file) => existsSync(file))
  return [...new Set([...there, join(fresh, `${name}.json`), ...all])].map((file) => ["plugins", file])
}

/** Returns the folders from `cwd` up to the project's root, without the root. */
const below = (root: string, cwd: string): ReadonlyArray<string> => {
  const steps = relative(root, cwd).split(sep)
  return steps[0] === "" || steps[0] === ".." || isAbsolute(steps.join(sep))
    ? []
    : steps.map((_, index) => join(root, ...steps.slice(0, index + 1))).toReversed()
}

interface Other {
  readonly tried: string
  readonly schema: string
}

const installationOf = ({ folders: own, name, tellsOnly, title }: Program, { schema, tried }: Other): Installation => ({
  form: "plugin",
  binary: name,
  binaryVariable: `${name.toUpperCase()}_BIN`,
  agentVariable: name.toUpperCase(),
  tried,
  events: [],
  loopWatch: [],
  windowsShell: null,
  approves: false,
  runsEach: false,
  tellsOnly,
  plainJson: false,
  plugin: { packageName: "@reflexion/opencode", bundle: "opencode", schema },
  // We create no `.opencode` or `.kilo` folder, because the program would install packages from the registry there.
  places: (scope, { cwd, env, root }) => {
    if (scope === "project") {
      const folders = [root, ...below(root, cwd)].flatMap((folder) => [...own.map((one) => join(folder, one)), folder])
      const fresh = folders.slice(0, own.length).find((folder) => existsSync(folder))
      return files(name, folders, fresh ?? root)
    }
    const folder = join(configFolder(env), name)
    const homes = own.map((one) => join(HostFiles.homeOf(env), one))
    return files(name, [folder, ...homes], folder, [join(folder, "config.json")])
  },
  sample: {},
  words: {
    command: "/reflection",
    changes: `~/.config/${name}/${name}.json, or ${name}.jsonc if you have one; with --project, the file in ${own.join(", ")} or in the project.`,
    installed: `${title} loads plugins when it starts: restart it if it is running.${tellsOnly ? ` In ${title}, reflexion only tells you, and does not nudge the agent.` : ""}`,
    ofProject: null,
    waiting: null,
    stays: null,
    checks: `With ${title}, checks run with your rights, like the agent's own commands there.`
  },
  look: () => Effect.succeed({ itself: [], more: [] })
})

/** Few, because an export takes OpenCode about a second, and Kilo several seconds. */
const maxExports = 5

/** Does nothing if the database has nothing newer than `after`. */
const recentOf = Effect.fnUntraced(function* (program: Program, { after, cwd, env }: Place, most: number) {
  const written = yield* OpenCodeSessions.writtenAt(env, program)
  if (Option.isNone(written) || written.value <= after) return []
  const fs = yield* FileSystem.FileSystem
  const options = { cwd, env, program, folder: yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-" }) }
  const wanted = (yield* OpenCodeSessions.list(options)).filter((one) => one.updated > after)
  return yield* Effect.forEach(wanted.slice(0, Math.min(most, maxExports)), ({ id: name, updated }) =>
    Effect.either(
      Effect.map(OpenCodeSessions.download(options, name), (file): SessionFile => ({ name, file, written: updated }))
    ).pipe(Effect.map(Either.mapLeft((error) => new HostError({ problem: `the session ${name}: ${error.message}` }))))
  )
})

const newestOf = Effect.fnUntraced(function* (program: Program, place: Place) {
  const [found] = yield* recentOf(program, place, 1)
  return found === undefined ? Option.none<SessionFile>() : Option.some(yield* found)
})

const hostOf = (program: Program, other: Other): Host => ({
  name: program.name,
  title: program.title,
  resume: (sessionId) => `${program.name} --session ${sessionId}`,
  decoder: OpenCodeTranscript.decoderOf(program.name),
  sessions: {
    newest: (place) => newestOf(program, place),
    recent: (place, most) =>
      Effect.map(recentOf(program, place, most), Array.map(Either.mapLeft(({ problem }) => problem))),
    subagentCalls: OpenCodeAgents.read,
    keepsAgentsApart: false
  },
  installation: installationOf(program, other),
  model: {
    title: "the small model of the session's provider",
    program: null,
    paid: "a question is paid like the session, by your plan or your key",
    tries: "check that the session's provider answers"
  }
})

export const host: Host = hostOf(openCode, { tried: "1.18.33", schema: "https://opencode.ai/config.json" })

export const kilo: Host = hostOf(kiloProgram, { tried: "7.7.7", schema: "https://app.kilo.ai/config.json" })
