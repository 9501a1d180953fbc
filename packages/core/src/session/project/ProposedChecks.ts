/** Proposes checks from the project's own files. A proposed check runs only after the user accepts it. */
import { oneLine } from "../../base/text/Text.ts"
import { type CheckGate, classOf } from "../vocabulary/GateTable.ts"
import * as Scripts from "../shell/Scripts.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { RepoSignals } from "./RepoSignals.ts"

/**
 * A proposed command that decides a gate.
 *
 * @category models
 */
export interface ProposedCheck {
  readonly name: CheckGate
  readonly command: string
  readonly file: string
  /** The text of the script that the command runs. Null if there is no script. */
  readonly runs: string | null
}

/** A command without shell operators, quotes or expansions. */
const plain = /^[\w./@:=-]+(?: [\w./@:=-]+)*$/

/** Commands that run without end, deliver something, or change something elsewhere. */
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
  // Most hooks of these tools fix the files that they complain about, and some stage the fix.
  /\b(?:pre-commit|prek|lefthook) run\b|\bhk (?:fix|run)\b/
]

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

/** Returns the scripts with this name, and the scripts that package managers run before and after it. */
const around = (name: string, { scripts }: Pick<RepoSignals, "scripts">): ReadonlyArray<readonly [string, string]> =>
  [`pre${name}`, name, `post${name}`].flatMap((one) =>
    Object.values(scripts).flatMap((table) => {
      const text = Scripts.lookup(table, one)
      return text === null || text.trim() === "" ? [] : [[one, text] as const]
    })
  )

/**
 * Returns the scripts that a command may run, perhaps too many. A script counts if its name is in the command or in
 * another such script.
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

/** Says why not to propose a command. Null if it is known and harmless, and its exit status shows the result. */
const whyNot = (gate: CheckGate, command: string, signals: RepoSignals): string | null => {
  if (!plain.test(command)) return "no plain command"
  const { commands, unknown } = ShellCommand.analyze(command, signals.scripts)
  const proving = commands.filter(({ classes, dryRun }) => classes.includes(classOf[gate]) && !dryRun)
  const texts = commands.flatMap(({ text, words }) => [text, words.map((word) => word ?? "$").join(" ")])
  const all = [...texts, ...reached(command, signals)]
  if (all.some(isOneOf(rewrites))) return "changes files"
  if (all.some(isOneOf(harms)) || commands.some(({ classes }) => classes.some((name) => handsOver.includes(name))))
    return "may never end, or does more than a check"
  const isProof = !unknown && proving.length > 0 && proving.every(({ exit }) => exit === "implied")
  return isProof ? null : "it is unknown what it proves"
}

/**
 * True if a command, or a script that it runs, changes the files that it checks.
 *
 * @category predicates
 */
export const rewritesFiles = (command: string, { scripts }: Pick<RepoSignals, "scripts">): boolean =>
  ShellCommand.analyze(command, scripts).commands.some(({ text }) => isOneOf(rewrites)(text))

/** Commands that install or generate packages, sometimes only as a side effect. */
const installs =
  /\buv run\b(?!.*--no-sync)|\b(?:prisma generate|patch-package|maturin develop|setup\.py (?:develop|install)|electron-rebuild|node-gyp)\b/

const packagePath = /(?:^|[\s/"'(=>])(?:node_modules|\.?venv|vendor)\/(?!\.?bin\/)/

/**
 * True if a command, or a script that it may run, is known to write into the folders of installed packages.
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

/** The longest script text that is proposed, in characters. The user must see all of it. */
const maxRuns = 4000

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
 * Returns the script that a command names, with the scripts before and after it. Null if the command names none.
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

const fastFirst: ReadonlyArray<CheckGate> = ["typecheck", "lint", "build", "tests"]

type Considered = ProposedCheck & { readonly why: string | null }

const considered = (signals: RepoSignals): ReadonlyArray<Considered> => {
  const { buildCommand, commandFiles, lintCommand, testCommand, typecheckCommand } = signals
  const found = { tests: testCommand, build: buildCommand, typecheck: typecheckCommand, lint: lintCommand }
  return fastFirst.flatMap((name) => {
    // Without this option, npx would download a package that is not installed.
    const command = found[name]?.replace(/^npx (?!--no-install )/, "npx --no-install ")
    const file = commandFiles[name]
    if (command === undefined || file === undefined) return []
    const runs = scriptOf(command, signals)
    const why = (runs?.length ?? 0) > maxRuns ? "too long to be shown" : whyNot(name, command, signals)
    return [{ name, command, file, runs, why }]
  })
}

/**
 * Returns the proposed checks, fast ones first.
 *
 * @category accessors
 */
export const of = (signals: RepoSignals): ReadonlyArray<ProposedCheck> =>
  considered(signals).flatMap(({ why, ...check }) => (why === null ? [check] : []))

/**
 * Returns the checks that are not proposed, with the reason.
 *
 * @category accessors
 */
export const leftOut = (signals: RepoSignals): ReadonlyArray<{ readonly name: CheckGate; readonly why: string }> =>
  considered(signals).flatMap(({ name, why }) => (why === null ? [] : [{ name, why }]))
