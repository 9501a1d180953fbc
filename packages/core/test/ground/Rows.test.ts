import { assert, beforeAll, describe, it } from "@effect/vitest"
import { relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { everyRow } from "../../src/ground/text/Rows.ts"
import { regexpsOf, sourceFiles } from "../support/regexps.ts"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

const wings = ["session", "judge"].flatMap((wing) => sourceFiles(resolve(source, wing)))

/** Folders whose patterns read the output of programs, not prose. */
const readsOutput = /^session\/(?:output|shell)\//

/** Still to be taken apart: files with patterns that nobody can review. */
const unread: ReadonlyArray<string> = [
  "judge/compaction/Compaction.ts",
  "judge/compaction/forgeOrders.ts",
  "judge/compaction/forgeWork.ts",
  "judge/compaction/taskGrows.ts",
  "judge/loops/RequestedRepeats.ts",
  "judge/loops/command.ts",
  "judge/loops/repeatedWords.ts",
  "judge/loops/volatile.ts",
  "judge/rules/stopNeedlessQuestion.ts",
  "judge/score/files.ts",
  "judge/score/findings.ts",
  "judge/stuck/StuckText.ts",
  "session/config/todoWords.ts",
  "session/stop/HumanAction.ts",
  "session/stop/Questions.ts",
  "session/stop/irreversibleActions.ts",
  "session/stop/waitsFor.ts",
  "session/task/Intent.ts",
  "session/task/RequestPatterns.ts",
  "session/task/TakenBack.ts",
  "session/task/plainOrders.ts",
  "session/task/requestedGates.ts"
]

describe("the rows that read prose", () => {
  beforeAll(async () => {
    await Promise.all(wings.map((file) => import(pathToFileURL(file).href)))
  })

  it("are there", () => assert.isAbove(everyRow.length, 20))

  it("take what they say, and not what they must not", () => {
    const wrong = everyRow.flatMap(({ no, pattern, yes }) => [
      ...(pattern.test(yes) ? [] : [`does not take: ${yes}`]),
      ...(pattern.test(no) ? [`takes: ${no}`] : [])
    ])
    assert.deepStrictEqual(wrong, [])
  })

  it("can be reviewed: no pattern has more than 200 characters", () => {
    const long = [
      ...everyRow.flatMap(({ pattern, yes }) => (pattern.pattern().source.length > 200 ? [yes] : [])),
      ...wings
        .map((file) => relative(source, file).replaceAll("\\", "/"))
        .filter((name) => !readsOutput.test(name))
        .filter((name) => regexpsOf(resolve(source, name), name).some((found) => found.source.length > 200))
    ]
    assert.deepStrictEqual([...new Set(long)].toSorted(), unread.toSorted())
  })
})
