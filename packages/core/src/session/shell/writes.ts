/** Finds the paths that programs write, in the programs' arguments or in code that the programs run. */
import { filesOf } from "../../base/system/Patches.ts"
import { lazy } from "../../base/text/Lazy.ts"
import { argOf, type Args, has, hasOption, operands, pathOf } from "./words.ts"

/** Returns the words that name the written files. `input` is the text that the program reads, or null if unknown. */
type Writer = (args: Args, input: string | null) => Args

const orAnywhere = (found: Args): Args => (found.length > 0 ? found : [argOf("*")])
const valueOf = (args: Args, names: string): Args => args.filter((_, at) => has(names, args[at - 1]?.value)).slice(0, 1)

/** True for options such as `-i`, `-i.bak`, `-Ei` and `--in-place`. */
const inPlace = (args: Args): boolean =>
  args.some(({ value }) => value !== null && /^-[A-Za-z0-9]{0,8}i(?:[.~_][^/]{0,20})?$|^--in-?place/.test(value))

/** The first word is the editor's script, unless an option gives a script. */
const edited = (args: Args): Args => {
  const given = args.some(({ value }) => /^-[A-Za-z0]{0,6}e$|^-f$|^--(?:expression|file|from-file)/.test(value ?? ""))
  const values = "-e -pe -ne -pie -lpe -0pe --expression -f --file --from-file -l -I -M --arg"
  return operands(args, values)
    .filter(({ value }) => value !== "")
    .slice(given ? 0 : 1)
}

const patched: Writer = (args, input) =>
  orAnywhere(filesOf(input ?? args.find(({ text }) => text.includes("\n"))?.text ?? "").map(argOf))

const writers: Readonly<Record<string, Writer>> = {
  "tee rm touch truncate shred unlink trash sponge dos2unix unix2dos": (args) =>
    operands(args, "-m -s --size -d -r --reference -o -g"),
  mv: (args) => operands(args, "-t -S --suffix"),
  "cp install rsync ln ditto": (args) => {
    const values = "-t -m -o -g --suffix -S -e --exclude --include -f --filter"
    return [...valueOf(args, "-t --target-directory"), ...operands(args, values).slice(-1)].slice(0, 1)
  },
  patch: (args, input) => {
    const named = operands(args, "-p -i -d -o -B --input --directory").slice(0, 1)
    return hasOption(args, "--dry-run") ? [] : named.length > 0 ? named : patched(args, input)
  },
  "apply_patch applypatch": patched,
  find: (args) => (args.some(({ value }) => value === "-delete") ? [argOf("*")] : []),
  dd: (args) => args.flatMap(({ value }) => (value?.startsWith("of=") === true ? [argOf(value.slice(3))] : [])),
  "ed ex": (args) => operands(args, "-c").slice(-1),
  sd: (args) => operands(args, "-f -n").slice(2),
  "sed gsed perl ruby": (args) => (inPlace(args) ? orAnywhere(edited(args)) : []),
  "yq jq": (args) => (inPlace(args) ? edited(args) : []),
  "awk gawk": (args) => (args.some(({ value }) => value === "inplace") ? operands(args, "-i -v -F -f").slice(1) : []),
  "curl http xh wget sort": (args) => valueOf(args, "-o -O --output --output-document")
}

export const written = (name: string, args: Args, input: string | null): ReadonlyArray<string> => {
  const writer = Object.entries(writers).find(([names]) => has(names, name))?.[1]
  const paths = writer?.(args.slice(1), input).slice(0, 64).map(pathOf) ?? []
  return paths.filter((path) => !path.startsWith("/dev/"))
}

const quoted = "[rbuf]{0,2}[\"'`]([^\"'`\\n]{1,300})[\"'`]"
const place = String.raw`\(\s{0,8}(?:${quoted}|([\w.]{1,80}))`

/** The first group is a path in quotes. The second group is the name of a variable. */
const calls = lazy((): ReadonlyArray<RegExp> => [
  new RegExp(String.raw`\bopen${place}\s{0,8},\s{0,8}(?:mode\s{0,4}=\s{0,4})?["'](?:[wax]|r\+)`),
  new RegExp(String.raw`\bPath${place}\s{0,8}\)\.(?:write_text|write_bytes|unlink|touch|rename)\(`),
  new RegExp(
    String.raw`(?:(?:write|append)File|rmSync|unlink|WriteStream|TextFile|(?:Bun|File|IO)\.write)(?:Sync)?${place}`
  ),
  /()\b([\w.]{1,80})\.(?:write_text|write_bytes)\(/,
  /()\.open\(\s{0,8}["'](?:[wax]|r\+)|\b(?:shutil\.(?:copy|move|rmtree)|os\.(?:remove|rename|replace|unlink)|fs\.(?:cp|rename|rm|copyFile))/
])

const assigned = new RegExp(
  String.raw`^\s{0,40}(?:const |let |var )?([\w.]{1,80})\s{0,8}=\s{0,8}(?:(?:pathlib\.)?Path\()?\s{0,8}${quoted}`
)

/** Finds the paths that code writes. For example, the code of `python -c`, `node -e`, or a heredoc. */
export const writtenByCode = (code: string): ReadonlyArray<string> => {
  const names = new Map<string, string>()
  const paths = new Set<string>()
  for (const line of code.split("\n", 2_000).map((one) => one.slice(0, 2_000))) {
    const [, name, path] = assigned.exec(line) ?? []
    if (name !== undefined && path !== undefined) names.set(name, path)
    if (!/open\(|[wW]rite|File|shutil|os\.|fs\.|unlink|rmSync/.test(line) || paths.size > 64) continue
    const match = calls().reduce<RegExpExecArray | null>((found, call) => found ?? call.exec(line), null)
    if (match !== null) paths.add(match[1] || names.get(match[2] ?? "") || "*")
  }
  if (paths.size > 1) paths.delete("*")
  return [...paths].filter((path) => !path.startsWith("/dev/"))
}

/** True if code given as text starts other programs. These programs are then unknown. */
export const startsPrograms = (code: string): boolean =>
  /\b(?:subprocess\.|os\.(?:system|popen)\(|child_process|(?:exec|spawn)Sync\(|Deno\.Command|Bun\.\$|Open3\.|shell_exec\()/.test(
    code.slice(0, 20_000)
  )

export const runsTests = (code: string): boolean =>
  /\b(?:pytest\.main|unittest\.main|doctest\.testmod|Pkg\.test|devtools::test)\(/.test(code.slice(0, 20_000))
