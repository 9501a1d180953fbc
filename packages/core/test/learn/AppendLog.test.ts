import { assert, describe, it } from "@effect/vitest"
import * as AppendLog from "@reflexion/core/internal/learn/log/AppendLog"
import { LogDisk } from "@reflexion/core/LogDisk"
import * as TornLine from "@reflexion/core/internal/learn/log/TornLine"
import { Effect, Exit, FastCheck, Logger, Scope } from "effect"
import { type Machine, machine, type Process } from "../support/powerDisk.ts"

const path = "/memory/reflections.jsonl"
const journalPath = `${path}.journal`

const follower = { reset: () => 0, line: () => undefined }

/** Small, so that it is begun from its start again and again. */
const journal = { after: 2, bytes: 1536 }

const silent = Logger.replace(Logger.defaultLogger, Logger.none)

/** What is known of every line that was ever to be added. */
interface Ledger {
  readonly asked: Set<string>
  readonly acknowledged: Set<string>
  /** May be gone, and must be. */
  readonly doomed: Set<string>
  readonly forgotten: Set<string>
}

interface Opened {
  readonly process: Process
  readonly log: AppendLog.AppendLog
  readonly scope: Scope.CloseableScope
}

const opened = (process: Process): Effect.Effect<Opened | null> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const log = yield* AppendLog.open({ path, follower }).pipe(Scope.extend(scope))
    return { process, log, scope }
  }).pipe(
    Effect.provideService(LogDisk, process.disk),
    Effect.orElseSucceed(() => null)
  )

const isDoomed = (line: string): boolean => line.includes('"doomed":true')

let made = 0

const lineOf = (length: number, doomed: boolean): string => {
  made += 1
  return JSON.stringify({ id: `r${made}`, doomed, text: "x".repeat(length) })
}

const fresh = (ledger: Ledger, lengths: ReadonlyArray<number>, doomed: boolean): ReadonlyArray<string> => {
  const lines = lengths.map((length) => lineOf(length, doomed))
  for (const line of lines) ledger.asked.add(line)
  return lines
}

const textOf = (lines: ReadonlyArray<string>): string => lines.map((line) => `${line}\n`).join("")

/** As a process adds that knows of no journal. */
const foreign = (process: Process, ledger: Ledger, lines: ReadonlyArray<string>): void => {
  try {
    const release = process.disk.tryLock(path)
    if (release === null) return
    try {
      const file = process.disk.open(path, { create: true })
      if (file === null) return
      TornLine.mend(file, () => undefined)
      file.append(new TextEncoder().encode(textOf(lines)))
      file.sync()
      for (const line of lines) ledger.acknowledged.add(line)
    } finally {
      release()
    }
  } catch {
    // It died.
  }
}

type Command =
  | { readonly _tag: "append"; readonly who: number; readonly lengths: ReadonlyArray<number>; readonly doomed: boolean }
  | { readonly _tag: "all"; readonly lengths: ReadonlyArray<number> }
  | { readonly _tag: "foreign"; readonly lengths: ReadonlyArray<number> }
  | { readonly _tag: "prune" | "close"; readonly who: number }
  | { readonly _tag: "kill"; readonly who: number; readonly after: number }
  | { readonly _tag: "cut"; readonly after: number }

const who = FastCheck.integer({ min: 0, max: 2 })
const lengths = FastCheck.array(FastCheck.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 3 })
const after = FastCheck.integer({ min: 1, max: 40 })

const append = FastCheck.record({
  _tag: FastCheck.constant("append" as const),
  who,
  lengths,
  doomed: FastCheck.boolean()
})

const command: FastCheck.Arbitrary<Command> = FastCheck.oneof(
  { weight: 12, arbitrary: append },
  { weight: 4, arbitrary: FastCheck.record({ _tag: FastCheck.constant("all" as const), lengths }) },
  { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constant("foreign" as const), lengths }) },
  { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constantFrom("prune" as const, "close" as const), who }) },
  { weight: 2, arbitrary: FastCheck.record({ _tag: FastCheck.constant("kill" as const), who, after }) },
  { weight: 2, arbitrary: FastCheck.record({ _tag: FastCheck.constant("cut" as const), after }) }
)

const drawing = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** By one or the other, which promise the same. */
const add = ({ log }: Opened, ledger: Ledger, lines: ReadonlyArray<string>) =>
  Effect.match(lines.length === 2 ? log.appendAfter(() => textOf(lines)) : log.append(textOf(lines)), {
    onFailure: () => undefined,
    onSuccess: () => {
      for (const line of lines) ledger.acknowledged.add(line)
    }
  })

const prune = ({ log, process }: Opened, ledger: Ledger) =>
  Effect.suspend(() => {
    const before = [...ledger.asked].filter(isDoomed)
    for (const line of before) ledger.doomed.add(line)
    const decoder = new TextDecoder()
    return Effect.match(
      log.rewrite(() => (line) => !isDoomed(decoder.decode(line))),
      {
        onFailure: () => undefined,
        onSuccess: () => {
          if (process.isDead()) return
          for (const line of before) ledger.forgotten.add(line)
        }
      }
    )
  })

/** What a log has to hold for whoever opens it. */
const check = (computer: Machine, ledger: Ledger): void => {
  const content = computer.contentOf(path) ?? ""
  const lines = content.split("\n")
  assert.strictEqual(lines.pop(), "")
  assert.deepStrictEqual(
    lines.filter((line) => !ledger.asked.has(line)),
    [],
    "lines that nobody added"
  )
  const there = new Set(lines)
  assert.strictEqual(there.size, lines.length, "a line twice")
  assert.deepStrictEqual(
    [...ledger.acknowledged].filter((line) => !there.has(line) && !ledger.doomed.has(line)),
    [],
    "acknowledged lines that are lost"
  )
  assert.deepStrictEqual(
    lines.filter((line) => ledger.forgotten.has(line)),
    [],
    "lines that were forgotten and are back"
  )
}

const run = (commands: ReadonlyArray<Command>, seed: number) =>
  Effect.gen(function* () {
    const draw = drawing(seed)
    const computer = machine(journal)
    const ledger: Ledger = { asked: new Set(), acknowledged: new Set(), doomed: new Set(), forgotten: new Set() }
    const logs: Array<Opened | null> = [null, null, null]
    let journals = 0
    const at = Effect.fnUntraced(function* (index: number) {
      const known = logs[index]
      if (known !== undefined && known !== null && !known.process.isDead()) return known
      const next = yield* opened(computer.process())
      logs[index] = next
      return next
    })
    const restarted = Effect.gen(function* () {
      computer.restart(draw)
      const first = yield* at(0)
      assert.isNotNull(first)
      check(computer, ledger)
    })
    for (const one of commands) {
      switch (one._tag) {
        case "append": {
          const log = yield* at(one.who)
          if (log !== null) yield* add(log, ledger, fresh(ledger, one.lengths, one.doomed))
          break
        }
        case "all":
          yield* Effect.forEach(
            [0, 1, 2, 0, 1, 2],
            (index) =>
              Effect.flatMap(at(index), (log) =>
                log === null ? Effect.void : add(log, ledger, fresh(ledger, one.lengths, false))
              ),
            { concurrency: "unbounded" }
          )
          break
        case "foreign":
          foreign(computer.process(), ledger, fresh(ledger, one.lengths, false))
          break
        case "prune": {
          const log = yield* at(one.who)
          if (log !== null) yield* prune(log, ledger)
          break
        }
        case "close":
          yield* Scope.close(logs[one.who]?.scope ?? (yield* Scope.make()), Exit.void)
          logs[one.who] = null
          break
        case "kill":
          logs[one.who]?.process.killAfter(one.after)
          break
        case "cut":
          computer.failAfter(one.after)
      }
      if (computer.paths().includes(journalPath)) journals += 1
      if (computer.isOff()) yield* restarted
    }
    computer.failAfter(0)
    yield* restarted
    return journals
  }).pipe(Effect.provide(silent))

describe("a log whose power is cut and whose writers are killed", () => {
  it.effect("has every line that was acknowledged, each once and whole, and none that was forgotten", () =>
    Effect.promise(async () => {
      let journals = 0
      await FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(command, { minLength: 10, maxLength: 60 }),
          FastCheck.integer(),
          async (commands, seed) => {
            journals += await Effect.runPromise(run(commands, seed))
          }
        ),
        { numRuns: 30 }
      )
      // That it was about journals at all.
      assert.isAbove(journals, 0)
    })
  )
})
