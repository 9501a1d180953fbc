import { lazy } from "../../ground/text/Lazy.ts"
import { narrows } from "./call.ts"
import { checkTools } from "./programs/checkTools.ts"
import { compiledTools } from "./programs/compiledTools.ts"
import { factsOf, other } from "./describe.ts"
import * as git from "./programs/git.ts"
import { hostTools } from "./programs/hostTools.ts"
import { interpret, interpreters } from "./programs/interpreters.ts"
import { isGate, ofFile } from "./names.ts"
import { basename } from "./scope.ts"
import { testTools } from "./programs/testTools.ts"
import { compile } from "./tool.ts"
import { programName } from "./programs/wrappers.ts"
import { written } from "./writes.ts"
import type { Arg, Facts } from "./model.ts"

const tools = lazy(() => compile(hostTools, checkTools, testTools, compiledTools))

/** Words that are far likelier a script's name than a program's. */
const scriptWords = new Set(
  "test build check start serve install deploy format lint clean dev watch release publish type types docs size patch split host file open link run size ci verify bench doc at top last expect".split(
    " "
  )
)

/** Whether a name after `yarn`, `hatch run` and the like is a program's rather than a script's. */
export const isKnown = (name: string): boolean => {
  const program = programName(name)
  return (
    !scriptWords.has(program) &&
    (tools().has(program) || interpreters.has(program) || program === "git" || program === "gh")
  )
}

/** Folders of installed programs, whose base name is the program's. */
const installed = /(?:^|\/)(?:s?bin|\.bin|Scripts|shims|sbin|\.cargo\/bin|go\/bin)\/[^/]{1,100}$/

const local = new Set("gradlew mvnw manage.py artisan rails rake rspec phpunit pest mage setup.py bazelisk".split(" "))

const scratch = /^(?:\/tmp\/|\/var\/tmp\/|\$TMPDIR|\/private\/tmp\/)/

/** A script or executable of the repository: all there is to go by is its name. */
const byFile = (path: string, args: ReadonlyArray<Arg>, runner: string | null): Facts => {
  if (scratch.test(path)) return other
  const { classes: all, part } = ofFile(path)
  const script = runner !== null && runner !== "bash"
  const classes = all.filter((one) => isGate(one) || (!script && (one === "deploy" || one === "install")))
  if (classes.length === 0) return other
  return {
    ...other,
    classes,
    runner: classes.some(isGate) ? (runner ?? basename(path).replace(/\.\w{1,4}$/, "")) : null,
    filtered: classes.includes("test") && (part || narrows(args)),
    dryRun: args.some(({ value }) => value === "--help" || value === "--version" || value === "--dry-run")
  }
}

const classifyProgram = (name: string, args: ReadonlyArray<Arg>, input: string | null): Facts | null => {
  const tool = tools().get(name)
  if (tool === undefined) return null
  const facts = factsOf(tool, name, args)
  const writes = written(name, args, input)
  if (writes.length === 0) return facts
  return {
    ...facts,
    writes,
    classes: facts.classes.includes("write") || name === "curl" || name === "wget" ? facts.classes : ["write"]
  }
}

/**
 * What a command without wrappers is. `input` is the text on its standard input where it is known; `script` says that
 * the first word is a file handed to a shell.
 */
export const classify = (args: ReadonlyArray<Arg>, input: string | null, script: boolean): Facts => {
  const word = args[0]?.value ?? null
  if (word === null) return { ...other, classes: ["unknown"] }
  const name = programName(word)
  const deed = git.deed(name, args)
  if (deed !== null) {
    return {
      ...other,
      classes: deed.classes,
      dryRun: deed.dryRun ?? false,
      push: deed.push ?? null,
      writes: deed.writes ?? []
    }
  }
  const ownFile =
    script || (word.includes("/") && !word.startsWith("@") && !installed.test(word.slice(-200)) && !local.has(name))
  if (ownFile) return byFile(word, args.slice(1), script ? "bash" : null)
  const interpreter = interpreters.get(name)
  if (interpreter !== undefined) {
    const read = interpret(name, interpreter, args, input)
    if (read.kind === "module") return classify(read.args, null, false)
    if (read.kind === "facts") return { ...other, ...read.facts }
    const path = read.args[0]?.value ?? ""
    return classifyProgram(basename(path), read.args, null) ?? byFile(path, read.args.slice(1), name)
  }
  return classifyProgram(name, args, input) ?? other
}
