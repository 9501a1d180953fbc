/** Words for actions that cannot be undone, or that reach other people. */
export const danger =
  /\b(?:breaking (?:\w+ )?(?:change|release|upgrade)|(?:break|change)s? (?:the )?(?:public|existing|all|every|clients?|callers?|users?|v\d)|major version|incompatib|destructive|downtime|force[- ]push|irreversibl|permanent|unpublish|terraform destroy|rm -rf \W?[/~$]|(?:can(?:no|')t|can ?not|never) be (?:undone|restored|recovered|reverted|taken back)|(?:drop|delet|destroy|purg|overwrit|truncat|wip|eras|rewrit|reset|rotat)\w* (?:\S+ ){0,3}(?:tables?|columns?|rows?|data\w*|db|branch\S*|history|volumes?|buckets?|disks?|users?|accounts?|tenants?|keys?|files?|production|prod)\b|los(?:es?|ing) data)/i

/** Whether a sentence speaks of doing such a thing, rather than of code about it. */
export const isRisky = (text: string): boolean =>
  danger.test(text) && !/\b(?:fix|tests?|revert|avoid|document|mention|add)\b/i.test(text)

/** What reaches other people or running systems, or cannot be taken back. */
export const outward =
  /\b(?:i(?:'ll| will)?|to|and)\s(?:(?:now|also|then|just|directly)\s){0,2}(?:deploy|publish|release|roll (?:it |this )?(?:out|back)|send|e?-?mail|notify|post|pay|charge|refund|rotate|revoke|restart|reboot|shut ?down|stop|kill|terminate|reset (?!button|state)|migrate the \w*(?:data|db|schema)|merge [^?]{0,40}\b(?:main|master|trunk))\b|\b(?:run|apply|execute|start|trigger|proceed with|continue with|go ahead with) (?:\w+ ){0,3}(?:migrations?|deploy(?:ment)?|release|rollout|backfill)\b|\b(?:on|in|to|into|against|from) (?:the |live )?prod(?:uction)?\b(?! (?:mode|build|bundle))|\bproduction (?:data|db|server|system|cluster|environment)|\bgit reset\b|--hard\b/i
