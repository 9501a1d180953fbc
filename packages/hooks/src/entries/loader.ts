/**
 * The file that a host runs. It compiles the program that lies beside it from V8's code cache, for Node 20 has no compile
 * cache of its own and compiling takes longer than judging.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { Script } from "node:vm"
import * as PlainFiles from "../PlainFiles.ts"
import * as UserDirectories from "../UserDirectories.ts"

declare const REFLEXION_BUILD: string

const later = ["--invocation-count-for-maglev=3000", "--invocation-count-for-turbofan=20000"]

/** By V8's version: it complains of flags that it does not know, so a newer one runs as it is. */
const optimizesLater: Readonly<Record<string, ReadonlyArray<string>>> = {
  "11": ["--interrupt-budget=500000"],
  "12": later,
  "13": later
}

/**
 * Most of the judge's expressions run once or twice in a process, and most of its functions a few thousand times:
 * compiling either well takes longer than running it. The heap is too small for helpers at its collection.
 */
const common = [
  "--no-regexp-optimization",
  "--no-regexp-peephole-optimization",
  "--regexp-tier-up-ticks=40",
  "--no-parallel-scavenge"
]

const own = optimizesLater[process.versions.v8.slice(0, 2)]
if (own !== undefined) for (const flag of [...common, ...own]) setFlagsFromString(flag)

// Nobody reads a stack here, and to know its lines V8 compiles again what the cache had spared.
Error.stackTraceLimit = 0

const main = join(__dirname, "hook-main.cjs")

/** Events run different parts of the program, so each keeps what it compiled itself. */
const event = (process.argv[2] ?? "").replaceAll(/\W/g, "").slice(0, 40)

const cache = join(
  UserDirectories.make(process.env).cache,
  "code",
  `${REFLEXION_BUILD}-${process.version}-${process.arch}-${event}.bin`
)

/** V8 runs what it is given without a check, so the data lie there twice: a torn or changed file differs from itself. */
const recalled = (): Buffer | undefined => {
  try {
    const both = readFileSync(cache)
    const data = both.subarray(0, both.length / 2)
    return data.length > 0 && data.equals(both.subarray(both.length / 2)) ? data : undefined
  } catch {
    return undefined
  }
}

const keep = (script: Script): void => {
  try {
    const data = script.createCachedData()
    PlainFiles.write(cache, Buffer.concat([data, data]))
  } catch {
    // Without a cache the next start is slower, and nothing else.
  }
}

const cachedData = recalled()
// The bundle is ASCII: read as Latin-1, it takes half the memory and no decoding.
const source = `(function (require, __dirname) {${readFileSync(main, "latin1")}\n})`
const script = new Script(source, { filename: main, ...(cachedData !== undefined && { cachedData }) })

const program: (require: NodeJS.Require, directory: string) => void = script.runInThisContext()
// What lies beside the program lies beside this file.
program(require, __dirname)

// What ran is compiled by now: the cache spares the next start that, too.
if (cachedData === undefined || script.cachedDataRejected === true) keep(script)

// All is said and written by now: the memory need not be put in order first.
process.exit()
