/** What is no claim although it has a claim's words: hopes, conditions, denials, plans, and what others said. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"

/** Not of now: what should be, or will be under a condition. */
const hypothetical = row(
  "should|would|could|will|may|might|once|if|when|until|unless|expect|to |before|ensure|sure|want me|let me|please|so that|?",
  /\b(?:should|would|could|will|may|might|once|if|when|until|unless|before|expect|to (?:be|make|verify|see|check)|make sure|ensures?|want me|let me|please|so that)\b|\?/i,
  "The tests should pass",
  "The tests pass"
)

const denied = row(
  "previous|earlier|no longer|yet|not|n't|never|unable|says|said|claim|reported|without",
  /\b(?:previous(?:ly)?|earlier|no longer|yet|not|cannot|never|unable|says|said|claim(?:s|ed)?|reportedly)\b|n't\b|\bwithout (?:running|having)\b/i,
  "The tests are not green",
  "The tests are green"
)

/** Nobody knows. */
const hearsay = row(
  "require|needed|necessary|whether|mention|likely|probabl|presum|unverified|untested|suppos|apparent|hopeful|assum|theory",
  /\b(?:requires?|required|needed|necessary|whether|mention(?:s|ed)|likely|probably|presumably|unverified|untested|supposed|apparently|hopefully|assum\w{1,4}|in theory)\b/i,
  "The template requires that the tests pass",
  "The tests pass"
)

/** Somebody else says so. */
const bySomeone = row(
  "you|they|he ",
  /\b(?:(?:you|they|s?he) (?:have|told|reported|confirmed|ran|said|saw|see|looked|noted|checked|pasted|sent|showed|wrote|got)|(?:as|what) you)\b/i,
  "With what you saw, the tests pass",
  "You can merge: the tests pass"
)

const byReport = row(
  "your |according|per ",
  /\b(?:your (?:word|run|message|log|output|report|screenshot)|according to|per (?:your|the (?:user|report)))\b/i,
  "According to your log the tests pass",
  "In your branch the tests pass"
)

/** A step that is still to be taken, or one of a list. */
const ordered = row(
  "verify|ensure|check|confirm|run|write|add|update|make|create|fix|⏳|☐|⬜|🔲|🚧|🔜",
  /^[✅✓✔☑\s]{0,4}(?:verify|ensure|check|confirm|run|write|add|update|make|create|fix) (?!passed|succeeded|was|is|suite)|^(?:⏳|☐|⬜|🔲|🚧|🔜)|\bmake (?:\w{1,8} )?\w{1,8} pass\b/iu,
  "Verify that lint passes",
  "Lint passes"
)

const past = row(
  "was|were|used to|had been",
  /\b(?:was|were|used to|had been)\b/i,
  "The tests were green",
  "The tests are green"
)

/** The text itself says when that was. */
export const dated = row(
  "before|prior|since then|earlier|vorher|vor der|avant|antes",
  /\b(?:(?:was|were|ran|run) (?:\w{1,10} )?before|before (?:the|that|this|my|i)\b|prior to|since then|earlier (?:run|today)|vorher|vor der|avant|antes)\b/i,
  "that was before the last change",
  "the tests were green"
)

const partly = row(
  "none|some|most|nearly|almost|all but|except|but|apart|other than",
  /\b(?:none of|some|most|nearly|almost|all but|except|but|apart from|other than)\b/i,
  "Nearly all tests pass",
  "All tests pass"
)

/** What a program or a change makes of it, and what is handed to a program. */
const caused = row(
  "mak|let|pass",
  /\b(?:mak(?:es?|ing)|lets?) (?:\w{1,10} ){0,2}\w{1,10} (?:pass|succeed|compile|build)\b|\bpass(?:es|ed|ing)? …(?! (?:pass|ok|clean))/i,
  "retry() makes the build succeed",
  "The build succeeds"
)

/** What comes after it, whenever it does. */
const whenever = row(
  "after|as soon as|whenever|every time|each time",
  /\b(?:after|as soon as|whenever|every time|each time) (?:the |all |an? )?\w{2,12} (?:succeeds?|pass(?:es)?|is|are)\b/i,
  "After the build succeeds, the script deploys",
  "After the fix the build succeeds"
)

/** Of a state: any of them takes it back. */
export const unsure: ReadonlyArray<Row> = [
  caused,
  whenever,
  hypothetical,
  denied,
  hearsay,
  bySomeone,
  byReport,
  ordered,
  past,
  partly
]

/** Of a deed: what stands before it. */
export const undone: ReadonlyArray<Row> = [
  row(
    "should|would|could|will|may|might|can|if|when|unless|until|must|'ll|?|whether|where|after",
    /\b(?:should|would|could|will|may|might|can|if|when|unless|until|must|after an?|where|whether)\b|'ll\b|\?/i,
    "Once you agree, I will have",
    "Then I"
  ),
  row(
    "want me|let me|please|need|plan|going|expect|sure|ensure|recommend|suggest|assum",
    /\b(?:want me|let me|please|needs? to|plan|going to|expect|make sure|ensure|recommend|suggest|assum\w{1,4})\b/i,
    "Please check what I",
    "Then I"
  ),
  row(
    "previous|earlier|not|n't|never|unable|says|said|instead|rather|nothing|no |without|already|last ",
    /\b(?:previous(?:ly)?|earlier|not|cannot|never|unable|says|said|instead of|rather than|nothing|no (?:longer|tests?)|without|already|last (?:session|time|week|turn))\b|n't\b/i,
    "I have not",
    "I have"
  ),
  row(
    "you|they|he|upstream|author|user|team|review|subagent|maintain|who|which|someone|colleague",
    /\b(?:you|they|s?he|upstream|the (?:original )?(?:author|user|team|reviewer|subagent)|maintainers?|who|which|someone|colleagues?)\b/i,
    "The pull request that you",
    "The pull request that I"
  )
]

/** A part of a sentence that begins with one of these holds for what comes behind it as well. */
const condition =
  /^(?:if|once|when|until|unless|after|before|assuming|provided|as soon as|todo|plan|goal|next|expected|suppose|imagine|then)\b/i

/** Where a sentence may change its mind. */
const joints: ReadonlyArray<RegExp> = [
  /;\s|\s[—–]\s|\s--\s|(?<=\w \w{1,20} \w{1,20} \w{1,20}):\s(?=\S)/,
  /,\s(?=(?:and|but|so|while|although|though|however)\s)/,
  /,\s(?=(?:I|CI|the (?:build|tests?|linter|suite|type)|all|it|everything)\b)|\sand\s(?=(?:I|I've|CI)\b)/
]

/** The parts of a sentence that can be true or not by themselves. */
export const partsOf = (sentence: string): ReadonlyArray<string> => {
  if (condition.test(sentence)) return [sentence]
  const parts = joints.reduce<ReadonlyArray<string>>(
    (all, joint) => all.flatMap((part) => part.split(joint)),
    [sentence]
  )
  return parts.map((part) => part.trim()).filter((part) => part !== "")
}

/** "`npm run build` builds the project": what a command is for. */
const describes =
  /`[^`]{2,120}` (?:runs?|builds?|starts?|checks?|lints?|tests?|executes?|installs?|deploys?|compiles?) (?!clean|green|fine|ok\b|through|without|success|in \d|and (?:pass|succe))/i

/** Words in code marks that are a sentence are a name or somebody's words: `the build passes`. */
const quotedWords = /`(?:the|all|it|should|when|an?|returns?|throws?|does|has|is) [^`]{2,120}`/gi

/** An open box claims nothing, a ticked one what stands behind it; what stands in quotation marks is somebody's words. */
export const ownWords = (sentence: string): string | null => {
  if (/^\[ ?\]/.test(sentence) || sentence.trimEnd().endsWith("?") || describes.test(sentence)) return null
  return sentence
    .replaceAll(quotedWords, "…")
    .replace(/^\[x\]\s?/i, "")
    .replaceAll(/"[^"]{3,200}"|“[^”]{3,200}”|«[^»]{3,200}»|„[^“”]{3,200}[“”]/g, "…")
    .slice(0, 400)
}

/** Names in a text say nothing by their parts: `no-console`, `if`. */
export const withoutCode = (text: string): string =>
  text.includes("`") ? text.replaceAll(/`[^`]{1,200}`/g, "…") : text

export const isUnsure = (part: string): boolean => takes(unsure, withoutCode(part))
