/**
 * How an agent says that it goes on after the user, or that something stands in its way: short rows, each with a sentence
 * that it takes and one that it must not.
 */
import { type Row, row } from "../../ground/text/Rows.ts"

/** The user's word or thing comes first. */
export const waits: ReadonlyArray<Row> = [
  row(
    "wait|hold|paus|block|stop",
    /(?:^|\bi(?:'m| am|'ll| will|'ve|) (?:now |still )?)(?:await|wait|hold|paus|block|stop)\w*\b[^.?!;]{0,80} you(?:r|'ve)?\b/i,
    "I'm waiting for your choice.",
    "It waits for your input."
  ),
  row(
    "need",
    /\bneeds? (?:your\b|you to (?!run|try|test|check|verify|review))|\bi(?:'ll| will)? need to know\b/i,
    "It needs your sign-off.",
    "You need to know it."
  ),
  row(
    "from you",
    /^(?!no)[^.?!]{0,80}\b(?:need(?:ed|s)?|without|until|for|missing|required|decision)\b[^.?!]{0,80}\bfrom your?\b(?!.{0,20}\b(?:nothing|none)\b)/i,
    "Needed from you: the address.",
    "Needed from you: nothing."
  ),
  row(
    "need",
    /\bi(?:'ll|'d)? need (?!to\b)[^.?!]{1,80} to (?:go on|continue|proceed|finish)\b|^(?:to|before i can) (?:go on|continue|proceed|finish),? i(?:'ll|'d)? need (?!to\b)/i,
    "To proceed I need the address.",
    "To proceed I need to build it."
  ),
  row(
    "let me know|tell me",
    /\b(?:let me know|tell me) (?:which (?!tests?\b)|where\b|who\b|whether (?:i|to|we|you)\b|(?:what|how) (?:to|i|we|you(?:'d| would)? (?:want|like|prefer))\b)/i,
    "Let me know which one to take.",
    "Let me know what you see."
  ),
  row(
    "your |up to you|on you",
    /(?:^|[,:;-] |\b(?:is|but|that's) )(?:your (?:call|choice|pick|decision|turn|approval|answer)|up to you)(?![\w' -]{0,30} (?:says|in)\b)|\b(?:depends|hinges) on you/i,
    "The rest is your call.",
    "Skipped per your decision."
  ),
  row(
    "confirm|approve|decide|specify|clarify",
    /(?:^|\bplease )(?:confirm|approve|decide|specify|clarify)(?! (?:that )?(?:it|the)\b)(?:[.:]|$| )/i,
    "Please confirm that I may drop it.",
    "Please confirm that it works."
  ),
  row(
    "please",
    /\bplease (?:re-?)?(?:send|share|paste|provide|upload|attach|give|add|put|set|drop|grant|open|start|reply|answer|say|tell me|choose|pick|point)\b/i,
    "Please share the file.",
    "Please run the tests."
  ),
  row(
    "send|share|paste|provide|give|add|put|drop|start|reply|answer|type|say",
    /^(?:then |now )?(?:re-?)?(?:send|share|paste|provide|give|add|put|drop|start|reply|answer|type|say(?! the word))\b[^?!]{1,160}\b(?:i(?:'ll| will| can)|and i|to (?:confirm|continue))\b/i,
    "Paste the log and I'll read it.",
    "Add the log to see it."
  ),
  row(
    "not sure|unclear|don't know&you",
    /\b(?:not sure|unclear|don't know) (?:which|what|whether|how)\b[^.?!]{1,60}\byou\b/i,
    "I'm not sure which one you mean.",
    "It is unclear which one failed."
  )
]

/** The user's leave comes first, or the user. */
export const leave: ReadonlyArray<Row> = [
  row(
    "i&once|when|after|as soon as|until|unless&you",
    /\bi(?:'ll| will| can| won't|'m| am) (?!leave|keep|also)[^.?!]{1,160}\b(?:once|when|after|as soon as|until|unless) you(?:'ve)? (?!want|like|need|wish|run|deploy|review)\w/i,
    "I'll finish it when you've sent the file.",
    "I'll add it when you want."
  ),
  row(
    "once|when|after|as soon as|until&you&i",
    /^(?:[\w ]{1,20} )?(?:once|when|after|as soon as|until) you(?:'ve)? (?!want|like|need|run|deploy)[^.?!]{1,160}\bi(?:'ll| will| can)\b/i,
    "Once you send the file I'll finish it.",
    "When you run it, I'll be gone."
  ),
  row(
    "you&before i",
    /\byou\b[^.?!]{1,120}\bbefore i\b/i,
    "You have to merge it before I can go on.",
    "You asked for it."
  ),
  row(
    "your|explicit&approv|confirm|consent|permission|go-ahead|go ahead|sign-off|ok|yes|word|signal",
    /\b(?:without|with|on|pending|for|like|want) (?:your|(?:an )?explicit)(?: explicit)? (?:approval|consent|confirmation|permission|go[- ]ahead|sign-off|ok(?:ay)?|yes|word|signal)\b/i,
    "I'd like your go-ahead first.",
    "I read your approval."
  )
]

/** Addressed to the user: a wait where it needs a person. */
export const bids: ReadonlyArray<Row> = [
  row(
    "you|please",
    /\b(?:please|(?:can|could|will) you|need you to|you(?:'d| would) (?:need|have) to|(?:once|when|after|as soon as|until) you|on your (?:side|end)|over to you)\b/i,
    "You'd have to log in.",
    "As you can see, you log in."
  )
]

/** An order to anybody, and what comes then: a wait where it needs a person. */
export const orders: ReadonlyArray<Row> = [
  row(
    "run|type|enter|accept|complete|finish|log|sign|open|approve|unlock|put",
    /(?:^|[,:;] |\byou(?:'ll)? (?:need|have) to |now )(?:run|type|enter|accept|complete|finish|log|sign|open|approve|unlock|put)\b[^?!]{1,160}\b(?:let me know|tell me|then say|(?:and|then|before) i|i'll)\b/i,
    "Now enter the code, then I'll push.",
    "Now enter the code."
  )
]

/** What keeps the agent from going on, in its own words. */
export const blocks: ReadonlyArray<Row> = [
  row(
    "blocked|stuck",
    /^blocked(?: by| on| until|:)|\bi(?:'m| am) (?:still |now |currently )?(?:blocked|stuck)\b/i,
    "I'm blocked by the proxy.",
    "The proxy blocked it."
  ),
  row(
    "can|could|am|was&because|without|until|since|here|in this",
    /\b(?:i|tests?|suite) (?:can|could|am|was) ?(?:'t|n't|not|unable to) (?:be )?(?:run|continue|proceed|get|finish|start|reach|push|build)\b[^.?!]{0,99}\b(?:because|without|until|since|here|in this)\b/i,
    "The tests can't run because there is no Docker.",
    "I couldn't reuse it because it is private."
  ),
  row(
    "so &can|could|am|was",
    /\bso (?:i|it|they|the tests?) (?:can|could|am|was) ?(?:'t|n't|not|unable to) (?:be )?(?:re)?(?:run|continue|proceed|get|finish|start|reach|push|build|test|install)\b/i,
    "There is no Docker here, so I can't run them.",
    "They share a file, so they can't be parallel."
  ),
  row("only you", /\bonly you (?:can|have|know)\b/i, "Only you have the key.", "Only your key works."),
  row(
    "need|require&not|n't",
    /\b(?:requires?|needs?) [^.?!]{1,80}\b(?:i (?:don't|do not) have|(?:does not|doesn't) exist|is(?: not|n't) (?:available|running|reachable|installed))\b/i,
    "The suite needs Redis, which is not running.",
    "It needs a guard."
  )
]

/** What the agent could not do, and what it can do when it is given something: two sentences together. */
export const onGiving = row(
  "can|could|unable&if you",
  /\bi (?:can(?:not|'t| not)|could(?: not|n't)|am unable to)\b.{1,300}\bif you (?:can |could )?(?:provide|give|grant|share|send|enable|set up|open)\b.{1,200}\bi(?:'ll| will| can)\b/i,
  "I cannot run anything here. If you give me a shell, I can load them.",
  "It is done. If you give me more examples, I can add them."
)

/** "Please" in other languages. */
export const pleas: ReadonlyArray<Row> = [
  row("bitte", /\bbitte\b/i, "Bitte melde dich an.", "Sie bitten darum.", "de"),
  row("por favor", /\bpor favor\b/i, "Inicia sesión, por favor.", "Está a favor.", "es"),
  row("s'il", /\bs'il (?:vous|te)\b/i, "Connectez-vous, s'il vous plaît.", "S'il est là, c'est bon.", "fr"),
  row("ください", /ください/, "ログインしてください。", "ログインしました。", "ja"),
  row("请", /请/, "请先登录。", "已经登录。", "zh")
]
