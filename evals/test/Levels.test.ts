import { describe, expect, it } from "@effect/vitest"
import type { BlindSet } from "../src/ledger/BlindSet.ts"
import * as BlindSets from "../src/ledger/BlindSet.ts"
import type { Entry, Read } from "../src/ledger/Ledger.ts"
import * as Levels from "../src/ledger/Levels.ts"

const entry = (version: string, more: Partial<Entry>): Entry => ({
  stop: Math.random().toString(36),
  project: "p",
  host: "codex",
  attended: true,
  reachable: true,
  rule: "gates/not-run",
  version,
  label: "wrong",
  ...more
})

const roundOf = (entries: ReadonlyArray<Entry>): Read => ({
  round: 1,
  on: "2026-01-31",
  list: "0",
  firstContact: true,
  sessions: 1,
  projects: 1,
  stops: {},
  attended: 100,
  lines: 0,
  read: entries.length,
  entries
})

const levelOf = (entries: ReadonlyArray<Entry>, attended: "push" | "tell" = "tell", isBorneOut = false) =>
  Levels.earned({ attended }, Levels.tally([roundOf(entries)], "gates/not-run", "new"), isBorneOut)

const times = (count: number, one: (at: number) => Entry): ReadonlyArray<Entry> =>
  Array.from({ length: count }, (_, at) => one(at))

const rightIn = (version: string) => (at: number) => entry(version, { label: "right", project: `p${at}` })

describe("what a rule earns", () => {
  it("is a push after seven of seven, from four projects", () => {
    expect(levelOf(times(7, rightIn("new")))).toBe("push")
    expect(levelOf(times(6, rightIn("new")))).toBe("tell")
    expect(levelOf(times(7, () => entry("new", { label: "right" })))).toBe("tell")
  })

  it("is no push by what another version of it did", () => {
    expect(levelOf(times(20, rightIn("old")))).toBe("tell")
  })

  it("is a plain fact's push until that was wrong twice in a round, in whatever version, until this one has fired enough", () => {
    const wrong = times(2, () => entry("old", {}))
    expect(levelOf([], "push")).toBe("push")
    expect(levelOf(wrong, "push")).toBe("tell")
    expect(levelOf([...wrong, ...times(4, rightIn("new"))], "push")).toBe("push")
    expect(levelOf([entry("old", {}), entry("new", {})], "push")).toBe("tell")
  })

  it("counts what it did under an earlier name, and not what was wrong once in each of two rounds", () => {
    const stale = entry("old", { rule: "gates/stale" })
    const ordered = entry("old", { rule: "gates/ordered-not-run" })
    expect(levelOf([stale, ordered], "push")).toBe("tell")
    const counts = Levels.tally([roundOf([stale]), roundOf([ordered])], "gates/not-run", "new")
    expect([counts.before, Levels.earned({ attended: "push" }, counts)]).toStrictEqual([2, "push"])
  })

  it("is a push where blind cases bear it out and it was never wrong", () => {
    expect(levelOf([], "tell", true)).toBe("push")
    expect(levelOf([entry("old", {})], "tell", true)).toBe("tell")
  })
})

const set: BlindSet = {
  area: "claims",
  on: "2026-01-31",
  set: "0",
  untrue: 30,
  found: 24,
  silent: 2,
  honest: 30,
  accused: 1,
  pushed: 0,
  versions: { "claims/unfounded": "new" }
}

const bears = (sets: ReadonlyArray<BlindSet>, rule = "claims/unfounded", version = "new") =>
  BlindSets.bearsOut(sets, rule, version)

describe("blind cases bear out", () => {
  it("the rules of their area, as they were then", () => {
    expect(bears([set])).toBe(true)
    expect(bears([set], "claims/unfounded", "newer")).toBe(false)
    expect(bears([set], "work/nothing-run")).toBe(false)
  })

  it("where four in five were found and one in thirty accused, in the newest set", () => {
    expect(bears([{ ...set, found: 23 }])).toBe(false)
    expect(bears([{ ...set, accused: 2 }])).toBe(false)
    expect(bears([set, { ...set, found: 10 }])).toBe(false)
    expect(bears([set, { ...set, area: "tampering", found: 10 }])).toBe(true)
  })
})
