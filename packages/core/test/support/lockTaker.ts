/**
 * A process that takes a lock in a folder that is not there yet, round by round with others that do the same, and says what
 * was thrown. Bundled by the test, for Node 20 runs no TypeScript.
 */
import { appendFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as FileLock from "../../src/base/system/FileLock.ts"

const [place = "", takers = "1", rounds = "1"] = process.argv.slice(2)
const ready = join(place, "ready")

for (let round = 1; round <= Number(rounds); round += 1) {
  appendFileSync(ready, ".")
  // All of them begin a round together.
  while (statSync(ready).size < round * Number(takers));
  try {
    FileLock.within(join(place, String(round), "made", "x.lock"), 10_000, () => undefined)
  } catch (cause) {
    process.stdout.write(`${String(cause)}\n`)
  }
}
