/**
 * The checks that a project's own files suggest, for the user to take: at most one a gate, and none that does more than
 * check. Pure; what is proposed is run by nobody until the user has said so.
 */
import { oneLine } from "../../base/text/Text.ts"
import { type CheckGate, classOf } from "../vocabulary/GateTable.ts"
import * as Scripts from "../shell/Scripts.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { RepoSignals } from "./RepoSignals.ts"

/**
 * A command that decides a gate. `file` is the one that says so; `runs` the script behind the command, null where there is
 * none.
 *
 * @category models
 */
export interface ProposedCheck {
  readonly name: CheckGate
  readonly command: string
  readonly file: string
  readonly runs: string | null
}

/** No operator of a shell, no quote, nothing that would be expanded. */
const plain = /^[\w./@:=-]+(?: [\w./@:=-]+)*$/

/** It goes on until somebody ends it, hands something over or changes what lies elsewhere. */
const harms: ReadonlyArray<RegExp> = [
  /(?<![\w-])--watch(?:All)?(?![\w-]|=(?:false|0))/,
  /(?<![\w-])(?:--ui|--serve|nodemon|chokidar|entr|watchexec|watchman|vitest (?:watch|dev)|cargo watch)(?![\w-])/,
  /\bkarma start\b(?!.*--single-run)|\bng test\b(?!.*--watch[= ]false)/,
  /\b(?:tsc|rollup|webpack|babel|esbuild|sass)\b.*\s-w(?:\s|$)/,
  /(?<![-\w./])(?:deploy|publish|release|upload|sync|rsync|scp|ssh|curl|wget|sudo|systemctl)(?![-\w./])/i,
  /(?<![-\w./])(?:kubectl|helm|terraform|ansible|vercel|netlify|firebase|fly|flyctl|heroku|wrangler|serverless)(?![-\w./])/i,
  /(?<![-\w./])(?:aws|gcloud|az|doctl)(?![-\w./])|\bdocker (?:\S+ )?(?:push|login|up|run)\b/,
  /\bgit (?:push|commit|add|tag|clean|reset|checkout|restore|stash|rm|merge|rebase|pull)\b/,
  /\bgh (?:pr|release|api|repo)\b|\b(?:migrate|db:\w+)\b/,
  // Most of their hooks repair what they find, and some stage it.
  /\b(?:pre-commit|prek|lefthook) run\b|\bhk (?:fix|run)\b/
]

/** It changes the files that it checks. */
const rewrites: ReadonlyArray<RegExp> = [
  /(?<![\w-])(?:--fix|--unsafe-fixes|--write|--in-place|--auto-?correct(?:-all)?)(?![\w-])/,
  /(?<![\w-])(?:--update(?:-?snapshots?)?|--updateSnapshot|--snapshot-update)(?![\w-])/,
  /\b(?:jest|vitest|ava|react-scripts test)\b.*\s-u(?:\s|$)|\brubocop\b.*\s-[aA](?:\s|$)/,
  /\bgofmt\b.*\s-w\b|\b(?:black|isort)\b(?!.*--(?:check|diff))|\bcargo fix\b/
]

const handsOver = "install commit push pr pr_create pr_merge deploy process unknown".split(" ")

const isOneOf =
  (patterns: ReadonlyArray<RegExp>) =>
  (text: string): boolean =>
    patterns.some((pattern) => pattern.test(text))

const maxScripts = 100

/** The scripts of a name, and what package managers run before and behind them, by their names. */
const around = (name: string, { scripts }: Pick<RepoSignals, "scripts">): ReadonlyArray<readonly [string, string]> =>
  [`pre${name}`, name, `post${name}`].flatMap((one) =>
    Object.values(scripts).flatMap((table) => {
      const text = Scripts.lookup(table, one)
      return text === null || text.trim() === "" ? [] : [[one, text] as const]
    })
  )

/**
 * The scripts that a command may run, by their names in it and in one another: more than it does run, and never fewer.
 *
 * @category accessors
 */
export const reached = (command: string, signals: Pick<RepoSignals, "scripts">): ReadonlyArray<string> => {
  const found = new Set<string>()
  const look = (text: string): void => {
    for (const word of text.slice(0, 4000).split(/[^\w.:/@-]+/))
      for (const [, script] of around(word, signals)) {
        if (found.has(script) || found.size > maxScripts) continue
        found.add(script)
        look(script)
      }
  }
  look(command)
  return [...found]
}

/** Whether it runs the check, its exit status says how that went, and all that it does besides is known and does no harm. */
const isPlainCheck = (gate: CheckGate, command: string, signals: RepoSignals): boolean => {
  if (!plain.test(command)) return false
  const { commands, unknown } = ShellCommand.analyze(command, signals.scripts)
  const proving = commands.filter(({ classes, dryRun }) => classes.includes(classOf[gate]) && !dryRun)
  const texts = commands.flatMap(({ text, words }) => [text, words.map((word) => word ?? "$").join(" ")])
  return (
    !unknown &&
    proving.length > 0 &&
    proving.every(({ exit }) => exit === "implied") &&
    !commands.some(({ classes }) => classes.some((name) => handsOver.includes(name))) &&
    ![...texts, ...reached(command, signals)].some(isOneOf([...harms, ...rewrites]))
  )
}

/**
 * Whether a command, or a script that it is known to run, changes the files that it checks.
 *
 * @category predicates
 */
export const rewritesFiles = (command: string, { scripts }: Pick<RepoSignals, "scripts">): boolean =>
  ShellCommand.analyze(command, scripts).commands.some(({ text }) => isOneOf(rewrites)(text))

/** It installs or generates packages, some of them along with what it runs. */
const installs =
  /\buv run\b(?!.*--no-sync)|\b(?:prisma generate|patch-package|maturin develop|setup\.py (?:develop|install)|electron-rebuild|node-gyp)\b/

const packagePath = /(?:^|[\s/"'(=>])(?:node_modules|\.?venv|vendor)\/(?!\.?bin\/)/

/**
 * Whether a command, or a script that it may reach, writes into the folders of installed packages, as far as can be told.
 *
 * @category predicates
 */
export const writesPackages = (command: string, signals: Pick<RepoSignals, "scripts">): boolean => {
  const texts = [command, ...reached(command, signals)]
  return texts.some(
    (text) =>
      installs.test(text) ||
      ShellCommand.analyze(text, signals.scripts).commands.some(
        ({ classes, text: one, writes }) => classes.includes("install") || (writes.length > 0 && packagePath.test(one))
      )
  )
}

/** Whole: it is what would be run. Longer ones are not proposed. */
const maxRuns = 4000

/** What a program takes its scripts from; of others it is not known. */
const takesFrom: Readonly<Record<string, keyof RepoSignals["scripts"]>> = {
  npm: "npm",
  pnpm: "npm",
  yarn: "npm",
  bun: "npm",
  make: "make",
  gmake: "make",
  just: "just",
  mise: "mise",
  task: "task",
  composer: "composer"
}

/**
 * What the script says that a command names, with what runs before and behind it; null where it names none.
 *
 * @category accessors
 */
export const scriptOf = (command: string, signals: RepoSignals): string | null => {
  const words = command.split(" ")
  const [program = "", name = ""] = [words[0], words.at(-1)]
  const own = Object.hasOwn(takesFrom, program) ? takesFrom[program] : undefined
  const scripts = own === undefined ? signals.scripts : { ...Scripts.empty, [own]: signals.scripts[own] }
  const all = around(name, { scripts }).map(([one, text]) => [one, text.replaceAll("\n", "; ")])
  if (!all.some(([one]) => one === name)) return null
  const text = all.map(([one, said]) => (all.length === 1 ? said : `${one}: ${said}`)).join("; ")
  return oneLine(text, text.length + 1)
}

/** What takes least time comes first, as far as its kind says that. */
const fastFirst: ReadonlyArray<CheckGate> = ["typecheck", "lint", "build", "tests"]

/**
 * What there is to propose, fast ones first.
 *
 * @category accessors
 */
export const of = (signals: RepoSignals): ReadonlyArray<ProposedCheck> => {
  const { buildCommand, commandFiles, lintCommand, testCommand, typecheckCommand } = signals
  const found = { tests: testCommand, build: buildCommand, typecheck: typecheckCommand, lint: lintCommand }
  return fastFirst.flatMap((gate) => {
    // Else npx would load from a registry what is not installed.
    const command = found[gate]?.replace(/^npx (?!--no-install )/, "npx --no-install ")
    const file = commandFiles[gate]
    if (command === undefined || file === undefined) return []
    const runs = scriptOf(command, signals)
    return isPlainCheck(gate, command, signals) && (runs?.length ?? 0) <= maxRuns
      ? [{ name: gate, command, file, runs }]
      : []
  })
}
