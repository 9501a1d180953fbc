/** Classifies commands of git, of other version control systems, and of forges such as GitHub. */
import type { CommandClass, Facts, Push } from "./model.ts"
import { type Args, byWord, has, hasOption, operands } from "./words.ts"

type Deed = Pick<Facts, "classes"> & Partial<Pick<Facts, "dryRun" | "push" | "writes">>

const vcs: Deed = { classes: ["vcs"] }
const pr = (...finer: ReadonlyArray<CommandClass>): Deed => ({ classes: ["pr", ...finer] })
const anyPush: Push = { remote: null, branch: null, force: false, delete: false, tags: false }

const gitValues = "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env"
const valuesOf = (args: Args, values: string): ReadonlyArray<string | null> =>
  operands(args, values).map(({ value }) => value)

/** True if the options contain this letter. For example, `-fu` contains `f`. */
const short = (args: Args, letter: string): boolean =>
  args.some(({ value }) => value !== null && /^-[A-Za-z]{1,8}$/.test(value) && value.includes(letter))

const refspec = (arg: string | null) => {
  const spec = (arg ?? "").replace(/^\+/, "")
  const colon = spec.indexOf(":")
  const target = spec.slice(colon + 1)
  const tag = target.startsWith("refs/tags/") || /^v\d{1,4}\.\d{1,5}/.test(target)
  const name = tag ? "" : target.replace(/^refs\/heads\//, "")
  return {
    branch: has("HEAD @", name) || name === "" ? null : name,
    force: arg?.startsWith("+") === true,
    delete: colon === 0 && spec.length > 1,
    tag
  }
}

const pushOf = (args: Args): Push => {
  const words = valuesOf(args, "-o --push-option --repo --receive-pack --exec --recurse-submodules")
  const specs = words
    .slice(1)
    .filter((word, index, all) => word !== "tag" && all[index - 1] !== "tag")
    .map(refspec)
  const chosen =
    specs.find(({ branch }) => branch === "main" || branch === "master") ?? specs.find(({ branch }) => branch !== null)
  return {
    remote: words[0] ?? null,
    branch: chosen?.branch ?? null,
    force:
      specs.some(({ force }) => force) ||
      short(args, "f") ||
      hasOption(args, "--force --force-with-lease --force-if-includes --mirror"),
    delete: specs.some((spec) => spec.delete) || short(args, "d") || hasOption(args, "--delete --prune"),
    tags: words.includes("tag") || specs.some(({ tag }) => tag) || hasOption(args, "--tags --follow-tags")
  }
}

const push = (args: Args): Deed => {
  if (hasOption(args, "--dry-run --help") || short(args, "n") || short(args, "h")) return { ...vcs, dryRun: true }
  const opens = args.some(({ value }) => value?.startsWith("merge_request.create") === true)
  return { classes: opens ? ["vcs", "push", "pr", "pr_create"] : ["vcs", "push"], push: pushOf(args) }
}

const written = (writes: ReadonlyArray<string | null>): Deed =>
  writes.length === 0 ? vcs : { classes: ["vcs", "write"], writes: writes.map((path) => path ?? "*") }

const reads =
  "status log diff show blame rev-parse rev-list describe ls-files ls-tree ls-remote cat-file shortlog for-each-ref merge-base name-rev show-ref check-ignore diff-tree diff-index cherry whatchanged version help count-objects var range-diff annotate"
const lists =
  /^(?:-[alrvq]+|--(?:list|all|remotes|contains|merged|no-merged|points-at|format|sort|show-current|verbose|get\S*))(?:=|$)/

/** True if the arguments make a verb read-only. For example, `git branch --list`. */
const looks = (verb: string, rest: Args): boolean =>
  has("branch remote config reflog", verb) &&
  (rest.length === 0 || has("show get-url", rest[0]?.value) || rest.some(({ value }) => lists.test(value ?? "")))

const git = (args: Args): Deed => {
  const verb = operands(args.slice(1), gitValues)[0]
  const rest = verb === undefined ? [] : args.slice(args.indexOf(verb) + 1)
  const name = verb?.value ?? ""
  const dry: Deed = { ...vcs, dryRun: true }
  if (name === "push") return push(rest)
  if (has("commit record", name)) return hasOption(rest, "--dry-run --help") ? dry : { classes: ["vcs", "commit"] }
  if (has("apply am", name))
    return hasOption(rest, "--check --stat --numstat --summary --abort --quit") ? dry : written(["*"])
  if (name === "checkout") {
    const dashes = rest.findIndex(({ value }) => value === "--")
    return dashes < 0 ? vcs : written(valuesOf(rest.slice(dashes), ""))
  }
  const isStaged = hasOption(rest, "--staged -S") && !hasOption(rest, "--worktree -W")
  if (name === "restore") return isStaged ? vcs : written(valuesOf(rest, "-s --source"))
  if (has("rm mv", name)) return hasOption(rest, "--cached --dry-run -n") ? vcs : written(valuesOf(rest, ""))
  if (name === "grep") return { classes: ["vcs", "search"] }
  return has(reads, name) || looks(name, rest) ? { classes: ["vcs", "read"] } : vcs
}

const prVerbs = byWord<ReadonlyArray<CommandClass>>({
  "create new open": ["pr_create"],
  "view show": ["pr_view"],
  checks: ["pr_checks", "ci"],
  "merge accept": ["pr_merge"],
  "status list diff": ["read"]
})

const ghPr = (args: Args): Deed => {
  const [verb] = valuesOf(args, "-R --repo")
  const finer = prVerbs.get(verb ?? "") ?? []
  const isDry = hasOption(args, `--help -h${finer.includes("pr_create") ? " --dry-run --web -w" : ""}`)
  return isDry ? { ...pr(), dryRun: true } : pr(...finer)
}

const apiValues =
  "-X --method -f -F --field --raw-field -H --header -q --jq --input -t --template --cache --hostname -p --preview"

/** The REST path says what the call is about. The HTTP method or a field says if it changes something. */
const ghApi = (args: Args): Deed => {
  const path = (valuesOf(args, apiValues)[0] ?? "").slice(0, 500)
  const method = args.findIndex(({ value }) => has("-X --method", value))
  const verb = method < 0 ? null : (args[method + 1]?.value ?? "").toUpperCase()
  const posts = verb === "POST" || (verb === null && hasOption(args, "-f -F --field --raw-field --input"))
  if (verb === "PUT" && /\/pulls\/[^/]{1,40}\/merge$/.test(path)) return pr("pr_merge")
  if (/\/pulls\/?$/.test(path) && posts) return pr("pr_create")
  if (/\/(?:check-runs|check-suites|status|statuses)(?:\/|\?|$)|\/actions\//.test(path)) return { classes: ["ci"] }
  return /\/pulls?(?:\/|\?|$)/.test(path) ? pr(posts ? "other" : "pr_view") : { classes: ["other"] }
}

const forge = (args: Args): Deed => {
  const [topic, action] = operands(args.slice(1), "-R --repo --hostname")
  const name = topic?.value ?? ""
  const rest = topic === undefined ? [] : args.slice(args.indexOf(topic) + 1)
  if (has("pr mr pull-request pulls", name)) return ghPr(rest)
  if (name === "api") return ghApi(rest)
  if (has("run workflow ci pipeline actions cache", name)) return { classes: ["ci"] }
  if (name === "release") return { classes: has("create upload delete edit", action?.value) ? ["deploy"] : ["read"] }
  return { classes: ["other"] }
}

/** Null if the program is not a version control system and not a forge client. */
export const deedOf = (name: string, args: Args): Deed | null => {
  const verb = args[1]?.value
  if (name === "git" || name === "hub") return git(args)
  if (has("gh glab tea fj", name)) return forge(args)
  if (name === "gt" && has("submit ss s stack", verb))
    return { classes: ["vcs", "push", "pr", "pr_create"], push: anyPush }
  if (!has("hg jj sl svn gt", name)) return null
  if (verb === "push" || (verb === "git" && args[2]?.value === "push"))
    return { classes: ["vcs", "push"], push: anyPush }
  return has(name === "gt" ? "create c modify m" : "commit ci", verb) ? { classes: ["vcs", "commit"] } : vcs
}
