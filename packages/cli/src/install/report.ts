/** What an installation says to its user. */
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as JsonEdit from "./JsonEdit.ts"
import type { Scope } from "../host/Hosts.ts"
import type { Plan } from "./installation.ts"
import type { Change, Request, Wrapper } from "./InstallFile.ts"
import { clip, oneLine, pad } from "../terminal/Layout.ts"
import type { NodeBinary } from "./nodeBinary.ts"
import { ofTwo } from "./PluginSpec.ts"
import { signed, tilde } from "../terminal/Terminal.ts"
import { paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import * as TextDiff from "../terminal/TextDiff.ts"

interface Common {
  readonly request: Request
  readonly plan: Plan
  readonly dryRun: boolean
}

export interface Installed extends Common {
  readonly bundle: { readonly folder: string; readonly id: string; readonly copied: boolean }
}

/**
 * `left`: the other scope, where hooks of this host are still installed.
 *
 * @category models
 */
export interface Uninstalled extends Common {
  readonly pruned: ReadonlyArray<string>
  readonly left: Scope | null
}

export const nodeNotes = ({ lasting, path }: NodeBinary): ReadonlyArray<string> =>
  lasting
    ? []
    : [
        `The hooks name ${path}, which is in a temporary folder or in the project. Install Node 20.19 or newer, then run this again.`
      ]

const textOf = (content: string | Buffer | null): string | null => content?.toString() ?? null

const isVisible = ({ found, next }: Change): boolean => textOf(next) !== found.text

const diffs = (style: TerminalStyle, { plan, request }: Common): ReadonlyArray<string> =>
  plan.changes.filter(isVisible).map(({ found, next }) => {
    const file = tilde(request.where.env, found.file)
    return TextDiff.render(style, { file, before: found.text, after: textOf(next) })
  })

/** Of a dry run nothing is said to have been done. */
const verbs = (dryRun: boolean) =>
  dryRun
    ? { copied: "to copy", removed: "to remove", created: "to create", changed: "to change" }
    : { copied: "copied", removed: "removed", created: "new", changed: "changed" }

const verb = (dryRun: boolean, { found, next }: Change): string => {
  const { changed, created, removed } = verbs(dryRun)
  if (next === null) return removed
  return found.text === null ? created : changed
}

const row = (style: TerminalStyle, term: string, text: string): string =>
  `  ${paint(style, ["cyan"], pad(term, 11))}${text}`

const title = (style: TerminalStyle, { dryRun, request }: Common): string => {
  const { dot } = symbols(style)
  const { env, root } = request.where
  const place = request.scope === "global" ? "all your projects" : `the project ${tilde(env, root)}`
  const dry = dryRun ? ` ${dot} ${paint(style, ["yellow"], "dry run, nothing is written")}` : ""
  return `${paint(style, ["bold"], request.host.title)} ${dot} ${place}${dry}`
}

const good = (style: TerminalStyle, text: string): ReadonlyArray<string> => signed(style, "passed", text)

const files = (style: TerminalStyle, { dryRun, plan, request }: Common): ReadonlyArray<string> =>
  plan.changes
    .filter(isVisible)
    .map((change) => row(style, verb(dryRun, change), tilde(request.where.env, change.found.file)))

const notes = (style: TerminalStyle, texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => signed(style, "warning", text))

const sections = (parts: ReadonlyArray<ReadonlyArray<string>>): string =>
  parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")

/** What is left for the user to do. */
const next = ({ request: { host } }: Common): string => {
  const { command, installed } = host.installation.words
  return `Installed. ${installed} \`reflexion doctor ${host.name}\` says how it stands; \`${command} stop\` in a session turns it off there.`
}

const needsProjectTrust = ({ request }: Common): ReadonlyArray<string> =>
  request.scope === "project" && request.host.installation.words.ofProject !== null
    ? [request.host.installation.words.ofProject]
    : []

const maxCommand = 200

const wrapper = (style: TerminalStyle, { request }: Common, { command, event, file }: Wrapper): string =>
  `${tilde(request.where.env, file)} has a command ${request.scope === "global" ? "of your own" : "that reflexion did not write"} ` +
  `at ${event} that names the hook, and it stays: ` +
  `\`${clip(oneLine(command), maxCommand, symbols(style).ellipsis)}\`.`

const wrapped = (style: TerminalStyle, report: Installed): ReadonlyArray<string> =>
  report.plan.wrappers.map((one) => {
    const { folder, id } = report.bundle
    const update = `It runs ${one.version}, not ${id}: name ${tilde(report.request.where.env, folder)} there by hand.`
    const more = one.version === id ? "Nothing is added there: the hook would run twice." : update
    return `${wrapper(style, report, one)} ${more}`
  })

const stillWrapped = (style: TerminalStyle, report: Uninstalled): ReadonlyArray<string> =>
  report.plan.wrappers.map(
    (one) => `${wrapper(style, report, one)} The hook goes on running there until you take it out.`
  )

/** Some hosts take comments for a broken file and say nothing. */
const unread = ({ plan, request }: Common): ReadonlyArray<string> =>
  request.host.installation.plainJson
    ? plan.changes
        .filter(({ found, next }) => found.file.endsWith(".json") && !JsonEdit.isPlain(textOf(next) ?? ""))
        .map(
          ({ found }) =>
            `${tilde(request.where.env, found.file)} has comments or trailing commas: ${request.host.title} ignores the whole file, these hooks included, until they are taken out.`
        )
    : []

export const installed = (style: TerminalStyle, report: Installed): string => {
  const { bundle, dryRun, plan, request } = report
  const hook = row(style, bundle.copied ? verbs(dryRun).copied : "kept", tilde(request.where.env, bundle.folder))
  const changes = plan.changes.some(isVisible)
  const texts = [...plan.notes, ...wrapped(style, report)]
  if (!changes && !bundle.copied) {
    const done = good(style, "Installed already; nothing changes.")
    return sections([[title(style, report)], notes(style, texts), done])
  }
  return sections([
    [title(style, report)],
    [hook, ...files(style, report)],
    ...diffs(style, report).map((text) => [text]),
    notes(style, [...texts, ...unread(report), ...needsProjectTrust(report)]),
    dryRun ? signed(style, null, "Run it without --dry-run to install.") : good(style, next(report))
  ])
}

/**
 * What is said where the host installs the plugin itself.
 *
 * @category rendering
 */
export const byName = (style: TerminalStyle, request: Request, file: string): string =>
  sections([
    [title(style, { request, plan: { changes: [], notes: [], wrappers: [], problems: [] }, dryRun: false })],
    good(
      style,
      `Installed already, by the name ${request.host.installation.plugin?.packageName ?? ""} in ${file}: ${request.host.title} fetches it from the registry itself. Nothing changes: ` +
        `${ofTwo}. To have the copy of this reflexion instead, take the name out (\`reflexion uninstall ${request.host.name}\`, with --project where it is a project's file) and run this again.`
    )
  ])

const leftover = ({ left, request: { host } }: Uninstalled): ReadonlyArray<string> => {
  if (left === null) return []
  const [where, option] = left === "project" ? ["for this project", " --project"] : ["for all your projects", ""]
  return [`reflexion is still installed ${where}: \`reflexion uninstall ${host.name}${option}\` takes it out.`]
}

/** It is the user's, and of use to them without the hooks. */
const kept = ({ request: { where } }: Uninstalled): string =>
  `What was recorded stays until you delete it: ${tilde(where.env, UserDirectories.make(where.env).state)}, and .reflection/ in your projects.`

const quiet = ({ pruned }: Uninstalled): string =>
  pruned.length === 0
    ? "Sessions that are open may still call the hooks: restart those. "
    : "Sessions that are open may still call the hook: a file of three lines stays in its place, which says nothing. "

/** What was done, or would be, said so that nothing that stays is said to be out. */
const outcome = (style: TerminalStyle, report: Uninstalled): ReadonlyArray<string> => {
  const { dryRun, plan, pruned, request } = report
  const isNone = !plan.changes.some(isVisible) && pruned.length === 0
  if (plan.problems.length > 0)
    return notes(style, ["Not everything could be taken out; the error says what could not, and why."])
  if (isNone) return good(style, "Not installed here; nothing changes.")
  if (dryRun) return signed(style, null, "Run it without --dry-run to take that out.")
  if (request.host.installation.form === "plugin")
    return good(
      style,
      `The plugin is out. ${request.host.title} has it loaded while it runs: restart it. ${kept(report)}`
    )
  const { stays } = request.host.installation.words
  const approved = stays === null ? "" : ` ${stays}`
  const what = plan.wrappers.length === 0 ? "The hooks are out." : "What reflexion wrote is out."
  return good(style, `${what} ${quiet(report)}${kept(report)}${approved}`)
}

export const uninstalled = (style: TerminalStyle, report: Uninstalled): string => {
  const { plan, pruned, request } = report
  const bundles = pruned.map((folder) => row(style, "removed", tilde(request.where.env, folder)))
  return sections([
    [title(style, report)],
    [...files(style, report), ...bundles],
    ...diffs(style, report).map((text) => [text]),
    notes(style, [...plan.notes, ...stillWrapped(style, report), ...leftover(report)]),
    outcome(style, report)
  ])
}
