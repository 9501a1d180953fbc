import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { lstatSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as LockGuard from "../src/internal/lockGuard.ts"

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const place = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "guard-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

/** Waits without a turn of the event loop, which no timeout of a test could end. */
const waitedFor = (isSo: () => boolean): boolean => {
  for (const until = Date.now() + 20_000; !isSo() && Date.now() < until;) spawnSync("sleep", ["0.005"])
  return isSo()
}

/** A guard that runs, without a turn of the event loop since it was started. */
const guarded = Effect.gen(function* () {
  const path = join(yield* place, "log.lock")
  const guard = yield* Effect.acquireRelease(
    Effect.sync(() => LockGuard.start(path, "own")),
    (made) => Effect.sync(() => made?.close())
  )
  if (guard === null) throw new Error("there is no thread")
  assert.isTrue(waitedFor(guard.isReady))
  return { guard, path }
})

describe.runIf(process.platform === "linux")("the thread that guards a lock", () => {
  it.scopedLive("gives back what is left while the program waits for a child, each time, also after it has slept", () =>
    Effect.gen(function* () {
      const { guard, path } = yield* guarded
      for (const pause of [0, 0, 400, 0]) {
        yield* Effect.sleep(pause)
        symlinkSync("own", path)
        guard.leave()
        assert.isTrue(waitedFor(() => !isThere(path)))
        assert.isFalse(guard.resume())
      }
    })
  )

  it.scopedLive("gives back nothing that is held, nor another's", () =>
    Effect.gen(function* () {
      const { guard, path } = yield* guarded
      symlinkSync("own", path)
      guard.leave()
      const isOurs = guard.resume()
      if (!isOurs && !isThere(path)) symlinkSync("own", path)
      spawnSync("sleep", ["0.1"])
      assert.strictEqual(readlinkSync(path), "own")
      rmSync(path)
      symlinkSync("another's", path)
      guard.leave()
      spawnSync("sleep", ["0.1"])
      assert.isFalse(guard.resume())
      assert.strictEqual(readlinkSync(path), "another's")
    })
  )

  it.scopedLive("has the lock, or the program has it, and never both", () =>
    Effect.gen(function* () {
      const { guard, path } = yield* guarded
      let lost = 0
      symlinkSync("own", path)
      for (let time = 0; time < 3000; time += 1) {
        guard.leave()
        if (time % 300 === 0) spawnSync("sleep", ["0.02"])
        if (guard.resume()) assert.isTrue(isThere(path))
        else {
          lost += 1
          assert.isFalse(isThere(path))
          symlinkSync("own", path)
        }
      }
      assert.isAbove(lost, 0)
    })
  )
})
