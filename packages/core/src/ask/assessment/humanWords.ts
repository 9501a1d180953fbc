/** What a model leaves to the user, without a place to go to or a command to type that nobody but it has named. */
import { type HumanAct, needsHuman } from "../../session/stop/HumanAction.ts"
import { hasUnnamed } from "../../ground/text/Addresses.ts"
import { clean } from "../../ground/text/PlainText.ts"

const acts: Readonly<Record<HumanAct, string>> = {
  login: "to log in",
  device: "to do something at a device",
  credentials: "to provide a key, a token or a password",
  payment: "to see to a payment or a plan",
  access: "to grant an access or to change a setting outside of the project",
  approval: "to approve something"
}

/** What was named by somebody who may send the user somewhere: the user, and for commands the record of what ran. */
export interface Named {
  readonly texts: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
}

const span = /`{1,3}([^`]{1,400})`{1,3}/g

/** Words that begin a command in a sentence as well, and what makes them one. */
const command =
  /(?:^|[\s:"'(>$#])(?:(?:sudo|doas|curl|wget|npx|pnpx|bunx|iex|iwr|pipx|osascript)\s{1,4}\S|(?:ba|z|da|fi)?sh\s{1,4}[-<"'/.]|(?:pwsh|powershell|eval|chmod|chown|ssh|scp|nc|rm|dd|python3?|node|perl|ruby)\s{1,4}[-<"'/.$]|(?:pip3?|brew|apt|apt-get|npm|pnpm|yarn|cargo|gem|go)\s{1,4}(?:install|i|add|exec|run)\s|git\s{1,4}clone\s|docker\s{1,4}run\s)|\|\s{0,4}(?:ba|z)?sh\b|&&|\$\(/i

const isKnown = (text: string, { commands, texts }: Named): boolean =>
  [...commands, ...texts].some((one) => one.includes(text.trim()))

const hasUnnamedCommand = (text: string, named: Named): boolean => {
  const spans = [...text.matchAll(span)].map((match) => match[1] ?? "")
  if (spans.some((one) => /[\s|;&$<>]/.test(one.trim()) && !isKnown(one, named))) return true
  return command.test(text.replace(span, " ")) && !isKnown(text, named)
}

/** An item as it may be shown; null where it is nothing that only a person can do. */
export const forUser = (item: string, named: Named): string | null => {
  const kind = needsHuman(item)
  if (kind === null) return null
  const text = clean(item)
  if (!hasUnnamed(item, named.texts) && !hasUnnamedCommand(text, named)) return item
  return `${acts[kind]} (an address or a command that you did not name is left out)`
}
