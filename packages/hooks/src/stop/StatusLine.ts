/**
 * The line that a host shows while a hook runs at a stop. It is fixed when the hook is installed (`statusMessage` of its
 * entry, which Claude Code and Codex both know): a hook that runs has no other way to show anything before it ends.
 */

const reviewing = "reflexion reviews the turn"

/**
 * `model` is the one that may be asked, null where none is.
 *
 * @category rendering
 */
export const text = (model: string | null = null): string =>
  model === null ? reviewing : `${reviewing}; it may ask ${model}`
