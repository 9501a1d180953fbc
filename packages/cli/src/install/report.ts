/** Formats the messages of an installation. Pure: the terminal is a parameter. */
import type { Scope } from "../host/Hosts.ts"
import { pad } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { signed, tilde } from "../terminal/Terminal.ts"
import { paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import * as TextDiff from "../terminal/TextDiff.ts"
import * as HookBundle from "./HookBundle.ts"
import * as JsonText from "./JsonText.ts"
import type { NodeBinary } from "./nodeBinary.ts"
import type { Change, Plan, Request } from "./Plan.ts"
import { filesOf, ofTwo } from "./Plan.ts"

interface Common {
  readonly request: Request
  readonly plan: Plan
  readonly dryRun: boolean
}

export interface Installed extends Common {
  readonly bundle: { readonly folder: string; readonly id: string; readonly copied: boolean }
}

export interface Uninstalled extends Common {
  readonly pruned: ReadonlyArray<string>
  /** The other scope, if reflexion is still installed there. */
  readonly left: Scope | null
}

export const nodeNotes = ({ lasting, path }: NodeBinary): ReadonlyArray<string> => {
  const text = `The hooks run ${path}, which is in a temporary folder or in the project. Install Node 20.19 or newer, then run this again.`
  return lasting ? [] : [text]
}

const isVisible = ({ found, next }: Change): boolean => next !== found.text

const diffs = (style: TerminalStyle, { dryRun, plan, request }: Common): ReadonlyArray<ReadonlyArray<string>> =>
  plan.changes
    .filter((change) => dryRun && isVisible(change))
    .map(({ found: { file, text }, next }) => [
      TextDiff.render(style, { file: tilde(request.where.env, file), before: text, after: next })
    ])

const row = (style: TerminalStyle, term: string, text: string): string =>
  `  ${paint(style, ["cyan"], pad(term, 11))}${text}`

const titleOf = (style: TerminalStyle, { host, scope, where }: Request, dryRun = false): string => {
  const { dot } = symbols
  const place = scope === "global" ? "all your projects" : `the project ${tilde(where.env, where.root)}`
  const dry = dryRun ? ` ${dot} ${paint(style, ["yellow"], "dry run, nothing is written")}` : ""
  return `${paint(style, ["bold"], host.title)} ${dot} ${place}${dry}`
}

const optionOf = (scope: Scope): string => (scope === "project" ? " --project" : "")

const follows = ({ installation: { tellsOnly }, title }: Request["host"]): string =>
  tellsOnly
    ? `It tells only you what is missing: it does not nudge ${title}'s agent yet.`
    : "Clear evidence of missing work nudges the agent; less certain findings are told only to you."

export const proposal = (style: TerminalStyle, request: Request): string => {
  const { directories, host, scope, where } = request
  const files = filesOf(request).filter(([kind], at) => kind !== "plugins" || at === 0)
  const copy = tilde(where.env, HookBundle.hostFolder(directories, host))
  const what = host.installation.form === "plugin" ? "plugin" : "hook"
  return Sheet.terms(style, titleOf(style, request), [
    ["writes", `${files.map(([, file]) => tilde(where.env, file)).join(", ")}; the ${what} itself in ${copy}`],
    [
      "then",
      `reflexion reviews each turn when the agent stops. ${follows(host)} Without your consent it asks no model and runs no check.`
    ],
    ["undo", `reflexion uninstall ${host.name}${optionOf(scope)}`]
  ]).join("\n")
}

const fileRows = (style: TerminalStyle, { dryRun, plan, request }: Common): ReadonlyArray<string> =>
  plan.changes.filter(isVisible).map(({ found, next }) => {
    const verb = next === null ? "remove" : found.text === null ? "create" : "change"
    return row(style, dryRun ? `to ${verb}` : `${verb}d`, tilde(request.where.env, found.file))
  })

const good = (style: TerminalStyle, text: string): ReadonlyArray<string> => signed(style, "passed", text)

const notes = (style: TerminalStyle, texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => signed(style, "warning", text))

/** Some hosts silently ignore files that are not plain JSON. */
const unread = ({ plan, request: { host, where } }: Common): ReadonlyArray<string> =>
  plan.changes
    .filter(({ found: { file }, next }) => file.endsWith(".json") && !JsonText.isPlain(next ?? ""))
    .filter(() => host.installation.plainJson)
    .map(({ found: { file } }) => {
      const why = `has comments or trailing commas, and ${host.title} ignores such a file as a whole`
      return `Written, but not active: ${tilde(where.env, file)} ${why}. Remove them; then the hooks work.`
    })

export const installed = (style: TerminalStyle, report: Installed): string => {
  const { bundle, dryRun, plan, request } = report
  const { env } = request.where
  const title = [titleOf(style, request, dryRun)]
  if (!plan.changes.some(isVisible) && !bundle.copied)
    return Sheet.blocks([title, notes(style, plan.notes), good(style, "Already installed; nothing changes.")])
  const { command, installed: then, ofProject } = request.host.installation.words
  const more = request.scope === "project" && ofProject !== null ? [ofProject] : []
  const ignored = unread(report)
  const copy = row(style, bundle.copied ? (dryRun ? "to copy" : "copied") : "kept", tilde(env, bundle.folder))
  const undo = `\`reflexion uninstall ${request.host.name}${optionOf(request.scope)}\` removes it.`
  const next = `\`reflexion doctor ${request.host.name}\` checks it; \`${command} stop\` in a session turns it off in that session. ${undo}`
  return Sheet.blocks([
    title,
    [copy, ...fileRows(style, report)],
    ...diffs(style, report),
    notes(style, [...plan.notes, ...ignored, ...more]),
    dryRun
      ? signed(style, null, "Run it without --dry-run to install.")
      : ignored.length > 0
        ? []
        : good(style, `Installed. ${then} ${next}`)
  ])
}

export const byName = (style: TerminalStyle, request: Request, file: string): string => {
  const { installation, name, title } = request.host
  const text = `Already installed: ${file} names the package ${installation.plugin?.packageName ?? ""}, which ${title} downloads itself. Nothing changes: ${ofTwo}. To use the copy of this reflexion, remove the name (\`reflexion uninstall ${name}\`, with --project if it is in a project's file), then run this again.`
  return Sheet.blocks([[titleOf(style, request)], good(style, text)])
}

const leftover = ({ left, request: { host } }: Uninstalled): ReadonlyArray<string> => {
  if (left === null) return []
  const where = left === "project" ? "for this project" : "for all your projects"
  return [`reflexion is still installed ${where}: \`reflexion uninstall ${host.name}${optionOf(left)}\` removes it.`]
}

/** If a part stays, the text does not say that everything was removed. */
const outcome = (style: TerminalStyle, report: Uninstalled): ReadonlyArray<string> => {
  const { dryRun, plan, pruned, request } = report
  const { host, where } = request
  if (plan.problems.length > 0) return notes(style, ["Not everything could be removed; the error says what, and why."])
  if (!plan.changes.some(isVisible) && pruned.length === 0) return good(style, "Not installed here; nothing changes.")
  if (dryRun) return signed(style, null, "Run it without --dry-run to remove this.")
  const kept = `The records stay until you delete them: ${tilde(where.env, request.directories.state)}, and .reflection/ in your projects.`
  if (host.installation.form === "plugin")
    return good(style, `The plugin is removed. If ${host.title} is running, restart it. ${kept}`)
  const quiet =
    pruned.length === 0
      ? "Open sessions may still call the hooks: restart them."
      : "Open sessions may still call the hook, so a file that does nothing stays there for a month."
  return good(style, ["The hooks are removed.", quiet, kept, host.installation.words.stays ?? ""].join(" ").trimEnd())
}

export const uninstalled = (style: TerminalStyle, report: Uninstalled): string => {
  const { dryRun, plan, pruned, request } = report
  const gone = pruned.map((folder) => row(style, "removed", tilde(request.where.env, folder)))
  return Sheet.blocks([
    [titleOf(style, request, dryRun)],
    [...fileRows(style, report), ...gone],
    ...diffs(style, report),
    notes(style, [...plan.notes, ...leftover(report)]),
    outcome(style, report)
  ])
}
