/** Which open items only a human can do. */
const onlyHuman: ReadonlyArray<readonly [kind: string, pattern: RegExp]> = [
  [
    "consent",
    /\b(?:oauth|consent screen|grant (?:access|permission|consent)|authori[sz]e (?:the |this |your )?(?:app|application|access|device|account)|accept (?:[\w']{1,20} ){1,3}(?:terms|licen[cs]e|invitation|agreement))\b/i
  ],
  [
    "login",
    /\b(?:(?:log|sign)[ -]?in\b|authenticate (?:with|to|in|via|yourself)|(?:gh|aws|gcloud|az|npm|docker|vercel|fly|heroku|firebase|wrangler) (?:auth |sso )?login\b|re-?authenticate)/i
  ],
  [
    "second factor",
    /\b(?:2fa|two-factor|mfa|one-time (?:code|password|pin)|otp|verification code|authenticator app|security key|yubikey)\b/i
  ],
  ["captcha", /\bcaptcha\b/i],
  [
    "credentials",
    /\b(?:(?:api|access|secret|private|signing|licen[cs]e|deploy)[ -]?(?:keys?|tokens?)|credentials?|passwords?|passphrases?|client secrets?|secrets?|tokens?|service account|certificates?)\b|\b[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){0,6}_(?:KEY|TOKEN|SECRET|PASSWORD)\b|\b(?:create|generate|provide|request) (?:a|an|the|your) (?:\w+ )?key\b/i
  ],
  ["approval", /\b(?:approv(?:e|al|als)|sign[- ]off|review(?:er)? approval|legal|security review|permission from)\b/i],
  [
    "payment",
    /\b(?:payments?|billing|credit card|subscri(?:be|ption)|upgrade (?:the |your )?plan|purchase|invoice|quota increase)\b/i
  ],
  [
    "upload",
    /\b(?:upload|attach|submit)\b[^.?!]{0,60}\b(?:app store|play store|portal|dashboard|console|form|store|website)\b/i
  ],
  [
    "access",
    /\b(?:admin(?:istrator)? rights?|(?:write |read |admin |production )?access to|privileges?|permissions? (?:to|on|for))\b/i
  ],
  [
    "mailbox",
    /\b(?:verification|confirmation|activation) (?:e-?mail|link|message)\b|\byour (?:mailbox|inbox|e-?mail)\b/i
  ],
  [
    "device",
    /\b(?:physical(?:ly)?|plug in|(?:your|a real|the) (?:device|phone|handset|printer|board|usb)|scan the qr|press the button|sudo password|fingerprint)\b/i
  ],
  [
    "external settings",
    /\b(?:dns (?:records?|registrar)|domain registrar|repository settings|branch protection|org(?:anization)? (?:admin|owner|settings)|admin (?:access|rights|console|panel))\b/i
  ]
]

/**
 * What kind of act an item needs that only a human can do, or null if the agent can do it.
 *
 * @category predicates
 */
export const needsHuman = (item: string): string | null => {
  const text = item.slice(0, 2000)
  return onlyHuman.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

const blocked =
  /\b(?:(?:you(?:'ll| will)? (?:need|have) to|you must|please (?:provide|set|add|create|log|sign|approve|authori[sz]e|grant|complete|enter|export|configure|supply|share|upload|open|click|run|use|do|plug|connect|enable|accept|send)|is blocked\b|needs? to (?:approve|review|grant|sign)|requires? (?:your|you|a (?:human|one-time|payment|credit)|manual|an? (?:admin|owner|approv\w{1,5}|authenticator))|i (?:need|require) (?:you|your|the|an?|access)|(?:cannot|can't) (?:proceed|continue|be done|go further|deploy|publish|finish) (?:without|until)|blocked (?:on|by|until)|waiting (?:for|on) (?:you|your|an?)|once you(?:'ve| have)?|until you|send me|has to grant|someone with|manual(?:ly)? (?:step|action|approval|intervention)|needs? (?:you\b|your|a (?:human|payment|credit)|manual|an? admin)|only you can|is (?:not set|missing|required)|could you (?:provide|share|log|sign|approve|add|create))\b)/i

const lacks = /\bi (?:can't|can ?not|am unable to|do(?:n't| not) have|lack)\b/i

/** The agent itself says that it cannot do it. */
const unable =
  /\b(?:(?:cannot|can't) (?:proceed|continue|be done|go further|deploy|publish|finish)|blocked|requires?|needs?|refused|denied|not (?:set|verified|logged in|authori[sz]ed)|missing|expired|logged out|40[13])\b/i

/**
 * Whether a final text says that something stands in the agent's way, rather than naming a step for later.
 *
 * @category predicates
 */
export const isBlocked = (sentences: ReadonlyArray<string>): boolean =>
  sentences.some((sentence) => lacks.test(sentence.slice(0, 600)) || unable.test(sentence.slice(0, 600)))

/** Advice for another day is nothing that the agent cannot go on without. */
const advises =
  /\b(?:worth (?:an?|the|running|doing|having|adding|checking|a look)\b|you (?:may|might) (?:want|wish|like) to|optional(?:ly)?\b|recommend|consider \w+ing\b|nice to have|when convenient)/i

/**
 * Open items found in sentences of a final text: what the agent says that it cannot go on without.
 *
 * @category accessors
 */
export const openItems = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentences
    .filter(
      (sentence, index) =>
        (lacks.test(sentence.slice(0, 600)) || blocked.test(sentence.slice(0, 600))) &&
        !advises.test(sentence.slice(0, 600)) &&
        needsHuman(`${index > 0 ? sentences[index - 1] : ""} ${sentence}`) !== null
    )
    .map((sentence) => sentence.slice(0, 200))
    .slice(0, 8)
