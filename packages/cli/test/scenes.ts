/**
 * Scenes of the command line in a home directory of their own. `# ` and a title begin a scene. Each line after it, or
 * each part between ` ¦ `, is an action or a check:
 *
 *     $ install codex      runs that, which exits with 0; `$2 …` with 2, `$* …` with any. Before it `A=b` sets a variable, `@DIR` where it
 *                          runs, `HOOKS=x` another version of the hooks, `TTY=60` a terminal. Behind it ` ? y` is typed at a
 *                          question, ` < text` is standard input. A word with spaces stands in quotation marks.
 *     + text               it printed that; `- text` it did not, nor as an error; `! text` as an error; `= text` that alone;
 *                          `~ regex`, `!~ regex`; `json a.0.b VALUE` is there in the JSON, `json *.b VALUE` of each
 *     put FILE text        also `add`, `rm FILE`, `program FILE source`, `mode FILE 600`, `link FILE -> FILE`, `sub FILE old ==> new`
 *     FILE + text          a file has that; `-` not, `=` no more and no less, `mode 600`; `FILE there` or `gone`
 *     start … same         all files are as they were; `now TIME` sets the clock
 *
 * In printed text, white space counts as one blank. `\n` is a line break. The test defines what `{word}` is.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Scope, TestClock } from "effect"
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { anotherVersion, type Home, hooksHome } from "./hooksHome.ts"
import { bare, builtHooks, type CliRun, type Surroundings } from "./runCli.ts"

export type Verb = (rest: string, home: Home, ran: CliRun) => unknown

type Words = Readonly<Record<string, string | ((home: Home) => string)>>

interface Options {
  readonly home?: Effect.Effect<Home, unknown, Scope.Scope>
  readonly verbs?: Readonly<Record<string, Verb>>
  readonly words?: Words
  /** On the machine's own clock. */
  readonly live?: boolean
  readonly env?: (home: Home) => Readonly<Record<string, string>>
}

const plain = (text: string): string =>
  text.replaceAll(/\\([nte\\])/g, (_, one: string) => ({ n: "\n", t: "\t", e: "\u001b" })[one] ?? one)

const fill = (text: string, home: Home, words: Words): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const word = words[name]
    if (word === undefined) return whole
    return typeof word === "string" ? word : word(home)
  })

/** All files below the home directory with their texts, but for what is reflexion's and git's. */
const filesOf = (home: Home): ReadonlyArray<string> =>
  home.names().map((name) => {
    const file = join(home.home, name)
    return statSync(file).isFile() ? `${name}: ${readFileSync(file, "utf8")}` : name
  })

const words = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g), ([whole, quoted]) => quoted?.replaceAll('\\"', '"') ?? whole)

const surroundings = (
  before: ReadonlyArray<string>,
  home: Home,
  env: Readonly<Record<string, string>>
): Surroundings => {
  const set = Object.fromEntries(
    before.filter((word) => !word.startsWith("@")).map((word) => word.split(/=(.*)/s).slice(0, 2))
  )
  const at = before.find((word) => word.startsWith("@"))
  const { HOOKS: hooks, TTY: terminal, ...more } = set
  return {
    env: { ...env, ...more },
    ...(at && { cwd: join(home.home, at.slice(1)) }),
    ...(terminal && { terminal: Number(terminal) }),
    ...(hooks && { hooks: hooks === "built" ? builtHooks : anotherVersion(home, hooks) })
  }
}

const inPieces = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => bytes.subarray(index * 7, index * 7 + 7))

/** Escapes a text for a line of a scene. */
export const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", String.raw`\n`)

const at = (value: unknown, [key, ...rest]: ReadonlyArray<string>): unknown => {
  if (key === undefined) return value
  if (key === "*") return (value as ReadonlyArray<unknown>).map((one) => at(one, rest))
  return at((value as Readonly<Record<string, unknown>> | null)?.[key], rest)
}

const ofFile = (home: Home, name: string, how: string, text: string): void => {
  const found = home.read(name)
  if (how === "gone") assert.isFalse(existsSync(join(home.home, name)))
  else if (how === "there") assert.isTrue(existsSync(join(home.home, name)))
  else if (how === "mode") assert.strictEqual((statSync(join(home.home, name)).mode & 0o777).toString(8), text)
  else if (how === "+") assert.include(found, text)
  else if (how === "-") assert.notInclude(found ?? assert.fail(`${name} does not exist`), text)
  else assert.strictEqual(found, text)
}

const ofRun = ({ err, out }: CliRun, how: string, text: string): void => {
  const [said, failed] = [bare(out).trim(), bare(err).trim()]
  if (how === "+") assert.include(said, bare(plain(text)))
  else if (how === "-") assert.notInclude(`${said}\n${failed}`, bare(plain(text)))
  else if (how === "!") assert.include(failed, bare(plain(text)))
  else if (how === "=") assert.strictEqual(out, plain(text))
  else if (how === "~") assert.match(said, new RegExp(text, "u"))
  else if (how === "!~") assert.match(failed, new RegExp(text, "u"))
  else {
    const [, path = "", value = ""] = /^(\S+) (.*)$/s.exec(text) ?? []
    assert.deepStrictEqual(at(JSON.parse(out), path.split(".").filter(Boolean)), JSON.parse(value))
  }
}

const onFiles = (home: Home, verb: string, rest: string): boolean => {
  const [, name = "", text = ""] = /^(\S+) ?(.*)$/s.exec(rest) ?? []
  const file = join(home.home, name)
  if (verb === "put") home.put(name, plain(text))
  else if (verb === "add") appendFileSync(file, plain(text))
  else if (verb === "rm") rmSync(file, { recursive: true })
  else if (verb === "program") chmodSync(home.put(name, `#!${process.execPath}\n${plain(text)}\n`), 0o755)
  else if (verb === "mode") chmodSync(file, Number.parseInt(text, 8))
  else if (verb === "link") {
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(join(home.home, text.slice(3)), file)
  } else if (verb === "sub") {
    const [before = "", after = ""] = text.split(" ==> ")
    const old = home.read(name) ?? ""
    assert.include(old, plain(before))
    home.put(
      name,
      old.replaceAll(plain(before), () => plain(after))
    )
  } else return false
  return true
}

const play = Effect.fnUntraced(function* (lines: ReadonlyArray<string>, options: Options) {
  const home = yield* Effect.orDie(options.home ?? hooksHome)
  const builtIn: Words = { home: home.home, root: home.root, project: home.project, node: process.execPath }
  let ran: CliRun = { code: 0, out: "", err: "" }
  let files = filesOf(home)
  const step = Effect.fnUntraced(function* (line: string) {
    const [, verb = "", rest = ""] = /^(\S+) ?(.*)$/s.exec(line) ?? []
    if (/^\$[\d*]?$/.test(verb)) {
      const [typed = "", stdin] = rest.split(/ <(?: |$)/)
      const [given = "", ...answers] = typed.split(/ ?\?(?: |$)/)
      const all = words(given)
      const begin = all.findIndex((word) => !/^(?:[A-Z_]+=|@)/.test(word))
      ran = yield* home.runWords(all.slice(begin === -1 ? all.length : begin), {
        ...surroundings(all.slice(0, begin === -1 ? all.length : begin), home, options.env?.(home) ?? {}),
        ...(answers.length > 0 && { answers }),
        ...(stdin !== undefined && { stdin: inPieces(new TextEncoder().encode(plain(stdin))) })
      })
      if (verb !== "$*") assert.strictEqual(ran.code, Number(verb.slice(1)))
      return
    }
    const own = options.verbs?.[verb]
    if (own !== undefined) {
      const done = own(rest, home, ran)
      if (Effect.isEffect(done)) yield* done as Effect.Effect<unknown>
      return
    }
    if (verb === "start") return void (files = filesOf(home))
    if (verb === "same") return assert.deepStrictEqual(filesOf(home), files)
    if (verb === "now") return yield* TestClock.setTime(Date.parse(rest))
    if (onFiles(home, verb, rest)) return
    if (/^(?:[-+!=~]|!~|json)$/.test(verb)) return ofRun(ran, verb, rest)
    const [, how = "", text = ""] = /^(gone|there|mode|[-+=]) ?(.*)$/s.exec(rest) ?? assert.fail("no such line")
    ofFile(home, verb, how, plain(text))
  })
  for (const line of lines)
    yield* step(fill(fill(line, home, options.words ?? {}), home, builtIn)).pipe(
      Effect.catchAllDefect((cause) =>
        Effect.die(new Error(`${line}\n${String(cause)}\nprinted: ${ran.out}\n${ran.err}`, { cause }))
      )
    )
})

/** Each scene is a test. */
export const scenes = (text: string, options: Options = {}): void => {
  for (const part of text.split(/^ *# /m).slice(1)) {
    const [title = "", ...lines] = part.split(/\n| ¦ /).map((line) => line.trim())
    const run = options.live === true ? it.scopedLive : it.scoped
    run(title, () =>
      play(
        lines.filter((line) => line !== ""),
        options
      )
    )
  }
}
