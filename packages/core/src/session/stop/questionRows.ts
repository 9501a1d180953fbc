/** How an agent asks, offers and lets choose: short rows, each with a sentence that it takes and one that it must not. */
import { type Row, row } from "../../ground/text/Rows.ts"

/** Leave for a step of the agent's own. */
export const offers: ReadonlyArray<Row> = [
  row(
    "i",
    /\b(?:should|shall|can|may|could) i\b|\bmind if i\b|\bok(?:ay)? if i\b/i,
    "Should I run it?",
    "Should it run?"
  ),
  row(
    "want|like|happy",
    /\b(?:(?:want|like) me to|would you like|happy (?:for me )?to)\b|^want (?!to\b)/i,
    "Want me to run it?",
    "Do you want tabs?"
  ),
  row(
    "ready|worth|let me know if|fine|ok",
    /\b(?:ready (?:to|for)|worth (?:it|doing|adding|an?)\b|let me know if|(?:fine|ok(?:ay)?) (?:for me )?(?:if|to))\b/i,
    "Ready to merge?",
    "Is it ready?"
  )
]

/** A plan or a set of findings that the user has yet to agree to. */
export const plans: ReadonlyArray<Row> = [
  row(
    "ahead|proceed|approach|plan|proposal|design|direction|recommendation|of these|of them|of those",
    /\b(?:go ahead|proceed|(?:this|that|the|my|an?) (?:\w+ )?(?:approach|plan|proposal|design|direction|recommendation)|(?:one|any|which|all)(?: \w+)? of (?:these|them|those))\b/i,
    "Should I go ahead with this plan?",
    "Should I plan it?"
  )
]

/** An extra that nobody asked for: the work it follows is done. */
export const extras: ReadonlyArray<Row> = [
  row(
    "as well|also|too|further|else|more|any |deeper|follow",
    /\b(?:as well|also|too|further|anything else|more|any (?:specific|other)|deeper|follow-?up)\b/i,
    "Want me to add a test, too?",
    "Should I add the test?"
  ),
  row(
    "commit|merge|push|pr|next|ticket|issue|move on",
    /\b(?:commit|merge|push|open (?:a|the) pr|next (?:one|pr|item|ticket|issue|step)|(?:file|create) an? (?:\w+ )?(?:ticket|issue)|move on)\b/i,
    "Should I push it?",
    "Should I issue a warning?"
  )
]

/** Consent before something is gone. */
export const consents: ReadonlyArray<Row> = [
  row(
    "are you sure|delete|drop|destroy|wipe|purge|erase|overwrite|discard",
    /\bare you sure\b|\b(?:should|shall|can|may|me to|ok(?:ay)? to) (?:\w+ ){0,2}(?:delete|drop|destroy|wipe|purge|erase|overwrite|discard)\b/i,
    "Shall I delete it?",
    "Who can say why the drop is there?"
  )
]

/** Leave for no more than to go on: what with stands before it. */
export const goesOn: ReadonlyArray<Row> = [
  row(
    "proceed|continue|go ",
    /\b(?:proceed|continue|go (?:ahead|on))(?: anyway| with (?:it|this|that))?\W{1,3}$/i,
    "Shall I proceed?",
    "Shall I proceed with the tests?"
  )
]

/** One thing or another, not one thing or none. */
export const either: ReadonlyArray<Row> = [
  row(
    "or ",
    /\bor (?!not\b|so\b|more\b|others?\b|(?:some|any)thing\b|leave\b|skip\b|stop\b|wait\b|later\b|just\b)/i,
    "Should I round half up or half even?",
    "Should I add it or not?"
  )
]

/** Options that the user is to choose from. */
export const picks: ReadonlyArray<Row> = [
  row(
    "pick|choose|select|decide",
    /^(?:(?:so|now|please)[,:]? )?(?:pick|choose|select|decide) (?:one\b|between|from (?:these|the following)|an? (?:option|number)|which|what|\W?[a-d1-9]\W?(?:,| or |\/))/i,
    "Pick one: half up or half even.",
    "Choose a file in the menu."
  ),
  row(
    "reply|respond|answer",
    /^(?:please |just |you (?:can|may) )?(?:reply|respond|answer) (?:with|by) (?:\w+ing )?(?:(?:the|your|an?) )?(?:\W?[a-d1-9](?=\W*$|[).,/]| or\b)|option|letter|number|choice)/i,
    "Reply with the option's letter.",
    "Reply with a status."
  ),
  row(
    "let me know|tell me",
    /^(?:let me know|tell me) (?:which|what|how)\b[^.?!]{0,160}:$/i,
    "Let me know which you prefer:",
    "Tell me what you think."
  )
]

/** An offer that needs no question mark. */
export const stated: ReadonlyArray<Row> = [
  row(
    "say the word|let me know if|ready to",
    /\bsay the word\b|\blet me know if (?:i should|you(?:'d| would)? (?:like|want)(?: me)? to)\b|^ready to \w+\b[^.?!]{0,60}\b(?:when|whenever|once|if) you\b/i,
    "Let me know if you want me to continue.",
    "Let me know if you have questions."
  ),
  row(
    "i can&if you",
    /\bi can (?:\w+ ){1,6}if you(?:'d| would)? (?:like|want)\b/i,
    "I can add a test if you like.",
    "I can see if you are there."
  )
]

/** What is there for the asking. */
export const forTheAsking: ReadonlyArray<Row> = [
  row(
    "tell me|say so|let me know|if you",
    /\b(?:(?:tell me|say so|let me know) and|if you(?:'d| would)? (?:like|want|wish)\b[^.?!]{0,40}) i(?:'ll| will| can| could)\b/i,
    "Just tell me and I'll do it.",
    "Tell me and the others."
  ),
  row(
    "if you|when you|whenever you|once you",
    /\b(?:i(?:'ll| will| can| could)|(?:happy|glad|ready) to)\b[^.?!]{1,160}\b(?:if|when(?:ever)?|once) you(?:'d| would)? (?:like|want|wish|say so)\b/i,
    "I'm happy to do it if you want.",
    "I'm happy to report success."
  )
]
