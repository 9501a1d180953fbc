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
  it("counts a rule's attended, reachable firings in rounds of first contact", () => {
    const others = [entry({ attended: false }), entry({ reachable: false }), entry({ rule: "other" })]
    const rounds = [
      roundOf([entry({}), entry({ label: "right", project: "q" }), entry({ label: "open", line: true })]),
      roundOf([entry({}), entry({}), ...others]),
      roundOf([entry({})], false)
    ]
    const { bound: _bound, ...counts } = LedgerTable.tally(rounds, "gates/not-run")
    const read = { fired: 5, right: 1, wrong: 3, open: 1, projects: 2, lines: 1, worth: 1, worst: 2 }
    assert.deepStrictEqual(counts, { rule: "gates/not-run", ...read })
  })

  it("has the rounds that were read, with the rules' names at that time", () => {
    const rounds = Ledger.load()
    const read = rounds.map(({ entries, round }) => `${round}: ${entries.length}`)
    assert.deepStrictEqual(read, ["1: 264", "2: 12", "3: 199", "4: 335"])
    const text = LedgerTable.text(rounds, [])
    assert.match(text, /^stop\/announced-step +gone +5 +4 +1/mu)
  })

  it("combines two readers' labels of a stop, and names stops that one has not read", () => {
    const from = Fs.mkdtempSync(Path.join(Os.tmpdir(), "ledger-"))
    const lines = (name: string, ...values: ReadonlyArray<object>): void => {
      Fs.mkdirSync(Path.dirname(Path.join(from, name)), { recursive: true })
      Fs.writeFileSync(Path.join(from, name), values.map((value) => `${JSON.stringify(value)}\n`).join(""))
    }
    const key = { project: "o/n", host: "codex", attended: true, unreachable: [], told: [], pushed: false }
    const ids = ["stop-0001", "stop-0002", "stop-0003"]
    const read = (pushes: ReadonlyArray<string>) => pushes.map((push, at) => ({ id: ids[at], push }))
    lines(
      "key.jsonl",
      ...ids.map((id, at) => ({ ...key, id, stop: "abc"[at], fired: at === 0 ? ["host/failed"] : [] }))
    )
    lines("labels/one.jsonl", ...read(["yes", "no", "no"]))
    lines("labels/two.jsonl", ...read(["yes", "yes"]))
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
