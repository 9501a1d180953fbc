import { assert, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Ledger from "../src/ledger/Ledger.ts"
import * as LedgerTable from "../src/ledger/LedgerTable.ts"
import * as Readings from "../src/ledger/Readings.ts"

const entry = (more: Partial<Ledger.Entry>): Ledger.Entry => ({
  stop: "s",
  project: "p",
  host: "codex",
  attended: true,
  reachable: true,
  rule: "gates/not-run",
  label: "wrong",
  ...more
})

const roundOf = (entries: ReadonlyArray<Ledger.Entry>, firstContact = true): Ledger.Read => ({
  round: 1,
  on: "2026-01-31",
  list: "0",
  firstContact,
  sessions: 1,
  projects: 1,
  stops: {},
  attended: 100,
  lines: 0,
  read: entries.length,
  entries
})

describe("the ledger", () => {
  it("counts a rule with somebody there, at first contact, where the agent could still be reached", () => {
    const rounds = [
      roundOf([entry({}), entry({ label: "right", project: "q" }), entry({ label: "open", line: true })]),
      roundOf([
        entry({}),
        entry({}),
        entry({ attended: false }),
        entry({ reachable: false }),
        entry({ rule: "other" })
      ]),
      roundOf([entry({})], false)
    ]
    const { bound: _bound, ...counts } = LedgerTable.tally(rounds, "gates/not-run")
    assert.deepStrictEqual(counts, {
      rule: "gates/not-run",
      fired: 5,
      right: 1,
      wrong: 3,
      open: 1,
      projects: 2,
      lines: 1,
      worth: 1,
      worst: 2
    })
  })

  it("has the rounds that were read, with rules under the names of then", () => {
    const rounds = Ledger.load()
    assert.deepStrictEqual(
      rounds.map(({ entries, round }) => [round, entries.length]),
      [
        [1, 264],
        [2, 12],
        [3, 199],
        [4, 335]
      ]
    )
    const text = LedgerTable.text(rounds, [])
    assert.match(text, /^stop\/announced-step +gone +5 +4 +1/mu)
    assert.include(text, "13 of 30 found")
  })

  it("takes what two readers said of a stop, and names what one has not read", () => {
    const from = Fs.mkdtempSync(Path.join(Os.tmpdir(), "ledger-"))
    const lines = (name: string, ...values: ReadonlyArray<object>): void => {
      Fs.mkdirSync(Path.dirname(Path.join(from, name)), { recursive: true })
      Fs.writeFileSync(Path.join(from, name), values.map((value) => `${JSON.stringify(value)}\n`).join(""))
    }
    const key = { project: "o/n", host: "codex", attended: true, unreachable: [], told: [], pushed: false }
    lines(
      "key.jsonl",
      { ...key, id: "stop-0001", stop: "a", fired: ["host/failed"] },
      { ...key, id: "stop-0002", stop: "b", fired: [] },
      { ...key, id: "stop-0003", stop: "c", fired: [] }
    )
    lines(
      "labels/one.jsonl",
      { id: "stop-0001", push: "yes" },
      { id: "stop-0002", push: "no" },
      { id: "stop-0003", push: "no" }
    )
    lines("labels/two.jsonl", { id: "stop-0001", push: "yes" }, { id: "stop-0002", push: "yes" })
    try {
      const { entries, unread } = Readings.take(from)
      assert.deepStrictEqual(
        entries.map(({ label, reachable, rule, stop }) => [stop, rule, label, reachable]),
        [
          ["a", "host/failed", "right", true],
          ["b", null, "open", true]
        ]
      )
      assert.deepStrictEqual(unread, ["stop-0003"])
    } finally {
      Fs.rmSync(from, { recursive: true, force: true })
    }
  })
})
