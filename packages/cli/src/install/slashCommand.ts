/**
 * The file that makes `/reflection` known to Claude Code. Claude Code rejects unknown words after a slash before any
 * hook sees them.
 */

const mark = "The reflexion hook answers this command"

export const commandText = `---
description: Stop or start reflexion's review in this session, or print its status
argument-hint: stop | start | status | away | here | wrong | checks run|on|off | model on|off | done-when CONDITIONS
---

${mark} before a model sees it. If you are reading this, the hook did not run. Tell the user so in one sentence, and
that \`reflexion doctor claude-code\` says why. Do nothing else.
`

/** True if a text is ours, from this or another version. */
export const isCommandText = (text: string): boolean => text.includes(`\n${mark}`) && text.length < 2000
