import { assert, describe } from "@effect/vitest"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import { FastCheck as fc } from "effect"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { dirname, join } from "node:path"
import * as SessionFile from "../src/session/SessionFile.ts"
import { inScratch, type Scratch } from "./support/session.ts"

const session: SessionFile.Session = {
  review: { ...ReviewState.initial, root: "u1", attempts: 2, mark: "m" },
  stop: "stop",
  stoppedAt: 1,
  tool: { print: "p", count: 3 },
  told: null,
  interrupted: null
}

const setting = ({ hook: { directories } }: Scratch) => {
  const host = "claude-code"
  const key = (sessionId: string, build = "b1"): SessionFile.Key => ({ directories, host, sessionId, build })
  return { key, folder: SessionFile.folder(directories, host) }
}

const inSetting = (title: string, work: (given: ReturnType<typeof setting>) => void) =>
  inScratch(title, (scratched) => work(setting(scratched)))

describe("SessionFile", () => {
  inSetting("begins again, and says so, after a file was cut or changed", ({ folder, key }) => {
    SessionFile.save(key("s"), session)
    const file = join(folder, "s.json")
    const whole = Fs.readFileSync(file)
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
        Fs.writeFileSync(file, bytes)
        const { problem, session: found } = SessionFile.load(key("s"))
        // If only the build's name in the head differs, the counts stay valid.
        if (problem === null) assert.deepStrictEqual(found.review, session.review)
        else assert.deepStrictEqual(found.review, ReviewState.initial)
      })
    )
  })

  inSetting("keeps the counts that another build saved", ({ key }) => {
    const known = { at: 1, turn: 2, open: [], prompts: [] }
    SessionFile.save(key("s"), { ...session, known })
    assert.deepStrictEqual(SessionFile.load(key("s")).session.known, known)
    assert.deepStrictEqual(SessionFile.load(key("s", "b2")).session, session)
  })

  inSetting("begins again if the file is too large to be a state", ({ folder, key }) => {
    Fs.mkdirSync(folder, { recursive: true })
    Fs.writeFileSync(join(folder, "s.json"), Buffer.alloc(5_000_000, 32))
    assert.match(SessionFile.load(key("s")).problem ?? "", /larger/)
    SessionFile.save(key("s"), session)
    assert.deepInclude(SessionFile.load(key("s")), { session, problem: null })
  })

  inSetting("each id gets its own file name inside the folder", ({ folder, key }) => {
    const ids = ["../../etc/passwd", "a/b", "a_b", "a b", "", ".", "..", "x".repeat(500), "x".repeat(501), "ü", "CON"]
    for (const [index, id] of ids.entries()) {
      SessionFile.save(key(id), { ...session, review: { ...session.review, attempts: index } })
    }
    assert.strictEqual(Fs.readdirSync(folder).length, ids.length)
    for (const [index, id] of ids.entries()) {
      assert.strictEqual(SessionFile.load(key(id)).session.review.attempts, index, id)
    }
  })

  inSetting("is readable by the user alone, and replaces a link instead of following it", ({ folder, key }) => {
    const target = join(dirname(folder), "target")
    Fs.mkdirSync(folder, { recursive: true })
    Fs.writeFileSync(target, "untouched")
    Fs.symlinkSync(target, join(folder, "s.json"))
    assert.match(SessionFile.load(key("s")).problem ?? "", /symbolic link/)
    SessionFile.save(key("s"), session)
    assert.strictEqual(Fs.readFileSync(target, "utf8"), "untouched")
    assert.strictEqual(Fs.statSync(join(folder, "s.json")).mode & 0o077, 0)
  })

  inSetting("is locked against other processes, unless the lock's owner is gone", ({ folder, key }) => {
    const lock = <A>(id: string, work: () => A) => SessionFile.locked(key(id), 10, work)
    const both = lock("s", () => [lock("s", () => 1), lock("t", () => 2)])
    assert.deepStrictEqual(both, [null, 2])
    const gone = spawnSync(process.execPath, ["-e", "0"]).pid
    const taken = [String(gone), String(process.pid), "someone's"].map((text) => {
      Fs.writeFileSync(join(folder, "s.json.lock"), text)
      return lock("s", () => true)
    })
    assert.deepStrictEqual(taken, [true, null, null])
  })

  inSetting("is deleted after 30 days without a change, except for the user's stop", ({ folder, key }) => {
    SessionFile.prune(folder, Date.now())
    for (const id of ["old", "new"]) SessionFile.save(key(id), session)
    SessionFile.say(key("old"), "stopped", "")
    const past = new Date(Date.now() - 31 * 86_400_000)
    for (const name of Fs.readdirSync(folder)) if (name.startsWith("old")) Fs.utimesSync(join(folder, name), past, past)
    SessionFile.prune(folder, Date.now())
    assert.deepStrictEqual(
      [Fs.existsSync(join(folder, "old.json")), Fs.existsSync(join(folder, "new.json"))],
      [false, true]
    )
    assert.isFalse(SessionFile.load(key("old")).session.review.enabled)
    assert.isTrue(SessionFile.load(key("new")).session.review.enabled)
  })
})
