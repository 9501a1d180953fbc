import { assert, describe } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileLock from "../../src/base/system/FileLock.ts"
import { folder } from "../support/stores.ts"
import { works } from "../support/works.ts"

const later = (): number => Date.now() + 61_000

/** Leaves a lock as another process would. In the lock's name, `to` replaces what `from` matches. */
const leave = (lock: string, from: RegExp, to: string): void => {
  const own = FileLock.take(`${lock}.own`)
  const name = readlinkSync(`${lock}.own`).replace(from, to)
  own?.release()
  symlinkSync(name, lock)
}

describe.runIf(process.platform === "linux")("a lock between processes", () => {
  works("one holder at a time: named in the lock, folder created, nothing left after release", function* () {
    const place = join(yield* folder, "made")
    const lock = join(place, "x.lock")
    const held = FileLock.take(lock)
    assert.isFalse(held?.isOver)
    assert.strictEqual(readlinkSync(lock).split(" ")[0], String(process.pid))
    assert.isNull(FileLock.take(lock))
    assert.isNull(FileLock.take(lock, later()), "its process runs")
    assert.throws(() => FileLock.within(lock, 20, () => undefined), FileLock.Busy)
    held?.release()
    assert.deepStrictEqual(readdirSync(place), [])
    const found = FileLock.within(lock, 0, ({ isOver }) => isOver)
    assert.strictEqual(found, false)
  })

  works("a lock of an ended process is taken over, even if its id was reused", function* () {
    const place = yield* folder
    const gone = spawnSync(process.execPath, ["--eval", ""]).pid
    for (const [at, [from, to]] of [[/^\d+/, String(gone)] as const, [/(?<=^\d+ )\d+/, "1"] as const].entries()) {
      const lock = join(place, `${at}.lock`)
      leave(lock, from, to)
      const held = FileLock.take(lock)
      assert.isTrue(held?.isOver)
      held?.release()
    }
    assert.deepStrictEqual(readdirSync(place), [])
  })

  works("a holder in another process namespace loses the lock after a minute, to one process", function* () {
    const place = yield* folder
    const lock = join(place, "x.lock")
    leave(lock, /(?<=^\d+ \d+ )\S+/, "elsewhere")
    assert.isNull(FileLock.take(lock))
    const held = FileLock.take(lock, later())
    assert.isTrue(held?.isOver)
    assert.isNull(FileLock.take(lock))
  })

  works("an abandoned lock: only one process removes it, also after an earlier remover was killed", function* () {
    const place = yield* folder
    const lock = join(place, "x.lock")
    leave(lock, /^\d+/, "4194303")
    // If two processes see an abandoned lock, only one removes it. Here, a process that runs is doing so.
    const other = FileLock.take(`${lock}.over`)
    assert.isNull(FileLock.take(lock))
    other?.release()
    leave(`${lock}.over`, /^\d+/, "4194303")
    const held = FileLock.take(lock)
    assert.isTrue(held?.isOver)
    held?.release()
    assert.deepStrictEqual(readdirSync(place), [])
  })

  works("a file that is not a lock: names it, leaves it, and waits for one that is being written", function* () {
    const place = yield* folder
    const placed: ReadonlyArray<(lock: string) => unknown> = [
      (lock) => mkdirSync(lock),
      (lock) => spawnSync("mkfifo", [lock]),
      (lock) => symlinkSync("/etc/passwd", lock)
    ]
    for (const [at, put] of placed.entries()) {
      const lock = join(place, `${at}.lock`)
      put(lock)
      assert.throws(() => FileLock.take(lock), `${lock} is not a lock of reflexion`)
      assert.isDefined(lstatSync(lock, { throwIfNoEntry: false }))
    }
    for (const text of ["", "4711 - elsewhere 1.0"]) {
      const lock = join(place, `${text.length}-file.lock`)
      writeFileSync(lock, text)
      assert.isNull(FileLock.take(lock))
      assert.isNotNull(FileLock.take(lock, later()))
    }
  })
})
