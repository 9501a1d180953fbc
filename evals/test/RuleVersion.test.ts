import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as RuleVersion from "../src/ledger/RuleVersion.ts"

const source = fileURLToPath(new URL("../../packages/core/src", import.meta.url))
const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-versions-"))
afterAll(() => Fs.rmSync(folder, { recursive: true, force: true }))

let copies = 0

/** The core with one text of a module in place of another. */
const changed = (file: string, from: string, to: string): string => {
  const copy = Path.join(folder, `${copies++}`)
  Fs.cpSync(source, copy, { recursive: true })
  const text = Fs.readFileSync(Path.join(copy, file), "utf8")
  expect(text).toContain(from)
  Fs.writeFileSync(Path.join(copy, file), text.replace(from, to))
  return copy
}

describe("the version of a rule", () => {
  it.each([
    ["tampering/test-removed", "session/checkedits/Sequence.ts", "message.length < 2000", "message.length < 2001"],
    ["tampering/check-silenced", "session/checkedits/special.ts", "slice(0, 60_000)", "slice(0, 60_001)"],
    ["claims/unfounded", "session/claims/hedges.ts", "should|would|could|will", "should|would|could"],
    ["claims/overstated", "session/claims/Held.ts", "count > total", "count > total + 1"]
  ])("of %s is another where %s is", (rule, file, from, to) => {
    expect(RuleVersion.of(rule, changed(file, from, to))).not.toBe(RuleVersion.of(rule))
  })

  it("is the same whatever another rule's detector does, and whatever its comments say", () => {
    const copy = changed("session/checkedits/Sequence.ts", "message.length < 2000", "message.length < 2001")
    expect(RuleVersion.of("work/left", copy)).toBe(RuleVersion.of("work/left"))
    const told = changed("session/claims/Held.ts", "/** Only a part ran", "/** No more than a part ran")
    expect(RuleVersion.of("claims/overstated", told)).toBe(RuleVersion.of("claims/overstated"))
  })

  it("fails where it rests on a name that is not there", () => {
    const copy = changed("session/facts/heldClaims.ts", "export const heldClaims = (", "export const heldAll = (")
    expect(() => RuleVersion.of("claims/unfounded", copy)).toThrow(/declares no heldClaims/)
  })
})
