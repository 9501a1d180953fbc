/** Classifies one command without wrappers: version control, a known program, a file, or code for an interpreter. */
import { deedOf } from "./git.ts"
import type { CommandClass, Facts } from "./model.ts"
import { isGate, ofFile } from "./names.ts"
import { factsOf, listsOnly, narrows, other } from "./programs.ts"
import { type Args, basename, has, hasOption, isOption, stem } from "./words.ts"
import { programName } from "./wrappers.ts"
import { runsTests, startsPrograms, writtenByCode, written } from "./writes.ts"

/** For a script or executable of the repository, only the name shows what it does. */
const ofScript = (path: string, args: Args, runner: string | null): Facts => {
  if (/^(?:(?:\/private)?(?:\/var)?\/tmp\/|\$\{?TMPDIR)/.test(path)) return other
  const { classes: all, part } = ofFile(path)
  const isCode = runner !== null && runner !== "bash"
  const classes = all.filter((one) => isGate(one) || (!isCode && (one === "deploy" || one === "install")))
  return classes.length === 0
    ? other
    : {
        ...other,
        classes,
        runner: classes.some(isGate) ? (runner ?? basename(path).replace(/\.\w{1,4}$/, "")) : null,
        filtered: classes.includes("test") && (part || narrows(args)),
        dryRun: hasOption(args, "--help --version --dry-run")
      }
}

const ofCode = (name: string, code: string | null): Facts => {
  if (code === null) return { ...other, classes: ["unknown"] }
  if (runsTests(code)) return { ...other, classes: ["test"], runner: name, filtered: true }
  const writes = writtenByCode(code)
  const classes: ReadonlyArray<CommandClass> = writes.length > 0 ? ["write"] : other.classes
  return { ...other, classes: startsPrograms(code) ? [...classes, "unknown"] : classes, writes }
}

/** Options that take code, options that take another value, and options that only check the syntax. */
const interpreters: ReadonlyArray<readonly [names: string, code: string, values: string, check: string]> = [
  ["python", "-c", "-W -X", ""],
  [
    "node nodejs tsx ts-node esno jiti vite-node bun deno",
    "-e --eval -p --print -pe eval",
    "-r --require --import --loader -C --conditions --env-file --test-reporter --tsconfig --config",
    "--check -c"
  ],
  ["ruby perl", "-e -E", "-I -r -C -M", "-c"],
  ["php", "-r", "-d -c", "-l"],
  ["lua luajit Rscript R julia elixir java", "-e --eval", "-cp -classpath -l --project", ""]
]

const interpreted = (name: string, args: Args, input: string | null): Facts | null => {
  const [, code, values = "", check = ""] = interpreters.find(([names]) => has(names, name)) ?? []
  if (code === undefined) return null
  const writes = written(name, args, null)
  if (writes.length > 0) return { ...other, classes: ["write"], writes }
  for (let index = 1; index < args.length; index += 1) {
    const word = args[index]?.value ?? null
    const rest = args.slice(index + 1)
    if (word === null) return ofCode(name, null)
    const isCluster = /^(?:ruby|perl)$/.test(name) && /^-[A-Za-z0-9]{1,8}[eE]$/.test(word)
    if (has(code, word) || isCluster) return ofCode(name, rest[0]?.value ?? rest[0]?.text ?? null)
    if (name === "python" && word === "-m") return rest.length > 0 ? classify(rest, null, false) : other
    if (name === "node" && word === "--test")
      return { ...other, classes: ["test"], runner: "node test", filtered: narrows(rest), dryRun: listsOnly(rest) }
    if (name === "node" && stem(word) === "--run") return other
    if (has(check, word)) return { ...other, classes: ["lint"], runner: name }
    if (word === "-") return ofCode(name, input)
    if (isOption(word)) index += has(values, word) ? 1 : 0
    else if (!(word === "run" && /^(?:bun|deno)$/.test(name))) {
      const own = /^(?:bun|deno)$/.test(name) && !/[./]/.test(word) ? factsOf(name, args) : null
      return own ?? factsOf(basename(word), args.slice(index)) ?? ofScript(word, rest, name)
    }
  }
  return input === null ? other : ofCode(name, input)
}

/** Folders that the session can write to: temporary folders, and folders below the working directory. */
const near = /^(?:(?:\/private)?\/(?:var\/)?tmp|\$\{?(?:TMPDIR|PWD)\}?|\$\(pwd\))(?:\/|$)|^(?![/~$%]|\w:)./

/** Folders for installed programs. The name of a file in these folders is not misleading. */
const installed = /(?:^|\/)\.?(?:s?bin|Scripts|shims)\/?$/

/** True if a program in this folder may have a misleading name. For example, `./fake/npm` is not npm. */
export const isOwnFolder = (folder: string): boolean => near.test(folder) && !installed.test(folder.slice(-200))

/** Known programs that are usually files of the repository itself. */
const local = "gradlew mvnw nx manage.py artisan rails rake rspec phpunit pest setup.py bazelisk"

/** True for a file in a folder of the session. The table of programs does not apply to such a file. */
export const isOwnFile = (word: string): boolean =>
  isOwnFolder(word.slice(0, Math.max(0, word.lastIndexOf("/")))) && !has(local, basename(word))

/** `input`: the standard input, or null if unknown. `script`: the first word is a file that a shell runs. */
export const classify = (args: Args, input: string | null, script: boolean): Facts => {
  const word = args[0]?.value ?? null
  if (word === null) return { ...other, classes: ["unknown"] }
  const name = programName(word)
  const deed = deedOf(name, args)
  if (deed !== null) return { ...other, ...deed }
  const folder = word.slice(0, Math.max(0, word.lastIndexOf("/")))
  const isFile = folder !== "" && !word.startsWith("@") && !installed.test(folder) && !has(local, basename(word))
  if (script || isFile) return ofScript(word, args.slice(1), script ? "bash" : null)
  const facts = interpreted(name, args, input) ?? factsOf(name, args) ?? other
  const writes = written(name, args, input)
  if (writes.length === 0 || facts.writes.length > 0) return facts
  const keeps = facts.classes.includes("write") || has("curl wget find", name)
  return { ...facts, writes, classes: keeps ? facts.classes : ["write"] }
}
