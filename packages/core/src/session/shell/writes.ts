import { lazy } from "../../ground/text/Lazy.ts"
import { filesOf } from "../../ground/system/Patches.ts"
import { has } from "./tool.ts"
import type { Arg } from "./model.ts"

const maxPaths = 64

/** A path with its variables as written; `*` when nothing of it is known. */
const template = (text: string): string => {
  const path = text.slice(0, 400).replace(/\$\([^()]{0,200}\)/g, "$_")
  const fixed = path.replace(/\$(?:\{[^{}]{0,80}\}|\w{1,80})/g, "")
  return /[`()\n]/.test(path) || !/[A-Za-z0-9]/.test(fixed) ? "*" : path
}

/** The paths that a word may stand for. */
export const pathsOf = (arg: Arg): ReadonlyArray<string> =>
  arg.value !== null ? [arg.value.slice(0, 400)] : (arg.values ?? [arg.text]).map(template)

const operands = (args: ReadonlyArray<Arg>, values: string): ReadonlyArray<Arg> => {
  const found: Array<Arg> = []
  let literal = false
  for (let index = 1; index < args.length && found.length < maxPaths; index += 1) {
    const arg = args[index]
    if (arg === undefined) break
    const word = arg.value
    if (!literal && word === "--") literal = true
    else if (!literal && word !== null && word.startsWith("-") && word.length > 1) {
      if (has(values, word)) index += 1
    } else if (word !== "") found.push(arg)
  }
  return found
}

const optionValue = (args: ReadonlyArray<Arg>, names: string): ReadonlyArray<Arg> => {
  const at = args.findIndex(({ value }) => value !== null && has(names, value))
  const value = at < 0 ? undefined : args[at + 1]
  return value === undefined ? [] : [value]
}

/** `-i`, `-i.bak`, `-Ei`, `--in-place`. */
const inPlace = (args: ReadonlyArray<Arg>): boolean =>
  args.some(
    ({ value }) =>
      value !== null && (/^-[A-Za-z0-9]{0,8}i(?:[.~_][^/]{0,20})?$/.test(value) || /^--in-?place/.test(value))
  )

/** Operands of an editor in place: the first is its script unless an option gives one. */
const edited = (args: ReadonlyArray<Arg>, scripts: string, values: string): ReadonlyArray<Arg> => {
  const given = args.some(
    ({ value }) =>
      value !== null && (has(scripts, value) || /^-[A-Za-z]{0,6}e$/.test(value) || value.startsWith("--expression="))
  )
  return operands(args, `${scripts} ${values} -pe -ne -pie -i.bak_`).slice(given ? 0 : 1)
}

const last = (args: ReadonlyArray<Arg>, values: string): ReadonlyArray<Arg> => {
  const target = optionValue(args, "-t --target-directory")
  return target.length > 0 ? target : operands(args, values).slice(-1)
}

/** The words that name what is written. `input` is what the program reads, where it is known. */
type Writer = (args: ReadonlyArray<Arg>, input: string | null) => ReadonlyArray<Arg>

const unknownPath: ReadonlyArray<Arg> = [{ value: "*", text: "*" }]

const exact = (path: string): Arg => ({ value: path, text: path })

const orUnknown = (found: ReadonlyArray<Arg>): ReadonlyArray<Arg> => (found.length > 0 ? found : unknownPath)

const all: Writer = (args) => operands(args, "-m --mode -s --size -d --date -r --reference -o --owner -g --group")
const target: Writer = (args) => last(args, "-m -o -g --suffix -S -e --exclude --include -f --filter -T")

const sed: Writer = (args) => (inPlace(args) ? orUnknown(edited(args, "-e --expression -f --file", "-l -s_")) : [])

/** The files named in a patch: in what is read, or in a word that holds the patch. */
const patched: Writer = (args, input) => {
  const text = input ?? args.find(({ text: word }, index) => index > 0 && word.includes("\n"))?.text ?? ""
  return orUnknown(filesOf(text).map(exact))
}

const table = (writers: Readonly<Record<string, Writer>>): ReadonlyMap<string, Writer> =>
  new Map(Object.entries(writers).flatMap(([names, writer]) => names.split(" ").map((name) => [name, writer] as const)))

/** Programs whose work is to write. */
const always = table({
  "tee rm touch truncate shred unlink trash sponge dos2unix unix2dos": all,
  mv: (args) => operands(args, "-t -S --suffix"),
  "cp install rsync ln ditto": target,
  patch: (args, input) => {
    if (args.some(({ value }) => value === "--dry-run")) return []
    const named = operands(args, "-p -i -d -o -B --input --directory").slice(0, 1)
    return named.length > 0 ? named : patched(args, input)
  },
  "apply_patch applypatch": patched,
  dd: (args) => {
    const to = args.find(({ value }) => value?.startsWith("of=") === true)?.value
    return to === undefined || to === null ? [] : [exact(to.slice(3))]
  },
  "ed ex": (args) => operands(args, "-c").slice(-1),
  sd: (args) => operands(args, "-f -n").slice(2)
})

/** Programs that write when an option asks for it. */
const byOption = table({
  "sed gsed": sed,
  "yq jq": (args) => (inPlace(args) ? edited(args, "-f --from-file", "--arg") : []),
  "awk gawk": (args) => (args.some(({ value }) => value === "inplace") ? operands(args, "-i -v -F -f").slice(1) : []),
  "perl ruby": (args) => (inPlace(args) ? orUnknown(edited(args, "-e -pe -ne -lpe -0pe", "-I -M")) : []),
  "curl http xh": (args) => optionValue(args, "-o --output"),
  wget: (args) => optionValue(args, "-O --output-document"),
  sort: (args) => optionValue(args, "-o --output")
})

export const writingPrograms: ReadonlyArray<string> = [...always.keys()]
export const optionalWriters: ReadonlyArray<string> = [...byOption.keys()]

/** Paths that a program writes by its own arguments, or by the patch that it reads. */
export const written = (name: string, args: ReadonlyArray<Arg>, input: string | null): ReadonlyArray<string> => {
  const writer = always.get(name) ?? byOption.get(name)
  if (writer === undefined) return []
  return writer(args, input)
    .flatMap(pathsOf)
    .filter((path) => !path.startsWith("/dev/"))
}

const quoted = "[rbuf]{0,2}[\"'`]([^\"'`\\n]{1,300})[\"'`]"

/** Calls that write a file; the first group is the path where it stands in quotes, the second a variable's name. */
const calls = lazy((): ReadonlyArray<RegExp> => [
  new RegExp(
    String.raw`\bopen\(\s{0,8}(?:${quoted}|([\w.]{1,80}))\s{0,8},\s{0,8}(?:mode\s{0,4}=\s{0,4})?["'](?:[wax]|r\+)`
  ),
  new RegExp(
    String.raw`\bPath\(\s{0,8}(?:${quoted}|([\w.]{1,80}))\s{0,8}\)\.(?:write_text|write_bytes|unlink|touch|rename)\(`
  ),
  new RegExp(
    String.raw`(?:writeFile|appendFile|rmSync|unlink|createWriteStream|Deno\.writeTextFile|Bun\.write|File\.write|IO\.write|file_put_contents)(?:Sync)?\(\s{0,8}(?:${quoted}|([\w.]{1,80}))`
  ),
  new RegExp(String.raw`File\.open\(\s{0,8}(?:${quoted}|([\w.]{1,80}))\s{0,8},\s{0,8}["'][wa]`),
  new RegExp(String.raw`()\b([\w.]{1,80})\.(?:write_text|write_bytes)\(`),
  /()\.open\(\s{0,8}["'](?:[wax]|r\+)/,
  /\b(?:shutil\.(?:copy\w{0,8}|move|rmtree)|os\.(?:remove|rename|replace|unlink)|FileUtils\.\w{1,12}|fs\.(?:cp|rename|rm|copyFile)(?:Sync)?)\(/
])

const assigned = new RegExp(
  String.raw`^\s{0,40}(?:const |let |var )?([\w.]{1,80})\s{0,8}=\s{0,8}(?:(?:pathlib\.)?Path\()?\s{0,8}${quoted}`
)

const literals = (lines: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const line of lines) {
    const match = assigned.exec(line)
    if (match?.[1] !== undefined && match[2] !== undefined) found.set(match[1], match[2])
  }
  return found
}

const hint = /open\(|write|File|shutil|os\.|fs\.|unlink|rmSync/

/** Paths that a program given as text writes: `python -c`, `node -e`, a heredoc for an interpreter. */
export const writtenByCode = (code: string): ReadonlyArray<string> => {
  const lines = code.split("\n", 2_000).map((line) => line.slice(0, 2_000))
  const paths = new Set<string>()
  let names: ReadonlyMap<string, string> | undefined
  for (const line of lines) {
    if (!hint.test(line)) continue
    for (const call of calls()) {
      const match = call.exec(line)
      if (match === null) continue
      names ??= literals(lines)
      paths.add(match[1] || names.get(match[2] ?? "") || "*")
      break
    }
    if (paths.size > maxPaths) break
  }
  if (paths.size > 1) paths.delete("*")
  return [...paths].filter((path) => !path.startsWith("/dev/"))
}

/** Whether a program given as text starts other programs, which are then unknown. */
export const startsPrograms = (code: string): boolean =>
  /\b(?:subprocess\.|os\.system\(|os\.popen\(|child_process|execSync\(|spawnSync\(|Deno\.Command|Bun\.\$|Open3\.|shell_exec\()/.test(
    code.slice(0, 20_000)
  )

export const runsTests = (code: string): boolean =>
  /\b(?:pytest\.main|unittest\.main|doctest\.testmod|Pkg\.test|testthat::test_\w{1,12}|devtools::test)\(/.test(
    code.slice(0, 20_000)
  )
