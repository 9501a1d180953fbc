import { assert, describe, it } from "@effect/vitest"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import { Effect, FastCheck as fc } from "effect"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import * as Checksum from "../src/places/Checksum.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import * as SessionPrune from "../src/session/SessionPrune.ts"
import * as TodoFile from "../src/events/TodoFile.ts"
import { scratch } from "./support/session.ts"

const session: SessionFile.Session = {
  review: { ...ReviewState.initial, root: "u1", attempts: 2, mark: "m" },
  stop: "stop",
  stoppedAt: 1,
  tool: { print: "p", count: 3 },
  told: null,
  interrupted: null
}

const put = (key: SessionFile.Key, session: SessionFile.Session): void =>
  SessionFile.save(key, session, SessionFile.load(key).seen)

const setting = Effect.map(scratch, ({ hook }) => {
  const key = (sessionId: string, build = "b1"): SessionFile.Key => ({
    directories: hook.directories,
    host: "claude-code",
    sessionId,
    build
  })
  const folder = SessionFile.folder(hook.directories, "claude-code")
  return { key, folder, directories: hook.directories }
})

describe("SessionFile", () => {
  it.scoped("gives back what was saved", () =>
    Effect.gen(function* () {
      const { key } = yield* setting
      put(key("s"), session)
      assert.deepInclude(SessionFile.load(key("s")), { session, problem: null })
      assert.strictEqual(SessionFile.load(key("other")).session.review.attempts, 0)
    })
  )

  it.scoped("begins anew, and says so, wherever a file was cut or changed", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      put(key("s"), session)
      const file = join(folder, "s.json")
      const whole = readFileSync(file)
      const damage = fc.oneof(
        fc.nat(whole.length - 1).map((end) => whole.subarray(0, end)),
        fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
          const changed = Buffer.from(whole)
          changed[at] = (changed[at] ?? 0) ^ by
          return changed
        }),
        fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes))
      )
      fc.assert(
        fc.property(damage, (bytes) => {
          writeFileSync(file, bytes)
          const { problem, session: found } = SessionFile.load(key("s"))
          // Another build's name in the head leaves the counts as they are.
          if (problem === null) assert.deepStrictEqual(found.review, session.review)
          else assert.deepStrictEqual(found.review, ReviewState.initial)
        })
      )
    })
  )

  it.scoped("keeps the counts of another build, and of versions that kept the record as well", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      const known = { at: 1, turn: 2, open: [], prompts: [] }
      put(key("s"), { ...session, known })
      assert.deepStrictEqual(SessionFile.load(key("s")).session.known, known)
      assert.deepStrictEqual(SessionFile.load(key("s", "b2")).session, session)
      const body = JSON.stringify({ ...session, fold: { file: "f", read: 1, judgment: {} } })
      writeFileSync(join(folder, "s.json"), `reflexion-session-1 b0 ${Checksum.ofText(body)}\n${body}`)
      assert.deepInclude(SessionFile.load(key("s")), { session, problem: null })
    })
  )

  it.scoped("saves nothing over what another process has saved meanwhile", () =>
    Effect.gen(function* () {
      const { key } = yield* setting
      const first = SessionFile.load(key("s"))
      const second = SessionFile.load(key("s"))
      SessionFile.save(key("s"), session, first.seen)
      assert.throws(() => SessionFile.save(key("s"), { ...session, stop: "other" }, second.seen), /meanwhile/)
      assert.strictEqual(SessionFile.load(key("s")).session.stop, "stop")
    })
  )

  it.scoped("begins anew over a file that is too large to be a state", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "s.json"), Buffer.alloc(5_000_000, 32))
      assert.match(SessionFile.load(key("s")).problem ?? "", /larger/)
      put(key("s"), session)
      assert.deepInclude(SessionFile.load(key("s")), { session, problem: null })
    })
  )

  it.scoped("takes a folder for nobody's word, and writes and takes back all the same", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      const endings = Object.values(SessionFile.endings)
      const inTheWay = () => {
        for (const ending of endings) mkdirSync(join(folder, `s.${ending}`), { recursive: true })
      }
      inTheWay()
      assert.isFalse(SessionFile.isStopped(key("s")))
      assert.isNull(SessionFile.isAttended(key("s")))
      SessionFile.setStopped(key("s"), false)
      SessionFile.setDoneWhen(key("s"), [])
      inTheWay()
      SessionFile.setStopped(key("s"), true)
      SessionFile.setAttended(key("s"), false)
      SessionFile.setModelWord(key("s"), "off")
      assert.isTrue(SessionFile.isStopped(key("s")))
      assert.isFalse(SessionFile.isAttended(key("s")))
      assert.strictEqual(SessionFile.modelWordOf(key("s")), "off")
    })
  )

  it.scoped("moves folders out of its place and its lock's, which go when they are old", () =>
    Effect.gen(function* () {
      const { directories, folder, key } = yield* setting
      for (const name of ["s.json", "s.json.lock", "s.todos"]) {
        mkdirSync(join(folder, name), { recursive: true })
        writeFileSync(join(folder, name, "file"), "mine")
      }
      assert.match(SessionFile.load(key("s")).problem ?? "", /not a plain file/)
      const release = SessionFile.lock(key("s"), Date.now())
      assert.isNotNull(release)
      put(key("s"), session)
      release?.()
      assert.deepInclude(SessionFile.load(key("s")), { session, problem: null })
      const told = TodoFile.attempt(key("s"), { now: Date.now, patience: 0 }, (saved) => [
        { ...saved, closedIn: "turn" },
        "told"
      ])
      assert.deepStrictEqual(told, { value: "told" })
      const aside = readdirSync(folder).filter((name) => name.includes(".folder-"))
      assert.lengthOf(aside, 3)
      for (const name of aside) {
        assert.strictEqual(readFileSync(join(folder, name, "file"), "utf8"), "mine")
        utimesSync(join(folder, name), new Date(0), new Date(0))
      }
      SessionPrune.run(directories, "claude-code", Date.now())
      assert.sameMembers(readdirSync(folder), ["s.json", "s.todos"])
    })
  )

  it.scoped("is off from the user's word to stop until they take it back, whatever becomes of the state", () =>
    Effect.gen(function* () {
      const { directories, folder, key } = yield* setting
      const enabled = (): boolean => SessionFile.load(key("s")).session.review.enabled
      put(key("s"), session)
      SessionFile.setStopped(key("s"), true)
      assert.isFalse(enabled())
      assert.isTrue(SessionFile.load(key("t")).session.review.enabled)
      for (const damage of ["", "damaged", readFileSync(join(folder, "s.json")).subarray(0, 60)]) {
        writeFileSync(join(folder, "s.json"), damage)
        assert.isFalse(enabled())
      }
      rmSync(join(folder, "s.json"))
      assert.isFalse(enabled())
      // A review that was under way saves what it knew.
      put(key("s"), session)
      assert.isFalse(enabled())
      const past = new Date(Date.now() - 400 * 86_400_000)
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), past, past)
      SessionPrune.run(directories, "claude-code", Date.now())
      assert.isFalse(enabled())
      SessionFile.setStopped(key("s"), false)
      assert.isTrue(enabled())
    })
  )

  it.scoped("makes a file name of any id, another for each, inside its folder", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      const ids = ["../../etc/passwd", "a/b", "a_b", "a b", "", ".", "..", "x".repeat(500), "x".repeat(501), "ü", "CON"]
      for (const [index, id] of ids.entries()) {
        put(key(id), { ...session, review: { ...session.review, attempts: index } })
      }
      assert.strictEqual(readdirSync(folder).length, ids.length)
      for (const [index, id] of ids.entries()) {
        assert.strictEqual(SessionFile.load(key(id)).session.review.attempts, index, id)
      }
    })
  )

  it.scoped("is readable by the user alone, and replaces a link instead of following it", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      const target = join(dirname(folder), "target")
      mkdirSync(folder, { recursive: true })
      writeFileSync(target, "untouched")
      symlinkSync(target, join(folder, "s.json"))
      assert.match(SessionFile.load(key("s")).problem ?? "", /symbolic link/)
      put(key("s"), session)
      assert.strictEqual(readFileSync(target, "utf8"), "untouched")
      assert.strictEqual(statSync(join(folder, "s.json")).mode & 0o077, 0)
    })
  )

  it.scoped("locks a session against others, and a lock whose holder nobody knows gives way after a minute", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      const now = Date.now()
      put(key("s"), session)
      const release = SessionFile.lock(key("s"), now)
      assert.isNotNull(release)
      assert.isNull(SessionFile.lock(key("s"), now))
      assert.isNull(SessionFile.lock(key("s"), now + 61_000), "its process runs")
      assert.isNotNull(SessionFile.lock(key("t"), now))
      assert.isNull(SessionFile.lockWithin(key("s"), 30, Date.now))
      release?.()
      writeFileSync(join(folder, "s.json.lock"), "someone's")
      assert.isNull(SessionFile.lock(key("s"), now))
      assert.isNotNull(SessionFile.lock(key("s"), now + 61_000))
    })
  )

  it.scoped("takes over the lock of a process that is gone, and no other's", () =>
    Effect.gen(function* () {
      const { folder, key } = yield* setting
      const now = Date.now()
      put(key("s"), session)
      const gone = spawnSync(process.execPath, ["-e", "0"]).pid
      writeFileSync(join(folder, "s.json.lock"), String(gone))
      const release = SessionFile.lock(key("s"), now)
      assert.isNotNull(release)
      release?.()
      for (const text of [String(process.pid), "", "someone's"]) {
        writeFileSync(join(folder, "s.json.lock"), text)
        assert.isNull(SessionFile.lock(key("s"), now), text)
      }
    })
  )

  it.scoped("forgets the sessions that nobody touched for 30 days", () =>
    Effect.gen(function* () {
      const { directories, folder, key } = yield* setting
      SessionPrune.run(directories, "claude-code", Date.now())
      for (const id of ["old", "new"]) put(key(id), session)
      const past = new Date(Date.now() - 31 * 86_400_000)
      utimesSync(join(folder, "old.json"), past, past)
      SessionPrune.run(directories, "claude-code", Date.now())
      assert.isFalse(existsSync(join(folder, "old.json")))
      assert.isTrue(existsSync(join(folder, "new.json")))
    })
  )
})
