/** The command for the ledger of unseen stops: announces a round, prepares it for readers, and adds their labels. */
import * as Rules from "@reflexion/core/internal/judge/rules/Rules"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Firings from "./Firings.ts"
import * as Ledger from "./Ledger.ts"
import * as LedgerTable from "./LedgerTable.ts"
import * as Readings from "./Readings.ts"
import * as SessionList from "./SessionList.ts"

const usage = `npm run eval -- ledger [command]

  (none)                          print what each rule was worth, under the name that it had then, and its level today
  announce LIST --round N         write the hash of a list of sessions into evals/ledger/rounds.json; commit it
  run LIST --round N --out DIR    judge the list's stops, and lay out in DIR those that are to be read
  take DIR --round N              take the readers' answers in DIR/labels and DIR/worth into the ledger

A list has a line for each session: file, project (owner/name) and host, with tabs between. A reader writes a line of JSON for
each stop: {"id": "stop-0001", "push": "yes"} says that to send the agent on would have been right there.
`

const repository = fileURLToPath(new URL("../../../", import.meta.url))

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const fail = (text: string): never => {
  process.stderr.write(`${text}\nnpm run eval -- ledger --help lists the commands.\n`)
  return process.exit(2)
}

const format = (...files: ReadonlyArray<string>): void => {
  spawnSync(process.execPath, [Path.join(repository, "node_modules/oxfmt/bin/oxfmt"), ...files], { cwd: repository })
}

const roundsFile = Path.join(Ledger.folder, "rounds.json")

/** The entries of a round have their own file, so the schema of a round leaves them out. */
const saveRounds = (rounds: ReadonlyArray<Ledger.Round>): void => {
  Fs.writeFileSync(
    roundsFile,
    `${JSON.stringify(
      rounds.map((round) => Ledger.encodeRound(round)),
      null,
      2
    )}\n`
  )
  format(roundsFile)
}

const announce = (list: string, round: number): void => {
  const rounds: ReadonlyArray<Ledger.Round> = Ledger.load()
  if (rounds.some((one) => one.round === round)) fail(`round ${round} is announced already`)
  const listed = SessionList.read(list)
  const hash = SessionList.hash(listed)
  saveRounds([
    ...rounds,
    {
      round,
      on: new Date().toISOString().slice(0, 10),
      list: hash,
      firstContact: true,
      sessions: listed.length,
      projects: new Set(listed.map(({ project }) => project)).size,
      stops: {},
      attended: null,
      lines: null,
      read: null
    }
  ])
  print(`Round ${round}: ${listed.length} sessions, ${hash}. Commit evals/ledger/rounds.json before the first run.`)
}

const announced = (round: number): Ledger.Round =>
  Ledger.load().find((one) => one.round === round) ?? fail(`round ${round} is not announced`)

const change = (round: number, with_: Partial<Ledger.Round>): void =>
  saveRounds(Ledger.load().map((one) => (one.round === round ? { ...one, ...with_ } : one)))

const run = (list: string, round: number, out: string): void => {
  const listed = SessionList.read(list)
  if (SessionList.hash(listed) !== announced(round).list)
    fail(`${list} is not the list that was announced for round ${round}`)
  const judged = listed.flatMap((one) => {
    try {
      return Firings.ofSession(one)
    } catch (error) {
      process.stderr.write(`${one.file}: not judged: ${String(error)}\n`)
      return []
    }
  })
  const drawn = Readings.drawn(judged, round)
  Readings.layOut(drawn, out)
  const hosts = [...new Set(listed.map(({ host }) => host))].toSorted()
  change(round, {
    stops: Object.fromEntries(hosts.map((host) => [host, judged.filter((one) => one.listed.host === host).length])),
    attended: judged.filter(({ attended }) => attended).length,
    lines: judged.filter(({ attended, told }) => attended && told.length > 0).length,
    read: drawn.length
  })
  print(`${judged.length} stops judged, ${drawn.length} laid out in ${out}/stops.`)
}

const take = (from: string, round: number): void => {
  announced(round)
  const { entries, unread } = Readings.take(from)
  if (unread.length > 0) process.stderr.write(`Not read by two: ${unread.join(", ")}\n`)
  Fs.writeFileSync(Ledger.entriesFile(round), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""))
  print(`${entries.length} lines in ${Path.relative(repository, Ledger.entriesFile(round))}.`)
}

const read = (argv: ReadonlyArray<string>) => {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        round: { type: "string" },
        out: { type: "string" },
        help: { type: "boolean", default: false }
      }
    })
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

export const main = (argv: ReadonlyArray<string>): void => {
  const { positionals, values } = read(argv)
  const [command, subject] = positionals
  const round = Number(values.round ?? Number.NaN)
  const needed = (): number =>
    Number.isInteger(round) && round > 0 ? round : fail("--round N is needed, a number from 1")
  if (values.help) print(usage)
  else if (command === undefined) print(LedgerTable.text(Ledger.load(), Rules.rules))
  else if (subject === undefined) fail(`${command}: what follows is missing`)
  else if (command === "announce") announce(subject, needed())
  else if (command === "run") run(subject, needed(), values.out ?? fail("run: --out DIR is needed"))
  else if (command === "take") take(subject, needed())
  else fail(`${command} is no command: announce, run or take`)
}
