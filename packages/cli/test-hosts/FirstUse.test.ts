import { Command, FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ClaudeCodeContract, CodexContract, HostBinaries, OpenCodeContract, Sandbox } from "@reflexion/testing"
import type { Host } from "@reflexion/testing/contract/HostContract"
import * as Task from "@reflexion/testing/contract/HostContractTask"
import * as World from "@reflexion/testing/contract/HostContractWorld"
import { Effect, Stream } from "effect"
import { fileURLToPath } from "node:url"

/** The user's settings files before the first command, if the home has any. */
type Settings = Readonly<Record<string, string>>

const hosts = [
  { host: ClaudeCodeContract.host, program: "claude", binary: HostBinaries.claudeCodeBinary },
  { host: CodexContract.host, program: "codex", binary: HostBinaries.codexBinary },
  { host: OpenCodeContract.host, program: "opencode", binary: HostBinaries.openCodeBinary }
]

const names = hosts.map(({ host }) => host.name)

/** The command line as npm packs it, unpacked outside the repository, as a user has it. */
const unpacked = Effect.fnUntraced(function* ({ root }: Sandbox.Sandbox) {
  const path = yield* Path.Path
  const folder = fileURLToPath(new URL("..", import.meta.url))
  const packing = ["pack", "--silent", "--offline", "--ignore-scripts", "--pack-destination", root]
  const archive = (yield* Command.string(Command.make("npm", ...packing).pipe(Command.workingDirectory(folder)))).trim()
  yield* Command.string(Command.make("tar", "-xzf", path.join(root, archive), "-C", root))
  return path.join(root, "package", "dist", "bin.js")
})

/** A home with the hosts' programs on PATH, and a project. reflexion is only in its unpacked package. */
const arrive = Effect.fnUntraced(function* (settings: Settings) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const made = yield* World.bare(ClaudeCodeContract.host)
  const programs = path.join(made.sandbox.root, "programs")
  yield* fs.makeDirectory(programs)
  for (const { binary, program } of hosts) yield* fs.symlink(yield* binary, path.join(programs, program))
  const env = { ...made.sandbox.env, PATH: `${programs}:${made.sandbox.env["PATH"]}` }
  const sandbox: Sandbox.Sandbox = { ...made.sandbox, env }
  for (const [name, text] of Object.entries(settings)) {
    yield* fs.makeDirectory(path.dirname(path.join(sandbox.home, name)), { recursive: true })
    yield* fs.writeFileString(path.join(sandbox.home, name), text)
  }
  return { world: { ...made, sandbox }, bin: yield* unpacked(sandbox) }
})

type User = Effect.Effect.Success<ReturnType<typeof arrive>>

const text = (stream: Stream.Stream<Uint8Array, unknown>) => Stream.mkString(Stream.decodeText(stream))

/** Runs a command of reflexion's that must end with this status. Returns what it prints, with its lines joined. */
const reflexion = Effect.fnUntraced(function* ({ bin, world: { sandbox } }: User, words: string, status = 0) {
  const argv = [process.execPath, bin, ...words.split(" ")]
  const running = yield* Command.start(Sandbox.command(sandbox, {}, argv))
  const texts = [text(running.stdout), text(running.stderr)]
  const [[out = "", err], code] = yield* Effect.all([Effect.all(texts, { concurrency: 2 }), running.exitCode])
  assert.strictEqual(code, status, `reflexion ${words}: ${out}${err}`)
  return out.replaceAll(/\s+/gu, " ").trim()
}, Effect.scoped)

/** The files below the home directory, but for those of git and of packages. */
const filesOf = ({ world: { sandbox } }: User) =>
  Effect.map(
    Sandbox.execute(sandbox, "find", sandbox.home, "-type", "f", "-not", "-path", "*.git/*"),
    (found) => new Set(found.split("\n").flatMap((file) => (file === "" ? [] : [file.slice(sandbox.home.length + 1)])))
  )

/**
 * What the hosts and npm keep for themselves. Settings, hooks and commands are not included: they must be the same to
 * the byte.
 */
const ofHosts =
  /^(?:\.claude\.json|\.claude\/(?:\.last-cleanup|(?:backups|plugins|projects|todos|shell-snapshots|sessions|statsig|cache|debug|session-env)\/.*)|\.codex\/(?!hooks\.json).*|\.config\/opencode\/(?:\.gitignore|package(?:-lock)?\.json|bun\.lock|node_modules\/.*)|\.(?:local\/share|local\/state|cache)\/opencode\/.*|\.npm\/.*|\.bun\/.*)$/u

/** The files that reflexion keeps after it is uninstalled, as the documentation says. */
const ofReflexion =
  /^(?:\.local\/state\/reflexion\/|\.local\/share\/reflexion\/hooks\/[\w-]+\/[^/]+\/hook\.cjs$|\.cache\/reflexion\/|shop\/\.reflection\/)/u

/** Codex adds its user's approval, and its trust in the project, at the end of its settings. */
const codexOwn = /\n*\[(?:hooks\.state|projects\.).*$/su

const settingsOf = Effect.fnUntraced(function* ({ world: { sandbox } }: User, settings: Settings) {
  const fs = yield* FileSystem.FileSystem
  const read = (name: string) =>
    Effect.map(fs.readFileString(`${sandbox.home}/${name}`), (found) => found.replace(codexOwn, "\n"))
  return Object.fromEntries(
    yield* Effect.forEach(Object.keys(settings), (name) => Effect.map(read(name), (found) => [name, found]))
  )
})

/** The agent stops with a failing test, is sent on, fixes it, and is done: one run in the real program. */
const work = Effect.fnUntraced(function* ({ world }: User, host: Host, number: number) {
  const spoiled = number === 1 ? [] : [[Task.spoil(number - 1)]]
  const model = [...spoiled, [Task.runTests], [Task.fixed], [Task.fixAs(number)], [Task.runTests], [Task.green]]
  const played = yield* World.play({ ...world, host }, { model, prompts: [Task.task] })
  assert.deepStrictEqual(played.nudges, ["1/3"], host.name)
  assert.deepStrictEqual(World.kinds(played), ["nudge", "notice"], host.name)
  assert.match(played.notices.join("\n"), /to continue \(1 of 3\): [^\n]*tests[^\n]*\n.*done, .*the tests pass\./u)
  return { name: host.name, sessionId: played.sessionId }
})

const looksAround = Effect.fnUntraced(function* (
  user: User,
  sessions: ReadonlyArray<{ readonly name: string; readonly sessionId: string }>
) {
  const fs = yield* FileSystem.FileSystem
  assert.include(yield* reflexion(user, "doctor"), "All is well.")
  const page = yield* reflexion(user, "report --format html --output page.html")
  assert.strictEqual(page, `${user.world.sandbox.workspace}/page.html`)
  const html = yield* fs.readFileString(page)
  yield* fs.remove(page)
  for (const { name, sessionId } of sessions) {
    const out = yield* reflexion(user, `report --session ${sessionId}`)
    const done = new RegExp(`done A 10 % discount .* ${name} · \\S+ · 1 nudge .*nudge 1/3 .* notice complete`, "u")
    assert.match(out, done)
    assert.include(html, sessionId.slice(0, 8))
  }
  assert.include(yield* reflexion(user, "report"), "3 nudges got 3 of them done.")
  assert.include(yield* reflexion(user, "memory recall"), "## Learning from Previous Failures")
  const judged = yield* reflexion(user, "judge")
  assert.match(judged, /Verdict ✓ COMPLETE/u)
  assert.include(judged, sessions.at(-1)?.sessionId ?? "no session")
})

const isToldOfCodex = Effect.fnUntraced(function* (user: User) {
  const out = yield* reflexion(user, "doctor codex", 1)
  assert.match(out, /approval untrusted, .* 1 thing needs you\.$/u)
})

/**
 * Runs the README's commands in order, in a home with these settings. Without settings, it also runs those that only
 * look.
 */
const walk = (settings: Settings) =>
  Effect.gen(function* () {
    const looks = Effect.when(() => Object.keys(settings).length === 0)
    const user = yield* arrive(settings)
    const before = yield* filesOf(user)
    for (const name of names) {
      assert.include(yield* reflexion(user, `install ${name}`), `reflexion doctor ${name}`)
    }
    yield* looks(isToldOfCodex(user))
    // In Codex a session begins with its user's approval.
    const sessions = yield* Effect.forEach(hosts, ({ host }, index) => work(user, host, index + 1))
    yield* looks(looksAround(user, sessions))
    for (const name of names) {
      assert.match(yield* reflexion(user, `uninstall ${name}`), /(?:hooks are|plugin is) removed\./u)
    }
    const after = yield* filesOf(user)
    const left = [...after].filter((file) => !before.has(file) && !ofHosts.test(file) && !ofReflexion.test(file))
    const lost = [...before].filter((file) => !after.has(file))
    assert.deepStrictEqual([left, lost], [[], []])
    assert.deepStrictEqual(yield* settingsOf(user, settings), settings)
  }).pipe(Effect.provide(NodeContext.layer))

describe.concurrent("a new user, from the first install to the last uninstall", () => {
  it.scopedLive("in an empty home", () => walk({}))

  it.scopedLive("in a home with settings of their own", () =>
    walk(Object.assign({}, ...hosts.map(({ host }) => host.settings)))
  )
})
