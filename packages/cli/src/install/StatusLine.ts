/**
 * The line that a host shows while a hook runs at a stop. It is fixed when the hook is installed (`statusMessage` of its
 * entry, which Claude Code and Codex both know): a hook that runs has no other way to show anything before it ends.
 */

const reviewing = "reflexion reviews the turn"

const asking = "; it may ask "

/** `model` is the one that may be asked, null where none is. */
export const text = (model: string | null): string => (model === null ? reviewing : `${reviewing}${asking}${model}`)

/** Whether a line is one of these, and not what somebody put in its place. */
export const isOwn = (line: unknown): boolean =>
  line === reviewing || (typeof line === "string" && line.startsWith(`${reviewing}${asking}`))
