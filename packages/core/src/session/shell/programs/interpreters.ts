import { has } from "../tool.ts"
import { runsTests, startsPrograms, written, writtenByCode } from "../writes.ts"
import type { Arg, CommandClass } from "../model.ts"

interface Interpreter {
  /** Options whose value is the program. */
  readonly code?: string
  /** Options whose value is a module to run. */
  readonly module?: string
  /** Other options that take the next word. */
  readonly values?: string
  /** Options with which it runs the tests it finds. */
  readonly test?: string
  /** Options with which it only checks the syntax. */
  readonly check?: string
  /** Short options come in clusters, as in `-lane`. */
  readonly clusters?: true
  readonly subs?: Readonly<Record<string, ReadonlyArray<CommandClass>>>
}

const node: Interpreter = {
  code: "-e --eval -p --print -pe",
  values:
    "-r --require --import --loader --experimental-loader -C --conditions --env-file --test-name-pattern --test-reporter --tsconfig",
  test: "--test",
  check: "--check -c"
}

export const interpreters: ReadonlyMap<string, Interpreter> = new Map(
  Object.entries({
    python: { code: "-c", module: "-m", values: "-W -X" },
    "node tsx ts-node swc-node esno jiti babel-node vite-node": node,
    bun: {
      ...node,
      test: "",
      subs: {
        test: ["test"],
        run: [],
        build: ["build"],
        install: ["install"],
        add: ["install"],
        i: ["install"],
        remove: ["install"],
        update: ["install"],
        publish: ["deploy"],
        pm: ["read"],
        lint: ["lint"]
      }
    },
    deno: {
      code: "eval",
      values: "-c --config --import-map",
      subs: {
        test: ["test"],
        check: ["typecheck"],
        lint: ["lint"],
        fmt: ["format"],
        compile: ["build"],
        bundle: ["build"],
        cache: ["install"],
        install: ["install"],
        add: ["install"],
        publish: ["deploy"],
        deploy: ["deploy"],
        task: ["other"],
        run: []
      }
    },
    ruby: { code: "-e", values: "-I -r -C", check: "-c", clusters: true },
    perl: { code: "-e -E", values: "-I -M", check: "-c", clusters: true },
    php: { code: "-r", values: "-d -c -f_", check: "-l --syntax-check" },
    "lua luajit": { code: "-e", values: "-l" },
    "Rscript R julia": { code: "-e -E --eval", values: "--project" },
    "elixir escript": { code: "-e" },
    java: { values: "-cp -classpath -jar_" }
  } satisfies Record<string, Interpreter>).flatMap(([names, found]) =>
    names.split(" ").map((name) => [name, found] as const)
  )
)

interface CodeFacts {
  readonly classes: ReadonlyArray<CommandClass>
  readonly runner?: string
  readonly filtered?: boolean
  readonly dryRun?: boolean
  readonly writes?: ReadonlyArray<string>
}

export type Interpreted =
  | { readonly kind: "module" | "file"; readonly args: ReadonlyArray<Arg> }
  | { readonly kind: "facts"; readonly facts: CodeFacts }

const facts = (found: CodeFacts): Interpreted => ({ kind: "facts", facts: found })

const ofCode = (name: string, args: ReadonlyArray<Arg>, code: string | null): Interpreted => {
  const inPlace = written(name, args, null)
  if (inPlace.length > 0) return facts({ classes: ["write"], writes: inPlace })
  if (code === null) return facts({ classes: ["unknown"] })
  if (runsTests(code)) return facts({ classes: ["test"], runner: name, filtered: true })
  const writes = writtenByCode(code)
  const classes: Array<CommandClass> = writes.length > 0 ? ["write"] : ["other"]
  if (startsPrograms(code)) classes.push("unknown")
  return facts({ classes, writes })
}

const ofSub = (name: string, classes: ReadonlyArray<CommandClass>, rest: ReadonlyArray<Arg>): Interpreted => {
  const words = rest.map(({ value }) => value)
  const narrow = words.some(
    (word) =>
      word === null ||
      (word !== "." && !word.startsWith("-")) ||
      /^(?:-t|--filter|--test-name-pattern)(?:=|$)/.test(word)
  )
  const dryRun = words.some((word) => word === "--help" || word === "--no-run")
  return facts({ classes, runner: `${name} ${classes[0] ?? ""}`, filtered: classes.includes("test") && narrow, dryRun })
}

/** `-lane` ends in `e`: the next word is code. */
const clusterHasCode = (word: string): boolean => /^-[A-Za-z0-9]{1,8}[eE]$/.test(word)

/** What an interpreter is asked to run: a module, a file, or a program given as text. */
export const interpret = (
  name: string,
  interpreter: Interpreter,
  args: ReadonlyArray<Arg>,
  input: string | null
): Interpreted => {
  for (let index = 1; index < args.length; index += 1) {
    const word = args[index]?.value ?? null
    const rest = args.slice(index + 1)
    if (word === null) return ofCode(name, args, null)
    if (has(interpreter.code, word) || (interpreter.clusters === true && clusterHasCode(word))) {
      return ofCode(name, args, rest[0]?.value ?? rest[0]?.text ?? null)
    }
    if (has(interpreter.module, word))
      return rest.length > 0 ? { kind: "module", args: rest } : facts({ classes: ["other"] })
    // A script of the project, which may run anything.
    if (name === "node" && /^--run(?:=|$)/.test(word)) return facts({ classes: ["other"] })
    if (has(interpreter.test, word)) return ofSub(name, ["test"], rest)
    if (has(interpreter.check, word)) return facts({ classes: ["lint"], runner: name })
    if (word === "-") return ofCode(name, args, input)
    if (word.startsWith("-")) {
      if (has(interpreter.values, word)) index += 1
      continue
    }
    const sub = Object.hasOwn(interpreter.subs ?? {}, word) ? interpreter.subs?.[word] : undefined
    if (sub === undefined) return { kind: "file", args: args.slice(index) }
    if (sub.length > 0) return ofSub(name, sub, rest)
  }
  return input === null ? facts({ classes: ["other"] }) : ofCode(name, args, input)
}
