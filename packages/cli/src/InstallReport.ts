/**
 * What an installation says to its user.
 *
 * @since 0.1.0
 */
import * as JsonEdit from "./JsonEdit.ts"
import type { Scope } from "./HookHosts.ts"
import type { Change, Plan, Request } from "./Installation.ts"
import { pad, wrap } from "./Layout.ts"
import type { NodeBinary } from "./NodeBinary.ts"
import { tilde } from "./Terminal.ts"
import { paint, symbols, type TerminalStyle } from "./TerminalStyle.ts"
import * as TextDiff from "./TextDiff.ts"

interface Common {
  readonly request: Request
  readonly plan: Plan
  readonly dryRun: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Installed extends Common {
  readonly bundle: { readonly folder: string; readonly copied: boolean }
}

/**
 * `left`: the other scope, where hooks of this host are still installed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Uninstalled extends Common {
  readonly pruned: ReadonlyArray<string>
  readonly left: Scope | null
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const nodeNotes = ({ lasting, path }: NodeBinary): ReadonlyArray<string> =>
  lasting
    ? []
    : [`The hooks name ${path}, which is in a temporary folder. Install Node 20.19 or newer, then run this again.`]

const textOf = (content: string | Buffer | null): string | null => content?.toString() ?? null

const isVisible = ({ found, next }: Change): boolean => textOf(next) !== found.text

const diffs = (style: TerminalStyle, { plan, request }: Common): ReadonlyArray<string> =>
  plan.changes.filter(isVisible).map(({ found, next }) => {
    const file = tilde(request.where.env, found.file)
    return TextDiff.render(style, { file, before: found.text, after: textOf(next) })
  })

const verb = ({ found, next }: Change): string => {
  if (next === null) return "removed"
  return found.text === null ? "new" : "changed"
}

const row = (style: TerminalStyle, term: string, text: string): string =>
  `  ${pad(paint(style, ["cyan"], term), 10 + (style.color ? paint(style, ["cyan"], "x").length - 1 : 0))}${text}`

const title = (style: TerminalStyle, { dryRun, request }: Common): string => {
  const { dot } = symbols(style)
  const { env, root } = request.where
  const place = request.scope === "global" ? "all your projects" : `the project ${tilde(env, root)}`
  const dry = dryRun ? ` ${dot} ${paint(style, ["yellow"], "dry run, nothing is written")}` : ""
  return `${paint(style, ["bold"], request.host.title)} ${dot} ${place}${dry}`
}

/** A sentence behind a sign, wrapped. */
const signed = (style: TerminalStyle, sign: string, text: string): ReadonlyArray<string> =>
  wrap(text, style.width - 2).map((line, index) => (index === 0 ? `${sign} ${line}` : `  ${line}`))

const good = (style: TerminalStyle, text: string): ReadonlyArray<string> =>
  signed(style, paint(style, ["green"], symbols(style).passed), text)

const files = (style: TerminalStyle, { plan, request }: Common): ReadonlyArray<string> =>
  plan.changes.filter(isVisible).map((change) => row(style, verb(change), tilde(request.where.env, change.found.file)))

const notes = (style: TerminalStyle, texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => signed(style, paint(style, ["yellow"], symbols(style).warning), text))

const sections = (parts: ReadonlyArray<ReadonlyArray<string>>): string =>
  parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")

/** What is left for the user to do. */
const next = ({ request }: Common): string =>
  request.host.name === "codex"
    ? "Installed, but not active yet: Codex runs no hook before you have approved it: start codex, type /hooks and trust those of reflexion. After an " +
      "upgrade it asks again. `reflexion doctor codex` says how it stands."
    : "Installed. It takes effect in sessions that start from now on. `reflexion doctor claude-code` checks it; `/reflection stop` " +
      "in a session turns it off there."

const needsProjectTrust = ({ request }: Common): ReadonlyArray<string> =>
  request.host.name === "codex" && request.scope === "project"
    ? ["Codex reads the hooks of a project only if you trust the project in Codex as well."]
    : []

/** Claude Code takes comments for a broken file and says nothing. */
const unread = ({ plan, request }: Common): ReadonlyArray<string> =>
  request.host.name === "claude-code"
    ? plan.changes
        .filter(({ found, next }) => found.file.endsWith(".json") && !JsonEdit.isPlain(textOf(next) ?? ""))
        .map(
          ({ found }) =>
            `${tilde(request.where.env, found.file)} has comments or trailing commas: Claude Code ignores the whole file, these hooks included, until they are taken out.`
        )
    : []

/**
 * @since 0.1.0
 * @category rendering
 */
export const installed = (style: TerminalStyle, report: Installed): string => {
  const { bundle, dryRun, plan, request } = report
  const hook = row(style, bundle.copied ? "copied" : "kept", tilde(request.where.env, bundle.folder))
  const changes = plan.changes.some(isVisible)
  if (!changes && !bundle.copied) {
    const done = good(style, "Installed already; nothing changes.")
    return sections([[title(style, report)], notes(style, plan.notes), done])
  }
  return sections([
    [title(style, report)],
    [hook, ...files(style, report)],
    ...diffs(style, report).map((text) => [text]),
    notes(style, [...plan.notes, ...unread(report), ...needsProjectTrust(report)]),
    dryRun ? signed(style, " ", "Run it without --dry-run to install.") : good(style, next(report))
  ])
}

const leftover = ({ left, request }: Uninstalled): ReadonlyArray<string> =>
  left === null
    ? []
    : [
        left === "project"
          ? `This project has hooks of its own: \`reflexion uninstall ${request.host.name} --project\` takes them out.`
          : `Hooks for all projects are still installed: \`reflexion uninstall ${request.host.name}\` takes them out.`
      ]

/**
 * @since 0.1.0
 * @category rendering
 */
export const uninstalled = (style: TerminalStyle, report: Uninstalled): string => {
  const { dryRun, plan, pruned, request } = report
  const none = !plan.changes.some(isVisible) && pruned.length === 0
  const bundles = pruned.map((folder) => row(style, "removed", tilde(request.where.env, folder)))
  const done = dryRun
    ? signed(style, " ", "Run it without --dry-run to take them out.")
    : good(style, "The hooks are out. Sessions that are open may still call them: restart those.")
  return sections([
    [title(style, report)],
    [...files(style, report), ...bundles],
    ...diffs(style, report).map((text) => [text]),
    notes(style, [...plan.notes, ...leftover(report)]),
    none ? good(style, "Not installed here; nothing changes.") : done
  ])
}
