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
import * as SessionFile from "../src/session/SessionFile.ts"
import { scratch } from "./support/session.ts"

const session: SessionFile.Session = {
  review: { ...ReviewState.initial, root: "u1", attempts: 2, mark: "m" },
  stop: "stop",
  stoppedAt: 1,
  tool: { print: "p", count: 3 },
  told: null,
  interrupted: null
}

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

const inSetting = (title: string, work: (given: Effect.Effect.Success<typeof setting>) => void) =>
  it.scoped(title, () => Effect.map(setting, work))

describe("SessionFile", () => {
  inSetting("gives back what was saved", ({ key }) => {
    SessionFile.save(key("s"), session)
    assert.deepInclude(SessionFile.load(key("s")), { session, problem: null })
    assert.strictEqual(SessionFile.load(key("other")).session.review.attempts, 0)
  })

  inSetting("begins again, and says so, wherever a file was cut or changed", ({ folder, key }) => {
    SessionFile.save(key("s"), session)
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

  inSetting("keeps the counts of another build", ({ key }) => {
    const known = { at: 1, turn: 2, open: [], prompts: [] }
    SessionFile.save(key("s"), { ...session, known })
    assert.deepStrictEqual(SessionFile.load(key("s")).session.known, known)
    assert.deepStrictEqual(SessionFile.load(key("s", "b2")).session, session)
  })

  inSetting("begins again over a file that is too large to be a state", ({ folder, key }) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "s.json"), Buffer.alloc(5_000_000, 32))
    assert.match(SessionFile.load(key("s")).problem ?? "", /larger/)
    SessionFile.save(key("s"), session)
    assert.deepInclude(SessionFile.load(key("s")), { session, problem: null })
  })

  inSetting(
    "is off from the user's word to stop until they take it back, whatever becomes of the state",
    ({ folder, key }) => {
      const enabled = (): boolean => SessionFile.load(key("s")).session.review.enabled
      SessionFile.save(key("s"), session)
      SessionFile.say(key("s"), "stopped", "")
      assert.isFalse(enabled())
      assert.isTrue(SessionFile.load(key("t")).session.review.enabled)
      for (const damage of ["", "damaged", readFileSync(join(folder, "s.json")).subarray(0, 60)]) {
        writeFileSync(join(folder, "s.json"), damage)
        assert.isFalse(enabled())
      }
      rmSync(join(folder, "s.json"))
      assert.isFalse(enabled())
      // A review that was under way saves what it knew.
      SessionFile.save(key("s"), session)
      assert.isFalse(enabled())
      const past = new Date(Date.now() - 400 * 86_400_000)
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), past, past)
      SessionFile.prune(folder, Date.now())
      assert.isFalse(enabled())
      SessionFile.say(key("s"), "stopped", null)
      assert.isTrue(enabled())
    }
  )

  inSetting("makes a file name of any id, another for each, inside its folder", ({ folder, key }) => {
    const ids = ["../../etc/passwd", "a/b", "a_b", "a b", "", ".", "..", "x".repeat(500), "x".repeat(501), "ü", "CON"]
    for (const [index, id] of ids.entries()) {
      SessionFile.save(key(id), { ...session, review: { ...session.review, attempts: index } })
    }
    assert.strictEqual(readdirSync(folder).length, ids.length)
    for (const [index, id] of ids.entries()) {
      assert.strictEqual(SessionFile.load(key(id)).session.review.attempts, index, id)
    }
  })

  inSetting("is readable by the user alone, and replaces a link instead of following it", ({ folder, key }) => {
    const target = join(dirname(folder), "target")
    mkdirSync(folder, { recursive: true })
    writeFileSync(target, "untouched")
    symlinkSync(target, join(folder, "s.json"))
    assert.match(SessionFile.load(key("s")).problem ?? "", /symbolic link/)
    SessionFile.save(key("s"), session)
    assert.strictEqual(readFileSync(target, "utf8"), "untouched")
    assert.strictEqual(statSync(join(folder, "s.json")).mode & 0o077, 0)
  })

  inSetting("locks a session against others, and takes over the lock of a process that is gone", ({ folder, key }) => {
    const lock = <A>(id: string, work: () => A) => SessionFile.locked(key(id), 10, work)
    assert.deepStrictEqual(
      lock("s", () => [lock("s", () => 1), lock("t", () => 2)]),
      [null, 2]
    )
    const gone = spawnSync(process.execPath, ["-e", "0"]).pid
    for (const [text, taken] of [
      [String(gone), true],
      [String(process.pid), null],
      ["", null],
      ["someone's", null]
    ] as const) {
      writeFileSync(join(folder, "s.json.lock"), text)
      assert.strictEqual(
        lock("s", () => true),
        taken,
        text
      )
    }
  })

  inSetting("forgets the sessions that nobody touched for 30 days", ({ folder, key }) => {
    SessionFile.prune(folder, Date.now())
    for (const id of ["old", "new"]) SessionFile.save(key(id), session)
    const past = new Date(Date.now() - 31 * 86_400_000)
    utimesSync(join(folder, "old.json"), past, past)
    SessionFile.prune(folder, Date.now())
    assert.isFalse(existsSync(join(folder, "old.json")))
    assert.isTrue(existsSync(join(folder, "new.json")))
  })
})
