/** What only a human can do, and whether an agent says that it cannot go on without it. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"

/** The kind of an act: a door that opens to a person alone, a thing that only its owner has, a right, a decision. */
export type HumanAct = "login" | "device" | "credentials" | "payment" | "access" | "approval"

const acts: ReadonlyArray<readonly [kind: HumanAct, row: Row]> = [
  [
    "login",
    row(
      "in|log-in|auth|consent screen",
      /\b(?:(?:log(?:ged)?|sign(?:ed)?)[ -]?in|oauth|consent screen|(?:re-?)?authenticate (?:with|to|in|via|yourself)|authori[sz]e (?:the|this|your) (?:app\w*|device|account))\b/i,
      "log in to the registry",
      "sign the commit"
    )
  ],
  [
    "login",
    row(
      "2fa|two-factor|mfa|otp|one-time|verification|authenticator|security key|captcha|accept",
      /\b(?:2fa|two-factor|mfa|otp|one-time (?:code|password)|verification (?:code|e-?mail|link)|authenticator|security key|captcha|accept (?:[\w']+ ){1,3}(?:terms|licen[cs]e|invitation))\b/i,
      "enter the 2fa code",
      "verify the code"
    )
  ],
  [
    "device",
    row(
      "device|phone|printer|board|usb|plug|fingerprint|qr code|sudo|keychain|passphrase|browser|prompt",
      /\b(?:(?:your|a real|the) (?:device|phone|printer|board|usb)|plug in|fingerprint|qr code|sudo|keychain|passphrase|your browser|browser (?:window|tab)|(?:device|browser|system) prompt)\b/i,
      "unlock your keychain",
      "the browser renders it"
    )
  ],
  [
    "credentials",
    row(
      "key|token|credential|password|secret|certificate|service account",
      /\b(?:(?:api|access|private|signing|licen[cs]e|deploy|ssh)[ -]?keys?|tokens?|credentials?|passwords?|secrets?|certificates?|service account)\b/i,
      "an api key",
      "the key of the map"
    )
  ],
  [
    "credentials",
    row(
      "_key|_token|_secret|_password",
      /\b[A-Z][A-Z0-9_]{0,60}_(?:KEY|TOKEN|SECRET|PASSWORD)\b/,
      "STRIPE_API_KEY",
      "map_key"
    )
  ],
  [
    "payment",
    row(
      "pay|billing|credit card|subscri|plan|purchase|quota",
      /\b(?:payments?|pay for|billing|credit card|subscri(?:be|ption)|upgrade (?:the |your )?plan|purchase|quota increase)\b/i,
      "upgrade your plan",
      "plan the upgrade"
    )
  ],
  [
    "access",
    row(
      "access to|admin|owner|permission|dns|registrar|settings|branch protection|store|portal",
      /\b(?:access to|admin(?:istrator)?|(?:org\w*|account) owner|permissions? (?:to|on|for)|dns records?|registrar|(?:repository|org\w*) settings|branch protection|(?:app|play) store|\w+ portal)\b/i,
      "write access to the repository",
      "access the field"
    )
  ],
  [
    "access",
    row(
      "upload",
      /\bupload(?:ed|ing)?\b[^.?!]{0,80}\b(?:by hand|manually|yourself|stores?|portal|console|dashboard)\b/i,
      "upload it to the store",
      "the upload handler"
    )
  ],
  [
    "approval",
    row(
      "approv|sign-off|sign off|permission from|legal",
      /\b(?:approv(?:e|als?)|sign[- ]off|permission from|legal)\b/i,
      "a maintainer has to approve it",
      "an approved list"
    )
  ]
]

/**
 * What kind of act an item needs that only a human can do, or null if the agent can do it.
 *
 * @category predicates
 */
export const needsHuman = (item: string): HumanAct | null => {
  const text = item.slice(0, 2000)
  return acts.find(([, { pattern }]) => pattern.test(text))?.[0] ?? null
}

/** Something stands in the way, in the agent's own words. */
const hinders: ReadonlyArray<Row> = [
  row(
    "i ",
    /\bi (?:can't|can ?not|am unable to|do(?:n't| not) have|lack)\b/i,
    "I don't have access",
    "it can't be null"
  ),
  row(
    "need|require|has to",
    /\b(?:i (?:need|require) (?!to\b)|(?:needs?|requires?) (?:your?|an? (?:human|admin|owner|maintainer)|manual|to approve)\b|has to (?:approve|grant|sign)\b)/i,
    "It needs your API key.",
    "I need to fix it."
  ),
  row(
    "by hand|manually|by you|by a",
    /\b(?:needs?|has|have|must) (?:to )?be \w{2,20}ed (?:by hand|manually|by (?:you|an? (?:human|person|admin|owner|maintainer)))\b/i,
    "The archive has to be uploaded by hand.",
    "It must be called by a test."
  ),
  row(
    "blocked|waiting|can|is |not |expired",
    /\b(?:blocked|waiting (?:for|on)|(?:cannot|can't) (?:proceed|continue|deploy|publish|finish)|is (?:missing|required|denied|refused)|not (?:set|logged in|authori[sz]ed)|expired)\b/i,
    "It is blocked by the review.",
    "The text blocks the view."
  )
]

/**
 * Whether a final text says that something stands in the agent's way, rather than naming a step for later.
 *
 * @category predicates
 */
export const isBlocked = (sentences: ReadonlyArray<string>): boolean =>
  sentences.some((sentence) => takes(hinders, sentence.slice(0, 600)))

/** What stands in the way, or the user has to do. */
const hinges: ReadonlyArray<Row> = [
  ...hinders,
  row(
    "you|please",
    /\b(?:you(?:'ll| will)? (?:need to|have to|must|get|receive|be (?:asked|prompted))|needs your|(?:once|until|only|could) you|please (?!note|see|find|let)[a-z]+)\b/i,
    "You need to log in.",
    "As you can see, it works."
  )
]

/** Advice for another day is nothing that the agent cannot go on without. */
const advice = /\b(?:worth|you (?:may|might) (?:want|wish|like) to|optional(?:ly)?|recommend|consider)\b/i

/** What is to be done once there is an occasion for it keeps the work from nothing. */
const occasions =
  /\b(?:if|when(?:ever)?|before|after|once|later|next time|in production|optional(?:ly)?|to (?:use|try|run|see|enable|start|test|deploy|publish))\b/i

/** What the user does when the agent is through keeps it from nothing. */
const afterwards = row(
  "i |i'm|i've",
  /\b(?:once|when|after|as soon as) i(?:'m| am|'ve| have)? (?:finish|done|through|complet|ready)/i,
  "Please approve the release once I finish.",
  "Once I have your key, I finish it."
).pattern

/**
 * Open items found in sentences of a final text: what the agent says that it cannot go on without.
 *
 * @category accessors
 */
export const openItems = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentences
    .filter((sentence, index) => {
      const said = sentence.slice(0, 600)
      return (
        takes(hinges, said) &&
        !advice.test(said) &&
        !afterwards.test(said) &&
        needsHuman(`${index > 0 ? sentences[index - 1] : ""} ${sentence}`) !== null
      )
    })
    .map((sentence) => sentence.slice(0, 200))
    .slice(0, 8)

/**
 * The act of a person's that the last sentence demands, without an occasion for it: work that ends so goes no further by itself.
 *
 * @category accessors
 */
export const demanded = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  openItems(sentences.slice(-2)).filter((item) => item === sentences.at(-1)?.slice(0, 200) && !occasions.test(item))
