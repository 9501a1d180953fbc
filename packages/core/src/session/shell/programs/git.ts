import { has } from "../tool.ts"
import type { Arg, CommandClass, Push } from "../model.ts"

/** What a version-control or forge command does. */
export interface Deed {
  readonly classes: ReadonlyArray<CommandClass>
  readonly dryRun?: boolean
  readonly push?: Push
  readonly writes?: ReadonlyArray<string>
}

const vcs: ReadonlyArray<CommandClass> = ["vcs"]
const pr = (...finer: ReadonlyArray<CommandClass>): Deed => ({ classes: ["pr", ...finer] })

/** Options of `git` itself whose value is the next word. */
const gitValues = "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env"

const positionals = (args: ReadonlyArray<Arg>, values: string): ReadonlyArray<string | null> => {
  const found: Array<string | null> = []
  let literal = false
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]?.value ?? null
    if (!literal && word === "--") literal = true
    else if (!literal && word !== null && word.startsWith("-") && word.length > 1) {
      if (has(values, word)) index += 1
    } else found.push(word)
  }
  return found
}

const flag = (args: ReadonlyArray<Arg>, names: string): boolean =>
  args.some(({ value }) => value !== null && (has(names, value) || has(names, value.slice(0, value.indexOf("=")))))

/** `-fu` holds `-f`. */
const short = (args: ReadonlyArray<Arg>, letter: string): boolean =>
  args.some(({ value }) => value !== null && /^-[A-Za-z]{1,8}$/.test(value) && value.includes(letter))

const refName = (ref: string): string | null => {
  const name = ref.replace(/^refs\/heads\//, "")
  return name === "" || name === "HEAD" || name === "@" ? null : name
}

interface Refspec {
  readonly branch: string | null
  readonly force: boolean
  readonly delete: boolean
  readonly tag: boolean
}

const refspec = (arg: string | null): Refspec => {
  if (arg === null) return { branch: null, force: false, delete: false, tag: false }
  const force = arg.startsWith("+")
  const spec = force ? arg.slice(1) : arg
  const colon = spec.indexOf(":")
  const target = colon < 0 ? spec : spec.slice(colon + 1)
  const tag = target.startsWith("refs/tags/") || /^v\d{1,4}\.\d{1,5}/.test(target)
  return { branch: tag ? null : refName(target), force, delete: colon === 0 && spec.length > 1, tag }
}

const isDefault = ({ branch }: Refspec): boolean => branch === "main" || branch === "master"

const pushValues = "-o --push-option --repo --receive-pack --exec --recurse-submodules"

const parsePush = (args: ReadonlyArray<Arg>): Push => {
  const words = positionals(args, pushValues)
  const specs = words
    .slice(1)
    .filter((word, index, all) => word !== "tag" && all[index - 1] !== "tag")
    .map(refspec)
  const tagged = words.slice(1).includes("tag") || specs.some(({ tag }) => tag)
  const chosen = specs.find(isDefault) ?? specs.find(({ branch }) => branch !== null)
  return {
    remote: words[0] ?? null,
    branch: chosen?.branch ?? null,
    force:
      specs.some(({ force }) => force) ||
      short(args, "f") ||
      flag(args, "--force --force-with-lease --force-if-includes --mirror"),
    delete: specs.some((spec) => spec.delete) || short(args, "d") || flag(args, "--delete --prune"),
    tags: tagged || flag(args, "--tags --follow-tags")
  }
}

const push = (args: ReadonlyArray<Arg>): Deed => {
  if (flag(args, "--dry-run --help") || short(args, "n") || short(args, "h")) return { classes: vcs, dryRun: true }
  const opensPr = args.some(({ value }) => value?.startsWith("merge_request.create") === true)
  return { classes: opensPr ? ["vcs", "push", "pr", "pr_create"] : ["vcs", "push"], push: parsePush(args) }
}

const paths = (args: ReadonlyArray<Arg>, values: string): ReadonlyArray<string> =>
  positionals(args, values).map((word) => word ?? "*")

const restored = (args: ReadonlyArray<Arg>): ReadonlyArray<string> => {
  const dashes = args.findIndex(({ value }) => value === "--")
  return dashes < 0 ? [] : args.slice(dashes + 1).map(({ value }) => value ?? "*")
}

const gitReads =
  "status log diff show blame branch remote rev-parse rev-list describe ls-files ls-tree ls-remote cat-file config reflog shortlog for-each-ref merge-base name-rev show-ref symbolic-ref check-ignore diff-tree diff-index cherry whatchanged version help count-objects var range-diff worktree-list annotate"

const lists =
  /^(?:-[alrvq]+|--(?:list|all|remotes|contains|merged|no-merged|points-at|format|sort|show-current|verbose|get\S*|column))(?:=|$)/

/** Some verbs look, or change what they would show, by their arguments. */
const changes = (verb: string, rest: ReadonlyArray<Arg>): boolean => {
  const words = rest.flatMap(({ value }) => value ?? [])
  const named = words.filter((word) => !word.startsWith("-"))
  if (words.some((word) => lists.test(word))) return false
  switch (verb) {
    case "branch":
      return words.length > 0
    case "remote":
      return named.length > 0 && named[0] !== "show" && named[0] !== "get-url"
    case "config":
      return named.length > 1 || words.some((word) => /^--(?:unset|add|replace|rename|remove)/.test(word))
    case "symbolic-ref":
      return named.length > 1
    case "reflog":
      return named[0] === "expire" || named[0] === "delete"
    default:
      return false
  }
}

const git = (args: ReadonlyArray<Arg>): Deed => {
  let at = 1
  for (; at < args.length; at += 1) {
    const word = args[at]?.value ?? null
    if (word === null || !word.startsWith("-")) break
    if (has(gitValues, word)) at += 1
  }
  const verb = args[at]?.value ?? ""
  const rest = args.slice(at + 1)
  switch (verb) {
    case "push":
      return push(rest)
    case "commit": {
      if (flag(rest, "--dry-run --help")) return { classes: vcs, dryRun: true }
      return { classes: ["vcs", "commit"] }
    }
    case "apply":
    case "am":
      return flag(rest, "--check --stat --numstat --summary --abort --quit")
        ? { classes: vcs, dryRun: true }
        : { classes: ["vcs", "write"], writes: ["*"] }
    case "checkout": {
      const writes = restored(rest)
      return writes.length === 0 ? { classes: vcs } : { classes: ["vcs", "write"], writes }
    }
    case "restore":
      return flag(rest, "--staged -S") && !flag(rest, "--worktree -W")
        ? { classes: vcs }
        : { classes: ["vcs", "write"], writes: paths(rest, "-s --source") }
    case "rm":
    case "mv":
      return flag(rest, "--cached --dry-run -n")
        ? { classes: vcs }
        : { classes: ["vcs", "write"], writes: paths(rest, "") }
    case "grep":
      return { classes: ["vcs", "search"] }
    case "submit":
    case "pr":
      return { classes: vcs }
    default:
      return has(gitReads, verb) && !changes(verb, rest) ? { classes: ["vcs", "read"] } : { classes: vcs }
  }
}

const createPr = (args: ReadonlyArray<Arg>): Deed =>
  flag(args, "--dry-run --web -w --help -h") ? { classes: ["pr"], dryRun: true } : pr("pr_create")

const ghPr = (args: ReadonlyArray<Arg>): Deed => {
  if (flag(args, "--help -h")) return { classes: ["pr"], dryRun: true }
  switch (positionals(args, "-R --repo")[0]) {
    case "create":
    case "new":
    case "open":
      return createPr(args)
    case "view":
    case "show":
      return pr("pr_view")
    case "checks":
      return pr("pr_checks", "ci")
    case "merge":
    case "accept":
    case "complete":
      return pr("pr_merge")
    case "status":
    case "list":
    case "diff":
      return pr("read")
    default:
      return pr()
  }
}

/** The REST path tells what `gh api` is about; the method or a field tells whether it changes something. */
const ghApi = (args: ReadonlyArray<Arg>): Deed => {
  const path = (
    positionals(
      args,
      "-X --method -f -F --field --raw-field -H --header -q --jq --input -t --template --cache --hostname -p --preview"
    )[0] ?? ""
  ).slice(0, 500)
  const method = args.findIndex(({ value }) => value === "-X" || value === "--method")
  const verb = method < 0 ? null : (args[method + 1]?.value ?? "").toUpperCase()
  const fields = flag(args, "-f -F --field --raw-field --input")
  const posts = verb === "POST" || (verb === null && fields)
  const merges = verb === "PUT" && /\/pulls\/[^/]{1,40}\/merge$/.test(path)
  if (path === "graphql") return { classes: ["other"] }
  if (merges) return pr("pr_merge")
  if (/\/pulls\/?$/.test(path) && posts) return pr("pr_create")
  if (/\/(?:check-runs|check-suites|status|statuses)(?:\/|\?|$)|\/actions\//.test(path)) return { classes: ["ci"] }
  return /\/pulls?(?:\/|\?|$)/.test(path) ? pr(posts ? "other" : "pr_view") : { classes: ["other"] }
}

const forge = (args: ReadonlyArray<Arg>): Deed => {
  const words = positionals(args, "-R --repo --hostname")
  const topic = words[0] ?? ""
  const at = args.findIndex(({ value }) => value === topic)
  const rest = args.slice(at + 1)
  if (topic === "pr" || topic === "mr" || topic === "pull-request" || topic === "pulls") return ghPr(rest)
  if (topic === "api") return ghApi(rest)
  if (has("run workflow ci pipeline actions cache", topic)) return { classes: ["ci"] }
  if (topic === "release") {
    return has("create upload delete edit", words[1] ?? "") ? { classes: ["deploy"] } : { classes: ["read"] }
  }
  return { classes: has("issue repo search browse auth gist label project", topic) ? ["other"] : ["other"] }
}

const forges: ReadonlyMap<string, (args: ReadonlyArray<Arg>) => Deed> = new Map([
  ["git", git],
  ["gh", (args) => forge(args.slice(1))],
  ["glab", (args) => forge(args.slice(1))],
  ["tea", (args) => forge(args.slice(1))],
  ["fj", (args) => forge(args.slice(1))],
  ["az repos", (args) => forge(args.slice(2))],
  ["hub", (args) => (args[1]?.value === "pull-request" ? createPr(args) : git(args))],
  ["gt", (args) => (has("submit ss s stack", args[1]?.value ?? "") ? submit : { classes: vcs })],
  ["jj git", (args) => (args[2]?.value === "push" ? { classes: ["vcs", "push"], push: anyPush } : { classes: vcs })],
  ["hg", (args) => simple(args[1]?.value ?? "")],
  ["jj", (args) => simple(args[1]?.value ?? "")],
  ["sl", (args) => simple(args[1]?.value ?? "")],
  ["svn", (args) => simple(args[1]?.value ?? "")]
])

const anyPush: Push = { remote: null, branch: null, force: false, delete: false, tags: false }
const submit: Deed = { classes: ["vcs", "push", "pr", "pr_create"], push: anyPush }

const simple = (verb: string): Deed => {
  if (verb === "push") return { classes: ["vcs", "push"], push: anyPush }
  return { classes: verb === "commit" || verb === "ci" ? ["vcs", "commit"] : vcs }
}

/** Null when the program is no version control or forge. */
export const deed = (name: string, args: ReadonlyArray<Arg>): Deed | null => {
  const two = forges.get(`${name} ${args[1]?.value ?? ""}`)
  return (two ?? forges.get(name))?.(args) ?? null
}
