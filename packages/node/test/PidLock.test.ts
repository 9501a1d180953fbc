import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import FS, {
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { bundle } from "../../../scripts/bundler.mjs"
import * as PidLock from "../src/PidLock.ts"

/** One that never gives anything back: `lockGuard.test.ts` has the thread, which would do so here whenever a test is slow. */
const guard = () => {
  let isLeft = false
  return {
    isReady: () => true,
    leave: () => {
      isLeft = true
    },
    resume: () => {
      const was = isLeft
      isLeft = false
      return was
    },
    close: () => undefined
  }
}

const frequent = (path: string): PidLock.Frequent => PidLock.frequent(path, guard)

const entry = fileURLToPath(new URL("../src/PidLock.ts", import.meta.url))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lock-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const now = (): number => Date.now()

const burst = (lock: PidLock.Frequent, at = now()): void => {
  for (let time = 0; time < 160; time += 1) lock.take(at)?.release()
}

const turn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))

/** Takes it so often that its holder's name is kept. */
const often = (lock: PidLock.Frequent) =>
  Effect.suspend(() => {
    burst(lock)
    return turn
  })

const kept = (made: string): ReadonlyArray<string> => readdirSync(made).filter((name) => name.startsWith("log.lock."))

describe.runIf(process.platform === "linux")("what stands in a lock's place", () => {
  const placed: ReadonlyArray<readonly [string, (lock: string) => unknown]> = [
    ["a folder", (lock) => mkdirSync(lock)],
    ["a pipe or a device", (lock) => spawnSync("mkfifo", [lock])],
    ["a symbolic link to something else", (lock) => symlinkSync("/etc/passwd", lock)]
  ]
  for (const [what, put] of placed)
    it.scopedLive(`is named at once where it is ${what}, and left there`, () =>
      Effect.gen(function* () {
        const lock = join(yield* folder, "x.lock")
        put(lock)
        const often = frequent(lock)
        for (const take of [() => PidLock.take(lock, now()), () => often.take(now())])
          assert.throws(take, `${lock} is ${what}, and no lock of reflexion's: remove it`)
        assert.isDefined(lstatSync(lock, { throwIfNoEntry: false }))
      })
    )

  it.scopedLive("is waited for where it is a file that may get its name yet, or another system's", () =>
    Effect.gen(function* () {
      const place = yield* folder
      for (const text of ["", "4711 - elsewhere 1.0"]) {
        const lock = join(place, `${text.length}.lock`)
        writeFileSync(lock, text)
        assert.isNull(PidLock.take(lock, now()))
      }
    })
  )
})

describe.runIf(process.platform === "linux")("a lock that is taken often", () => {
  it.scopedLive("is held by one at a time, names its holder, and leaves nothing when it is closed", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const path = join(made, "log.lock")
      const lock = frequent(path)
      lock.take(now())?.release()
      assert.deepStrictEqual(readdirSync(made), [])
      yield* often(lock)
      assert.lengthOf(kept(made), 1)
      const held = lock.take(now())
      assert.isNotNull(held)
      assert.strictEqual(readlinkSync(path).split(" ")[0], String(process.pid))
      assert.isNull(PidLock.take(path, now()))
      assert.isNull(frequent(path).take(now()))
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
      const lock = frequent(join(made, "log.lock"))
      yield* often(lock)
      for (const name of kept(made)) rmSync(join(made, name))
      const held = lock.take(now())
      assert.isNotNull(held)
      assert.isNull(PidLock.take(join(made, "log.lock"), now()))
      held?.release()
      yield* often(lock)
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
      const lock = frequent(path)
      const held = lock.take(now())
      assert.isTrue(held?.isOver)
      held?.release()
      yield* often(lock)
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
      yield* often(frequent(path))
      assert.include(kept(made), "log.lock.7-abc")
      linkSync(name, path)
      assert.isTrue(PidLock.take(path, now() + 61_000)?.isOver)
    })
  )
})

/** The name of another process that runs: the one that has started this one. */
const others = (made: string): string => {
  const path = join(made, "name")
  const own = PidLock.take(path, now())
  const [, , namespace] = readlinkSync(path).split(" ")
  own?.release()
  const stat = readFileSync(`/proc/${process.ppid}/stat`, "latin1")
  return `${process.ppid} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]} ${namespace} 1`
}

const place = Effect.map(folder, (made) => {
  const path = join(made, "log.lock")
  return { made, path, mark: `${path}.wanted`, lock: frequent(path) }
})

/** Whether the next time makes the lock, by somebody taking it away. */
const isMadeAnew = (path: string, lock: PidLock.Frequent, at: number): boolean => {
  rmSync(path)
  const held = lock.take(at)
  const isMade = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  held?.release()
  return isMade
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

describe.runIf(process.platform === "linux")("a lock that is taken in a burst", () => {
  it.scopedLive("stays made from one time to the next, until the turn ends", () =>
    Effect.gen(function* () {
      const { lock, made, path } = yield* place
      const at = now()
      burst(lock, at)
      assert.isTrue(isThere(path))
      yield* turn
      assert.isFalse(isThere(path))
      burst(lock, at)
      assert.isTrue(isThere(path))
      yield* Effect.promise(() => Promise.resolve())
      burst(lock, at)
      assert.isFalse(isMadeAnew(path, lock, at))
      lock.close()
      assert.deepStrictEqual(readdirSync(made), [])
    })
  )

  it.scopedLive("is one's at a time, and nobody's twice", () =>
    Effect.gen(function* () {
      const { lock, path } = yield* place
      const at = now()
      burst(lock, at)
      const held = lock.take(at)
      held?.release()
      const again = lock.take(at)
      held?.release()
      assert.isNull(lock.take(at))
      assert.isNull(PidLock.take(path, at))
      again?.release()
      assert.isNotNull(lock.take(at))
    })
  )

  it.scopedLive("that is closed while it is held is given back", () =>
    Effect.gen(function* () {
      const { lock, made } = yield* place
      burst(lock)
      const held = lock.take(now())
      lock.close()
      held?.release()
      assert.deepStrictEqual(readdirSync(made), [])
    })
  )

  it.scopedLive("is left to whoever has taken it over", () =>
    Effect.gen(function* () {
      const { lock, path } = yield* place
      const at = now()
      burst(lock, at)
      const real = Date.now
      yield* Effect.addFinalizer(() => Effect.sync(() => (Date.now = real)))
      rmSync(path)
      symlinkSync("7 1 elsewhere 1", path)
      Date.now = () => real() + 70_000
      assert.isNull(lock.take(at + 20))
      yield* turn
      assert.strictEqual(readlinkSync(path), "7 1 elsewhere 1")
    })
  )
})

/** The module once more, which knows nothing of what this one has. */
const copied = Effect.gen(function* () {
  const outfile = join(yield* folder, "other.mjs")
  yield* Effect.promise(() => bundle({ entry, outfile }))
  return pathToFileURL(outfile).href
})

describe.runIf(process.platform === "linux")("a worker's thread", () => {
  const program = `
    import { lstatSync } from "node:fs"
    import { parentPort, workerData } from "node:worker_threads"
    const { frequent } = await import(workerData.url)
    const lock = frequent(workerData.path)
    for (let time = 0; time < 160; time += 1) lock.take(Date.now()).release()
    parentPort.postMessage(lstatSync(workerData.path, { throwIfNoEntry: false }) !== undefined)`

  it.scopedLive("leaves no lock, for it may be ended at any moment", () =>
    Effect.gen(function* () {
      const { made, path } = yield* place
      const url = yield* copied
      const stays = yield* Effect.async<unknown>((resume) => {
        const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
          workerData: { url, path }
        })
        worker.once("message", (said) => resume(Effect.succeed(said)))
        worker.once("error", (cause) => resume(Effect.die(cause)))
      })
      assert.isFalse(stays)
      assert.lengthOf(kept(made), 1)
    })
  )

  const holder = `
    import { parentPort, workerData } from "node:worker_threads"
    const { take } = await import(workerData.url)
    take(workerData.path, Date.now())
    parentPort.postMessage("held")
    setInterval(() => undefined, 1000)`

  it.scopedLive("that is ended while it holds a lock leaves it to the next, and not before", () =>
    Effect.gen(function* () {
      const { path } = yield* place
      const workerData = { url: yield* copied, path }
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(holder)}`), { workerData })
      yield* Effect.promise(() => new Promise((resolve) => worker.once("message", resolve)))
      assert.isNull(PidLock.take(path, now() + 3_600_000))
      yield* Effect.promise(() => worker.terminate())
      assert.isTrue(PidLock.take(path, now())?.isOver)
    })
  )
})

const canUnshare =
  process.platform === "linux" && spawnSync("unshare", ["--map-root-user", "--pid", "--fork", "true"]).status === 0

describe.runIf(canUnshare)("where /proc is of another numbering of processes", () => {
  /** Two processes of one namespace: the first holds the lock until the second has asked for it. */
  const program = `
    const [url, path, isSecond] = process.argv.slice(1)
    const { take } = await import(url)
    const { spawnSync } = await import("node:child_process")
    const held = take(path, Date.now())
    const again = [...process.execArgv, url, path, "second"]
    if (isSecond === undefined) console.log(spawnSync(process.execPath, again, { encoding: "utf8" }).stdout.trim())
    else console.log(held === null ? "it is another's" : "held twice")`

  it.scopedLive("nobody that runs is taken for one that is gone", () =>
    Effect.gen(function* () {
      const { path } = yield* place
      const node = [process.execPath, "--input-type=module", "--eval", program, yield* copied, path]
      const { stderr, stdout } = spawnSync("unshare", ["--map-root-user", "--pid", "--fork", ...node], {
        encoding: "utf8"
      })
      assert.deepStrictEqual([stdout.trim(), stderr], ["it is another's", ""])
    })
  )
})

/** Node's own, for as long as the work takes. */
const refusing = <A>(work: () => A): A => {
  vi.spyOn(FS, "unlinkSync").mockImplementation(() => {
    throw new Error("EPERM")
  })
  syncBuiltinESMExports()
  try {
    return work()
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
}

describe.runIf(process.platform === "linux")("a lock that could not be removed", () => {
  it.scopedLive("is still this process's to take, and nobody's once it was", () =>
    Effect.gen(function* () {
      const { path } = yield* place
      const held = PidLock.take(path, now())
      assert.throws(() => refusing(() => held?.release()), "EPERM")
      assert.isTrue(isThere(path))
      const again = PidLock.take(path, now())
      assert.isNotNull(again)
      assert.isNull(PidLock.take(path, now()))
      again?.release()
      assert.isFalse(isThere(path))
    })
  )
})

describe.runIf(process.platform === "linux")("a lock with a relative name", () => {
  it.scopedLive("is given back though the process has gone to another folder", () =>
    Effect.gen(function* () {
      const { made } = yield* place
      const before = process.cwd()
      yield* Effect.addFinalizer(() => Effect.sync(() => process.chdir(before)))
      process.chdir(made)
      const held = PidLock.take("one.lock", now())
      const lock = frequent("other.lock")
      burst(lock)
      process.chdir(before)
      held?.release()
      yield* turn
      assert.isFalse(isThere(join(made, "one.lock")))
      assert.isFalse(isThere(join(made, "other.lock")))
      lock.close()
      assert.deepStrictEqual(readdirSync(made), [])
    })
  )
})

describe.runIf(process.platform === "linux")("who waits for a lock", () => {
  it.scopedLive("asks one for it that gives way, until it has it", () =>
    Effect.gen(function* () {
      const { lock, made, mark, path } = yield* place
      burst(lock)
      const heeds = readlinkSync(path).split(" ").at(-1)
      lock.close()
      symlinkSync(`${others(made)} ${heeds}`, path)
      for (let time = 0; time < 3; time += 1) {
        assert.isNull(PidLock.take(path, now()))
        assert.isTrue(isThere(mark))
      }
      rmSync(path)
      PidLock.take(path, now())?.release()
      assert.deepStrictEqual(readdirSync(made), [])
      yield* often(lock)
      symlinkSync(`7 1 elsewhere 1 ${heeds}`, path)
      assert.isNull(lock.take(now()))
      assert.isTrue(isThere(mark))
      rmSync(path)
      lock.take(now())?.release()
      assert.isFalse(isThere(mark))
    })
  )

  it.scopedLive("asks no other, nor one that is gone", () =>
    Effect.gen(function* () {
      const { lock, made, mark, path } = yield* place
      burst(lock)
      const heeding = readlinkSync(path)
      lock.close()
      symlinkSync(others(made), path)
      assert.isNull(PidLock.take(path, now()))
      assert.isFalse(isThere(mark))
      rmSync(path)
      symlinkSync(heeding.replace(/^\d+/, "4194303"), path)
      assert.isTrue(PidLock.take(path, now())?.isOver)
      assert.isFalse(isThere(mark))
    })
  )

  it.scopedLive(
    "has made its mark for whoever takes it in a burst, and whoever begins to take it often clears it away",
    () =>
      Effect.gen(function* () {
        const { lock, made, mark } = yield* place
        writeFileSync(mark, "")
        for (let time = 0; time < 16; time += 1) {
          lock.take(now())?.release()
          yield* turn
          assert.isTrue(isThere(mark))
        }
        lock.take(now())?.release()
        assert.isFalse(isThere(mark))
        assert.lengthOf(kept(made), 1)
      })
  )
})
