/** Finds what only a person can do or allow, and whether the agent says that something stops it. */
import { matchesAny } from "../../base/text/Text.ts"

/** An act of a person: something that only a person has or can enter, a permission, or a decision. */
export type HumanAct = "login" | "device" | "credentials" | "payment" | "access" | "approval"

const acts: ReadonlyArray<readonly [kind: HumanAct, pattern: RegExp]> = [
  [
    "login",
    /\b(?:(?:log(?:ged)?|sign(?:ed)?)[ -]?in|oauth|consent screen|(?:re-?)?authenticate (?:with|to|in|via|yourself)|authori[sz]e (?:the|this|your) (?:app\w*|device|account))\b/i
  ],
  [
    "login",
    /\b(?:2fa|two-factor|mfa|otp|one-time (?:code|password)|verification (?:code|e-?mail|link)|authenticator|captcha|accept (?:[\w']+ ){1,3}(?:terms|licen[cs]e|invitation))\b/i
  ],
  [
    "device",
    /\b(?:(?:your|a real|the) (?:device|phone|printer|board|usb)|plug in|fingerprint|qr code|sudo|keychain|passphrase|security key|your browser|browser (?:window|tab)|system prompt)\b/i
  ],
  [
    "credentials",
    /\b(?:(?:api|access|private|signing|licen[cs]e|deploy|ssh)[ -]?keys?|tokens?|credentials?|passwords?|secrets?|certificates?|service account)\b|_(?:KEY|TOKEN|SECRET|PASSWORD)\b/i
  ],
  [
    "payment",
    /\b(?:payments?|pay for|billing|credit card|subscri(?:be|ption)|upgrade (?:the |your )?plan|purchase|quota increase)\b/i
  ],
  [
    "access",
    /\b(?:access to|admin(?:istrator)?|(?:org\w*|account) owner|permissions? (?:to|on|for)|dns records?|registrar|(?:repository|org\w*) settings|branch protection|\w+ portal)\b/i
  ],
  [
    "access",
    /\bupload(?:ed|ing)?\b[^.?!]{0,80}\b(?:by hand|manually|yourself|stores?|portal|console|dashboard)\b|\b(?:app|play) store\b/i
  ],
  ["approval", /\b(?:approv(?:e|als?)|sign[- ]off|permission from|legal)\b/i]
]

/**
 * Returns the kind of human act that an item needs. Null if the agent can do it.
 *
 * @category predicates
 */
export const needsHuman = (item: string): HumanAct | null => {
  const text = item.slice(0, 2000)
  return acts.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

export const needsPerson = (item: string): boolean => {
  const kind = needsHuman(item)
  return kind !== null && kind !== "approval"
}

/** The agent says that something stops it. */
const hinders: ReadonlyArray<RegExp> = [
  /\bi (?:can't|can ?not|am unable to|do(?:n't| not) have|lack|need (?!to\b)|require (?!to\b))\b/i,
  /\b(?:needs?|requires?) (?:your?|an? (?:human|admin|owner|maintainer)|manual|to approve)\b|\bhas to (?:approve|grant|sign)\b/i,
  /\b(?:needs?|has|have|must) (?:to )?be \w{2,20}ed (?:by hand|manually|by (?:you|an? (?:human|person|admin|owner|maintainer)))\b/i,
  /\b(?:blocked|waiting (?:for|on)|(?:cannot|can't) (?:proceed|continue|deploy|publish|finish)|is (?:missing|required|denied|refused)|not (?:set|logged in|authori[sz]ed)|expired)\b/i
]

const some = (patterns: ReadonlyArray<RegExp>, sentence: string): boolean =>
  matchesAny(patterns, sentence.slice(0, 600))

/**
 * True if a final text says that something stops the agent. A step for later does not count.
 *
 * @category predicates
 */
export const isBlocked = (sentences: ReadonlyArray<string>): boolean => sentences.some((said) => some(hinders, said))

const bids =
  /\b(?:you(?:'ll| will)? (?:need to|have to|must|get|receive|be (?:asked|prompted))|needs your|(?:once|until|only|could) you|please (?!note|see|find|let)[a-z]+)\b/i

/** Advice for another day, or steps after the agent has finished. Such advice does not stop the agent. */
const later =
  /\b(?:worth|you (?:may|might) (?:want|wish|like) to|optional(?:ly)?|recommend|consider)\b|\b(?:once|when|after|as soon as) i(?:'m| am|'ve| have)? (?:finish|done|through|complet|ready)/i

const occasions =
  /\b(?:if|when(?:ever)?|before|after|once|later|next time|in production|to (?:use|try|run|see|enable|start|test|deploy|publish))\b/i

/**
 * Returns the sentences about things that the agent needs and that only a person can do or allow.
 *
 * @category accessors
 */
export const openItems = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentences
    .filter((said, index) => {
      const around = `${index > 0 ? sentences[index - 1] : ""} ${said}`
      return some([...hinders, bids], said) && !later.test(said.slice(0, 600)) && needsHuman(around) !== null
    })
    .map((said) => said.slice(0, 200))
    .slice(0, 8)

/**
 * Returns the human act that the last sentence demands and does not postpone. Then the agent cannot continue alone.
 *
 * @category accessors
 */
export const demanded = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  openItems(sentences.slice(-2)).filter((item) => item === sentences.at(-1)?.slice(0, 200) && !occasions.test(item))

const dangers: ReadonlyArray<RegExp> = [
  /\b(?:drop|delet|destroy|purg|overwrit|truncat|wip|eras|rewrit|reset)\w* (?:\S+ ){0,3}(?:tables?|columns?|rows?|data\w*|branch\S*|history|volumes?|buckets?|users?|accounts?|files?|prod\w*)\b/i,
  /\b(?:force[- ]push|irreversibl|destructive|permanent|downtime|rm -rf|terraform destroy|be (?:undone|restored)|losing data)/i,
  /\b(?:breaking (?:\w+ )?(?:change|release|upgrade)|(?:break|change)s? (?:the )?(?:public|existing|clients?|users?|v\d)|major version|incompatib)/i
]

/** True if a sentence names something that cannot be undone. */
export const isDanger = (text: string): boolean => some(dangers, text)

/** True if a sentence is about doing something that cannot be undone, and not about writing code for it. */
export const isRisky = (text: string): boolean =>
  isDanger(text) && !/\b(?:fix|tests?|revert|avoid|document|mention|add)\b/i.test(text)

const outward: ReadonlyArray<RegExp> = [
  /\b(?:i|to|and) (?:(?:now|also|then|just) ){0,2}(?:deploy|publish|release|roll (?:out|back)|send|e?-?mail|notify|post|pay|charge|refund|revoke|rotate|restart|reboot|shut ?down|kill)\b/i,
  /\b(?:run|apply|execute|start|(?:proceed|go ahead) with) (?:\w+ ){0,3}(?:migrations?|deploy(?:ment)?|rollout|release|backfill)\b/i,
  /\b(?:on|in|to|into|against|from) (?:the |live )?prod(?:uction)?\b(?! (?:mode|build|bundle))|\bproduction (?:data|db|server|system|cluster)/i,
  /\bmerge [^?]{0,40}\b(?:main|master|trunk)\b|\bgit reset\b|--hard\b/i
]

/** True if a text is about something that reaches other people or running systems. */
export const isOutward = (text: string): boolean => some(outward, text)
