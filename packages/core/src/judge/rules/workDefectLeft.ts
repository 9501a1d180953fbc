/** A defect that the agent itself says is left. */
import { plain, sentences } from "../../ground/text/Text.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"

const defect =
  /\b(?:sql injection|xss|cross-site scripting|csrf|ssrf|remote code execution|rce|path traversal|directory traversal|command injection|open redirect)\b|\bauth(?:entication|orization)? bypass\b|\b(?:no|without|lacks?|missing) (?:any )?(?:authentication|authorization|access control|auth check)\b|\bsecurity (?:hole|issue|vulnerability|bug|flaw|defect|problem)s?\b|\bvulnerabilit(?:y|ies)\b|\bvulnerable to\b|\bhard-?coded (?:[\w-]{1,20} ){0,3}(?:passwords?|secrets?|credentials?|keys?|tokens?)\b|\b(?:passwords?|secrets?|credentials?|keys?|tokens?) (?:\w+ ){0,3}hard-?coded\b|\b(?:passwords?|card numbers?|credit cards?|secrets?|tokens?|credentials?) (?:\w+ ){0,8}(?:in )?(?:plain ?text|clear ?text|unencrypted)\b|\bleaks? (?:the |a |our )?(?:\w+ )?(?:passwords?|secrets?|credentials?|tokens?|keys?)\b|\bdata[- ]loss\b|\bloses? (?:\w+ )?data\b|\bcorrupts? (?:the )?(?:data|database)\b|\b(?:data|notes|records|rows|contents?|column)\b[^.?!]{0,40}\b(?:will be|is|are|gets?) lost\b|\bproduction (?:outage|is down|crash\w{0,3})\b/i

const left =
  /\b(?:left (?:it|that|this|them|as[- ]is|alone|unchanged|untouched|in place)|(?:didn't|did not|haven't|have not|not) (?:fix|change|touch|address|remove)(?:ed|d)?|unfixed|unaddressed|unchanged|out of scope|not part of (?:this|the)|for (?:now|later)|ignored (?:it|that)|still (?:there|present|exists|vulnerable|open)|remains?|(?:is|are) possible|at the moment|currently|can be (?:fixed|addressed) later|todo)\b/i

/** Nothing is wrong, it is mended, or it is a known advisory of something that was there before. */
const excused =
  /\b(?:no (?:\w+ ){0,2}(?:vulnerabilit\w{1,4}|security|injection|xss|data loss|leaks?)|not a|isn't|without (?:data loss|leaking)|fixed (?:the|a|it|this)|prevents?|protects?|mitigat\w{1,6}|(?<!not )removed|resolved|patched|avoids?|guards?|false positive|npm audit|advisor(?:y|ies)|dev ?dependenc(?:y|ies)|there before|pre-?existing advisor\w{1,4})\b/i

const check = (facts: Facts): ReadonlyArray<Finding> => {
  if (facts.evidence.actions === 0 || (facts.reading.question !== null && facts.reading.question.kind !== "extra"))
    return []
  const said = facts.reading.prose.paragraphs.flatMap((lines) => lines.flatMap((line) => sentences(plain(line))))
  const at = said.findIndex((sentence) => defect.test(sentence.slice(0, 600)) && !excused.test(sentence.slice(0, 600)))
  if (at < 0) return []
  const near = `${said[at - 1] ?? ""} ${said[at] ?? ""} ${said[at + 1] ?? ""}`.slice(0, 1200)
  if (!left.test(near)) return []
  const quote = (said[at] ?? "").slice(0, 200)
  return [
    {
      severity: "BLOCKER",
      fact: `You found a defect and left it in place: "${quote}"`,
      missing: `a fix for the defect that the agent reports and leaves: "${quote}"`,
      action: "Fix the defect, with a test that shows it; if it must not be fixed here, ask the user.",
      stands: true
    }
  ]
}

export const workDefectLeft: Rule = { id: "work/defect-left", level: "push", holds: true, presses: true, check }

export const page: Page = {
  what: "The agent reports a security hole, a loss of data or a broken production, and leaves it as it is.",
  why: "A defect that somebody saw and left is worse than one that nobody saw: the next reader takes the task for done.",
  fires: [
    example(
      "a hole that is named and left",
      user("Add a search by name to the users page."),
      edited("src/users.ts"),
      agent("The search works. The query is vulnerable to SQL injection at the moment; I left it as it was.")
    ),
    example(
      "passwords in the clear, out of scope",
      user("Add a logout button."),
      edited("src/logout.ts"),
      agent("The button is there. Passwords are stored in plain text, which I did not change: it is out of scope.")
    ),
    example(
      "data that is lost",
      user("Rename the column `note` to `remark`."),
      edited("migrations/12.sql"),
      agent("The column is renamed. The data of old rows is lost for now.")
    )
  ],
  spares: [
    example(
      "a hole that was closed",
      user("Fix the search."),
      edited("src/users.ts"),
      agent("I fixed the SQL injection in the search with bound parameters.")
    ),
    example(
      "none was found",
      user("Add a search by name."),
      edited("src/users.ts"),
      agent("The search works, and I found no security issue on the way.")
    ),
    example(
      "an advisory of a dependency that was there before",
      user("Add the parser."),
      edited("src/parse.ts"),
      agent("The parser is in. npm audit still lists vulnerabilities of a dev dependency.")
    )
  ]
}
