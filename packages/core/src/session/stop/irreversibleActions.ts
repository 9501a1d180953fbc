/** Actions that cannot be undone, or that reach other people. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"

const dangers: ReadonlyArray<Row> = [
  row(
    "drop|delet|destroy|purg|overwrit|truncat|wip|eras|rewrit|reset",
    /\b(?:drop|delet|destroy|purg|overwrit|truncat|wip|eras|rewrit|reset)\w* (?:\S+ ){0,3}(?:tables?|columns?|rows?|data\w*|branch\S*|history|volumes?|buckets?|users?|accounts?|files?|prod\w*)\b/i,
    "drop the users table",
    "drop the argument"
  ),
  row(
    "force|irreversibl|destructive|permanent|downtime|rm -rf|terraform destroy|be undone|be restored|losing data",
    /\b(?:force[- ]push|irreversibl|destructive|permanent|downtime|rm -rf|terraform destroy|be (?:undone|restored)|losing data)/i,
    "this cannot be undone",
    "the button undoes it"
  ),
  row(
    "break|change|major version|incompatib",
    /\b(?:breaking (?:\w+ )?(?:change|release|upgrade)|(?:break|change)s? (?:the )?(?:public|existing|clients?|users?|v\d)|major version|incompatib)/i,
    "this breaks existing clients",
    "the line breaks"
  )
]

/** Whether a sentence names something that cannot be taken back. */
export const isDanger = (text: string): boolean => takes(dangers, text)

/** Whether a sentence speaks of doing such a thing, rather than of code about it. */
export const isRisky = (text: string): boolean =>
  isDanger(text) && !/\b(?:fix|tests?|revert|avoid|document|mention|add)\b/i.test(text)

const outward: ReadonlyArray<Row> = [
  row(
    "deploy|publish|release|roll|send|mail|notify|post|pay|charge|refund|revoke|rotate|restart|reboot|shut|kill",
    /\b(?:i|to|and) (?:(?:now|also|then|just) ){0,2}(?:deploy|publish|release|roll (?:out|back)|send|e?-?mail|notify|post|pay|charge|refund|revoke|rotate|restart|reboot|shut ?down|kill)\b/i,
    "should I publish it",
    "the post that I wrote"
  ),
  row(
    "migration|deploy|rollout|release|backfill",
    /\b(?:run|apply|execute|start|proceed with|go ahead with) (?:\w+ ){0,3}(?:migrations?|deploy(?:ment)?|rollout|release|backfill)\b/i,
    "apply the migration",
    "write the migration"
  ),
  row(
    "prod",
    /\b(?:on|in|to|into|against|from) (?:the |live )?prod(?:uction)?\b(?! (?:mode|build|bundle))|\bproduction (?:data|db|server|system|cluster)/i,
    "run it on production",
    "in production mode"
  ),
  row(
    "merge&main|master|trunk",
    /\bmerge [^?]{0,40}\b(?:main|master|trunk)\b/i,
    "merge it into main",
    "merge the two lists"
  ),
  row("git reset|--hard", /\bgit reset\b|--hard\b/i, "git reset --hard", "reset the counter")
]

/** Whether a text speaks of what reaches other people or running systems, or cannot be taken back. */
export const isOutward = (text: string): boolean => takes(outward, text)
