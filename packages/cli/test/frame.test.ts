/** What all commands have in common: help, and errors for a wrong command line. */
import { assert, describe } from "@effect/vitest"
import { readdirSync, realpathSync } from "node:fs"
import { width } from "../src/terminal/Layout.ts"
import { folder, runCli } from "./runCli.ts"
import { works } from "../../core/test/support/works.ts"

const commands = ["judge", "report", "install", "uninstall", "doctor", "allow", "memory", "cycle"] as const

const verbs = {
  allow: ["checks", "model", "workspace"],
  memory: ["add", "recall", "show", "edit", "resolve", "rm", "prune", "verify", "import", "export"],
  cycle: ["add", "list", "prune"]
} as const

const all = [
  ...commands.map((command) => [command]),
  ...Object.entries(verbs).flatMap(([command, names]) => names.map((verb) => [command, verb]))
]

/**
 * Each row: the words as typed ("_" is a space in a word), the error, and the command that reports it, `-` for none.
 */
const rows = `
  jugde :: unknown command jugde; did you mean judge? :: - ¦ explain :: unknown command explain :: -
  --versoin :: unknown option --versoin; did you mean --version? :: - ¦ allow :: allow needs one of checks, model, workspace
  allow check :: unknown verb check; did you mean checks?
  memory :: memory needs one of add, recall, show, edit, resolve, rm, prune, verify, sync, import, export ¦ memory drop cart :: unknown verb drop
  cycle show :: unknown verb show ¦ judge --bogus :: unknown option --bogus
  judge --formt json :: unknown option --formt; did you mean --format? ¦ judge --now 2026-01-31 --now 2026-02-01 a :: --now is given twice
  judge --now :: --now needs a value ¦ judge --turn x a :: --turn: "x" is not last, all or the number of a turn
  judge --turn -1 a :: --turn: "-1" ¦ judge --turn 1e3 a :: --turn: "1e3" ¦ judge --now soon a :: --now: "soon" is not an ISO 8601 time
  judge --now 2026-02-30T00:00:00Z a :: --now: ¦ judge --now 2026-01-31T12:00:00 a :: --now:
  judge --model gpt-5 a :: --model: "gpt-5" is not off, auto or a name ¦ judge --model open_ai/gpt-5 a :: --model: "open ai/gpt-5"
  judge --host emacs a :: --host: "emacs" is not one of auto, claude-code
  judge --format yaml a :: --format: "yaml" is not one of text, json, jsonl ¦ judge --show all a :: --show: "all" is not one of verdict, stuck
  judge --show stuck --turn 1 a :: --show stuck takes no --turn
  judge --show compaction --now 2026-01-31 a :: --show compaction takes no --now
  judge --show score --checks a :: --show score takes no --checks ¦ judge - - :: standard input can be read only once
  judge  :: "" is not a file ¦ judge --task _ a :: --task needs a text ¦ judge --cwd  a :: --cwd needs a directory
  judge --cwd /nowhere/at/all a :: --cwd: "/nowhere/at/all" is not a directory ¦ install claude :: "claude"
  install claudecode :: did you mean claude-code? ¦ install codex --project --global :: --project
  install codex --loop-watch :: Codex has no event for this ¦ doctor codx :: did you mean codex? ¦ doctor --show rule :: did you mean rules?
  doctor codex --show rules :: --show takes no HOST ¦ doctor --format json :: --format needs --show
  report --output a.html :: --output is for a page: add --format html ¦ report --output= :: --output needs a value
  report - :: takes no argument: "-" ¦ report --clear gates/not-run --format json :: --clear removes marks and shows nothing
  report --clear gates/none :: unknown rule "gates/none": \`reflexion doctor --show rules\` lists all rules
  report --since yesterday :: --since: "yesterday" is not an age ¦ report --format pdf :: --format: "pdf" is not one of text, html, json
  report --sinse 3d :: unknown option --sinse; did you mean --since?
  install --dryrun codex :: unknown option --dryrun; did you mean --dry-run? ¦ report a.html :: takes no argument: "a.html"
  allow checks 'x :: is not the name of a check ¦ allow checks lint :: the project's files suggest no check called lint
  allow checks tests make test :: quotation marks ¦ allow checks a b --revoke :: one check at a time
  allow model :: name a host, or a model such as anthropic/claude-haiku-4-5: the configuration names no model
  allow model one two :: name one model only ¦ allow model small :: "small" is no host (claude-code, codex, opencode, kilo, copilot or gemini) and no PROVIDER/MODEL
  allow model opencode/small :: OpenCode asks its own small model only inside a session, so this model cannot be tried
  allow workspace . . :: name one directory only ¦ memory rm :: rm needs the ID of a lesson; 'reflexion memory show' lists them
  memory edit cart :: edit needs --suggestion or --analysis ¦ memory add --model off :: add takes --model with --failure
  memory add a b :: add takes one file, but 2 were given ¦ memory prune :: prune needs --older-than, such as --older-than 30d
  memory prune --older-than old :: --older-than: "old" is not an age ¦ memory recall cart :: takes no argument: "cart"
  memory recall --limit 0 :: --limit: "0" is not a number ¦ cycle add a b :: add takes one file, but 2 were given
  cycle add --lessons , :: --lessons needs IDs, for example a1,b2 ¦ cycle add --store a :: add takes a file with --store only together with --lessons :: cycle
  cycle list x.jsonl :: takes no argument ¦ cycle prune :: prune needs --older-than, such as --older-than 30d
  cycle list --limit 0 :: --limit: "0" is not a number ¦ cycle --since 0h :: --since: "0h" is not an age
  cycle --since 999999w :: --since: "999999w" is more than ten years (3650d)
`
  .trim()
  .split(/ ¦ |\n +/)
  .map((row) => row.split(" :: "))

describe("the command line", () => {
  works("--help describes each command and its options, and fits any terminal", function* () {
    for (const terminal of [40, 100])
      for (const words of all) {
        const name = words.join(" ")
        const { code, err, out } = yield* runCli([...words, "--help"], { terminal, env: { NO_COLOR: "1" } })
        assert.deepStrictEqual([code, err], [0, ""])
        assert.include(out.replaceAll(/\s+/gu, " "), `Usage reflexion ${name}`)
        for (const line of out.split("\n")) assert.isAtMost(width(line), terminal, line)
      }
    const whole = (yield* runCli(["--help"])).out
    for (const command of commands) assert.match(whole, new RegExp(`^ +${command} `, "mu"))
    for (const words of [
      ["help", "memory", "add"],
      ["memory", "add", "-h"]
    ])
      assert.strictEqual((yield* runCli(words)).out, (yield* runCli(["memory", "add", "--help"])).out)
  })

  works("refuses a wrong command line with reason and hint, and does nothing", function* () {
    const cwd = realpathSync(yield* folder({ ".git/HEAD": "" }))
    const wrong: Array<string> = []
    for (const [typed = "", problem = "", of = typed.split(" ", 1)[0]] of rows) {
      const words = typed.split(" ").map((word) => word.replaceAll("_", " "))
      const { code, err, out } = yield* runCli(words, { cwd, env: { HOME: cwd } })
      const hint = of === "-" ? "" : ` ${of}(?: \\w+)?`
      const isSaid =
        err.includes(problem) && new RegExp(`^reflexion: .+\nTry 'reflexion${hint} --help'\\.$`, "u").test(err)
      if (code !== 2 || out !== "" || !isSaid) wrong.push(`${typed}: ${code} ${out}${err}`)
    }
    assert.deepStrictEqual(wrong, [])
    assert.deepStrictEqual(readdirSync(cwd), [".git"])
  })
})
