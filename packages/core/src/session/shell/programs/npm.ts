import { includesAny, parse, type Call, type Parsed } from "../call.ts"
import { ofName } from "../names.ts"
import { has } from "../tool.ts"
import type { Arg } from "../model.ts"

const npmValues =
  "-C --prefix --dir --cwd -w --workspace --filter -F --loglevel --registry --script-shell --reporter --concurrency --workspace-concurrency -j --jobs --include --exclude --top-level"

const elsewhereOptions =
  "-C --prefix --dir --cwd -w --workspace --workspaces -ws --filter -F -r --recursive --all -A --since --project -p"

const partOptions = "-w --workspace --filter -F --since --project --projects -p --scope --affected"

const npmBuiltins = [
  "install i ci add update up upgrade remove rm uninstall un link unlink dedupe prune rebuild audit outdated",
  "view info show ls list ll why explain search pack publish version init create config set get root bin prefix",
  "cache login logout whoami ping doctor fund help exec x dlx node env store patch patch-commit fetch import",
  "licenses setup self-update completion repo bugs owner token team access dist-tag deprecate hook profile star",
  "stars stage pkg query sbom plugin constraints cacache global policies unplug autoclean upgrade-interactive",
  "pm repl shell"
].join(" ")

/** Options after an npm script's name are npm's own up to `--`; the other runners hand everything on. */
const handOn = (
  runner: string,
  parsed: Parsed
): { readonly args: ReadonlyArray<Arg>; readonly options: ReadonlyArray<string> } => {
  const dashes = parsed.rest.findIndex(({ value }) => value === "--")
  if (runner !== "npm") return { args: dashes === 0 ? parsed.rest.slice(1) : parsed.rest, options: parsed.options }
  const own = parse(dashes < 0 ? parsed.rest : parsed.rest.slice(0, dashes), npmValues, parsed.rest.length)
  const after = dashes < 0 ? [] : parsed.rest.slice(dashes + 1)
  return { args: [...own.words, ...after], options: [...parsed.options, ...own.options] }
}

const npmCall = (runner: string, name: string, parsed: Parsed, program: boolean): Call => {
  const { args, options } = handOn(runner, parsed)
  const { classes, part } = ofName(name)
  return {
    kind: "npm",
    name,
    args,
    elsewhere: includesAny(options, elsewhereOptions),
    filtered: includesAny(options, partOptions),
    dryRun: includesAny(options, "--help -h --dry-run"),
    ifPresent: includesAny(options, "--if-present"),
    runner,
    classes,
    part,
    program
  }
}

const aliases: ReadonlyMap<string, string> = new Map([
  ["t", "test"],
  ["tst", "test"]
])

/** `npm test`, `pnpm -r run build`, `yarn workspace web lint`, `bun run x`. */
export const npm = (runner: string, args: ReadonlyArray<Arg>): ReadonlyArray<Call> => {
  const parsed = parse(args.slice(1), npmValues, 1)
  const verb = parsed.words[0]
  if (verb === undefined || verb.value === null) return []
  const word = verb.value
  if (runner === "yarn" && word === "workspace") return inPart(npm(runner, [verb, ...parsed.rest.slice(1)]))
  if (word === "workspaces" || word === "recursive" || word === "multi") {
    const inner = parse(parsed.rest, npmValues, 1)
    const skip = inner.words[0]?.value === "foreach" ? inner.rest : parsed.rest
    return npm(runner, [verb, ...skip]).map((call) => ({ ...call, elsewhere: true }))
  }
  if (has("run run-script rum urn", word)) {
    const inner = parse(parsed.rest, npmValues, 1)
    const name = inner.words[0]?.value ?? null
    return name === null
      ? []
      : [npmCall(runner, name, { ...inner, options: [...parsed.options, ...inner.options] }, false)]
  }
  if (has("test t tst start stop restart", word)) {
    return runner === "bun" && has("test t", word) ? [] : [npmCall(runner, aliases.get(word) ?? word, parsed, false)]
  }
  if (runner === "npm" || has(npmBuiltins, word) || (runner === "bun" && word === "build")) return []
  return [npmCall(runner, word, parsed, true)]
}

const inPart = (calls: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  calls.map((call) => ({ ...call, elsewhere: true, filtered: true }))
