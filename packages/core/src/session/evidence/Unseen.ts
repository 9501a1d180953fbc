/** What is not on record, or is elsewhere: a claim of it is neither borne out nor disproved here. */
import type { Run } from "./model.ts"
import { isDelivered } from "../gates/GateTable.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall, TranscriptEvent } from "../transcript/Transcript.ts"

const fromUser = /<(?:bash-stdout|bash-input|user_shell_command|local-command-stdout)>/

const continued = /\bcontinued from a previous (?:conversation|session)\b|\bran out of context\b/i

/** A command of the user's own, and where the record may lack what came before. */
export const isUnseen = (event: TranscriptEvent): boolean =>
  event.type === "notice"
    ? event.kind === "compacted"
    : event.type === "user_message" &&
      (fromUser.test(event.text.slice(0, 4000)) || continued.test(event.text.slice(0, 4000)))

/** How git's own lines begin. */
const ofGit =
  /^(?:\[|[*+!=] |[0-9a-f]{6,40}\.\.|To |Enumerating|Everything|remote:|Counting|On branch|hint:|warning:|Total |Writing|Delta)/

/** A commit or a push before whose own lines something else was printed: by a hook, which may have run any check. */
export const hasHook = (call: ToolCall): boolean => {
  const command = toolKind(call.tool) === "shell" ? (shellCommand(call)?.slice(0, 2000) ?? "") : ""
  const first = (call.output ?? "").slice(0, 4000).trimStart()
  return (
    /\bgit\b.{0,80}\b(?:commit|push)\b/.test(command) &&
    !command.includes("--no-verify") &&
    first !== "" &&
    !ofGit.test(first)
  )
}

const forges = /\b(?:gh|glab|hub|jj|hg|svn|curl|wget|act|az|jenkins\S*|circleci|buildkite|woodpecker\S*)\b/

const history = /\bgit\b.{0,80}\b(?:merge|rebase|cherry-pick|revert|am|pull|stash|subtree)\b/

/** A page that was fetched or a forge that was asked, and commits that were made by another command. */
export const looksElsewhere = (call: ToolCall, runs: ReadonlyArray<Run>): boolean => {
  const command = shellCommand(call)?.slice(0, 4000) ?? ""
  return (
    toolKind(call.tool) === "fetch" ||
    ((forges.test(command) || history.test(command)) && !runs.some(({ gate }) => isDelivered(gate)))
  )
}
