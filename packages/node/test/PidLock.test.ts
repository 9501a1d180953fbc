import { assert, describe, it } from "@effect/vitest"
import {
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync
} from "node:fs"
import * as Effect from "effect/Effect"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PidLock from "../src/PidLock.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lock-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const now = (): number => Date.now()

/** Takes it so often that its holder's name is kept. */
const often = (lock: PidLock.Frequent): void => {
  for (let time = 0; time < 40; time += 1) lock.take(now())?.release()
}

const kept = (made: string): ReadonlyArray<string> => readdirSync(made).filter((name) => name.startsWith("log.lock."))

describe.runIf(process.platform === "linux")("a lock that is taken often", () => {
  it.scopedLive("is held by one at a time, names its holder, and leaves nothing when it is closed", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const path = join(made, "log.lock")
      const lock = PidLock.frequent(path)
      lock.take(now())?.release()
      assert.deepStrictEqual(readdirSync(made), [])
      often(lock)
      assert.lengthOf(kept(made), 1)
      const held = lock.take(now())
      assert.isNotNull(held)
      assert.strictEqual(readlinkSync(path).split(" ")[0], String(process.pid))
      assert.isNull(PidLock.take(path, now()))
      assert.isNull(PidLock.frequent(path).take(now()))
      assert.isNull(lock.take(now()))
      held?.release()
      assert.isFalse(existsSync(path))
      const other = PidLock.take(path, now())
      assert.isNull(lock.take(now()))
      other?.release()
      lock.close()
      assert.deepStrictEqual(readdirSync(made), [])
      assert.isNotNull(lock.take(now()))
    })
  )

  it.scopedLive("is taken though somebody removed what was kept", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const lock = PidLock.frequent(join(made, "log.lock"))
      often(lock)
      for (const name of kept(made)) rmSync(join(made, name))
      const held = lock.take(now())
      assert.isNotNull(held)
      assert.isNull(PidLock.take(join(made, "log.lock"), now()))
      held?.release()
      often(lock)
      assert.lengthOf(kept(made), 1)
    })
  )

  it.scopedLive("that a killed process held is taken over, and what that kept is removed", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const path = join(made, "log.lock")
      const own = PidLock.take(path, now())
      const gone = readlinkSync(path).replace(/^\d+/, "4194303")
      own?.release()
      symlinkSync(gone, join(made, "log.lock.4194303-abc"))
      linkSync(join(made, "log.lock.4194303-abc"), path)
      symlinkSync("somebody's", join(made, "log.lock.notes"))
      const lock = PidLock.frequent(path)
      const held = lock.take(now())
      assert.isTrue(held?.isOver)
      held?.release()
      often(lock)
      assert.notInclude(kept(made), "log.lock.4194303-abc")
      assert.include(kept(made), "log.lock.notes")
      assert.lengthOf(kept(made), 2)
    })
  )

  it.scopedLive("of another system's process is as old as its taking, and not as what that kept", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const path = join(made, "log.lock")
      const name = join(made, "log.lock.7-abc")
      symlinkSync("7 1 elsewhere 1", name)
      lutimesSync(name, 1000, 1000)
      linkSync(name, path)
      assert.isBelow(lstatSync(path).mtimeMs, now() - 3_600_000)
      assert.isNull(PidLock.take(path, now()))
      // It may run: what it keeps stays for an hour.
      rmSync(path)
      often(PidLock.frequent(path))
      assert.include(kept(made), "log.lock.7-abc")
      linkSync(name, path)
      assert.isTrue(PidLock.take(path, now() + 61_000)?.isOver)
    })
  )
})
