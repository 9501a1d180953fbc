/**
 * How a person orders a check or what is to be delivered: short rows, each with a text that it takes and one that it must
 * not. They read a clause from its first word on, in which code spans stand as `` `0` ``, `` `1` `` and so on.
 */
import { type Row, row } from "../../ground/text/Rows.ts"

export interface GateRow extends Row {
  readonly gate: string
}

const gateRow = (gate: string, ...rest: Parameters<typeof row>): GateRow => ({ gate, ...row(...rest) })

/** What is run, or has to succeed: the name of a check and nothing else. */
export const things: ReadonlyArray<GateRow> = [
  gateRow(
    "tests",
    "test|spec|suite|jest",
    /^(?:(?!(?:no|not|but|than|whether|if|how|why)\b)[\w-]+ ){0,4}(?:tests?|suite|specs?|test-suite|test:[\w:-]{1,30}|pytest|jest|vitest)(?: (?:errors?|failures?))?$/i,
    "all the unit tests",
    "the test data"
  ),
  gateRow(
    "build",
    "build|compil",
    /^(?:(?:the|a|our|full|broken|failing|project|production|release) ){0,4}(?:build|compilation)(?: (?:errors?|failures?|warnings?))?$/i,
    "the production build",
    "the build script"
  ),
  gateRow(
    "typecheck",
    "type|tsc|mypy|pyright",
    /^(?:(?:the|a|all|any|our|those) ){0,3}(?:type[ -]?check(?:er|ing|s)?|type(?:script)? errors?|types|tsc|mypy|pyright)$/i,
    "all type errors",
    "the type of the id"
  ),
  gateRow(
    "lint",
    "lint|ruff|clippy",
    /^(?:(?:the|a|all|any|our|those|go) ){0,3}(?:(?:es|golangci-)?lint(?:ers?|ing|s)?|ruff|clippy)(?: (?:errors?|issues?|warnings?|failures?|checks?))?$/i,
    "the eslint warnings",
    "the lint config"
  ),
  gateRow(
    "ci",
    "ci|pipeline|actions|checks|workflow",
    /^(?:(?:the|our|all|github|gh|failing|broken) ){0,3}(?:ci(?: (?:checks?|pipeline|build|failures?|errors?))?|pipelines?|actions|(?:pr|status) checks|workflow run)$/i,
    "the CI pipeline",
    "the CI badge"
  )
]

/** What stands behind these is run. */
export const running: ReadonlyArray<Row> = [
  row("run|execute|start", /^(?:re-?run|run|execute|start) /i, "run the tests", "use vitest"),
  row(
    "with|using|against|running|via",
    /^(?:verify|check|confirm|validate|prove)(?: \w+){0,3} (?:with|using|against|by running|via) /i,
    "verify it with the tests",
    "check the tests"
  )
]

/** What stands behind these is failing and to be mended. */
export const fixing = row(
  "fix|repair|resolve|address|unbreak|solve|correct|clean|handle|sort|rid",
  /^(?:fix|repair|resolve|address|unbreak|solve|correct|clean up|handle|sort out|get rid of) /i,
  "fix the type errors",
  "fixed the tests"
)

/** These want what follows them to be so. */
export const ensuring = row(
  "sure|ensure|verify|confirm|check|validate|see|get|make|keep",
  /^(?:(?:make|be) sure|ensure|verify|confirm|check|validate|see to it|get|make|keep)(?: that)? /i,
  "make sure that the tests pass",
  "the tests pass"
)

/** "the tests pass", "CI green", "lint is clean": the subject comes first. */
export const succeeding = row(
  "pass|green|succeed|work|clean|ok|compile",
  /^(?:,? ?(?:and )?(?:that )?)(.{1,80}?) (?:(?:all|still|also|are|is|be|both|to|stays?|remains?|again) ){0,3}(?:pass(?:es|ing)?|green|succeeds?|works?|working|clean|ok|compiles?)\b/i,
  "lint and the tests are still green",
  "the tests are slow"
)

/** "The tests must pass". */
export const owing = row(
  "must|to|should",
  /^(.{1,80}?) (?:must|ha(?:s|ve) to|needs? to|should)(?: (?:all|still|also|be|stay|remain)){0,3} (?:pass|green|succeed|work|clean|compile)\b(?! now\b)/i,
  "all tests must pass",
  "the tests must run on Windows"
)

/** What has to be passed stands behind. */
export const passing = row(
  "must pass|to pass",
  /^.{1,60}? (?:must|ha(?:s|ve) to|needs? to) pass /i,
  "it must pass the linter",
  "it passes the linter"
)

/** "The tests are failing, fix them". */
export const mending = row(
  "fail|broken|red",
  /^(.{1,60}?) (?:is|are|keeps?|still)(?: \w+)? (?:fail(?:s|ing)?|broken|red)\b.{0,40}?\b(?:fix|repair|resolve|mend|solve)(?:$| (?:it|them|this|that|these|those)\b)/i,
  "the tests are failing, please fix them",
  "the tests are failing, fix the login"
)

/** Orders of one gate each, by their first words. */
export const acts: ReadonlyArray<GateRow> = [
  gateRow(
    "tests",
    "test",
    /^(?:re-?)?test(?: (?:it|this|that|them|everything|your changes|the (?:change|fix)))?(?=$|[,.!?]| (?:and|then|again|too|please)\b)/i,
    "test it and push",
    "test it in the browser"
  ),
  gateRow("lint", "lint", /^lint (?:it|this|everything|the code)\b/i, "lint the code", "lint rules are odd"),
  gateRow("typecheck", "type", /^type-?check (?:it|this|everything|the code)\b/i, "typecheck it", "typecheck errors"),
  gateRow(
    "build",
    "build|compile",
    /^(?:make sure|ensure|verify|check|confirm)(?: that)? (?:[\w-]+ ){1,3}(?:still |also )?(?:builds|compiles)\b/i,
    "make sure it still compiles",
    "make sure it runs"
  ),
  gateRow(
    "commit",
    "commit",
    /^(?:git )?commit(?=$|[,;!?)]|\.(?!\w)| (?:it|this|that|them|the|your|my|our|these|all|everything|changes?|and|with|as|to|when|once|now|again|please|too|before|after|then|yet)\b)/i,
    "commit the changes",
    "commit messages are too long"
  ),
  gateRow(
    "commit",
    "commit",
    /^(?:create|make) (?:(?:an?|one|single|new|git|clean|separate|atomic|small) ){1,3}commits?(?=$|[,;!?)]|\.(?!\w)| (?:with|for|of|and|then|now|once|when|after|before|please)\b)/i,
    "create a single git commit",
    "create a commit graph"
  ),
  gateRow(
    "push",
    "push",
    /^(?:git |force[- ])?push(?=$|[,;!?)]|\.(?!\w)| (?:it|this|that|them|everything|all|changes|your|my|origin|and|then|when|once|now|again|please|too|up|yet|afterwards)\b)(?!.{0,60}\b(?:into|onto|down)\b)/i,
    "push it to origin",
    "push it down into the model"
  ),
  gateRow(
    "push",
    "push",
    /^push (?:to (?:the |a )?(?:remote|origin|main|master|github|(?:[\w/-]+ )?branch)|the (?:[\w-]+ ){0,2}(?:branch|commits?|changes?|fix|tags?|code|work))\b/i,
    "push to the feature branch",
    "push to the queue"
  ),
  gateRow(
    "pr",
    "pr|pull|mr|merge",
    /^(?:open|create|make|raise|submit|file|put up|send|prepare)(?: me)?(?: an?)?(?: (?:new|draft|small|separate|github))? (?:pr|pull[ -]request|mr|merge[ -]request)(?![-\w])/i,
    "open a draft PR",
    "open the PR"
  ),
  gateRow(
    "pr",
    "pr|pull|mr|merge",
    /^(?:submit|send|open|put up|raise) (?:it|this|that|them|the \w+) as an? (?:draft )?(?:pr|pull[ -]request|mr|merge[ -]request)(?![-\w])/i,
    "submit this as a pull request",
    "treat this as a pull request"
  ),
  gateRow(
    "ci",
    "wait|watch|monitor&ci|checks|pipeline|workflow|actions",
    /^(?:wait (?:for|until)|watch|monitor) (?:(?:the|all|our|github|gh|pr) ){0,2}(?:ci|checks|pipelines?|workflows?|actions)\b/i,
    "wait for CI",
    "wait for the server"
  )
]

/** The same where they do not stand first: what comes first of them is built anew, as "Build a page". */
export const laterActs: ReadonlyArray<GateRow> = [
  gateRow(
    "build",
    "build|compile",
    /^(?:re)?(?:build|compile)(?: (?:it|this|that|everything|the (?:project|app|code)))?(?=$|[,.!?]| (?:and|then|again|too|please)\b)/i,
    "rebuild it",
    "build it with Next.js"
  )
]

/** Behind an order these make its last word the name of another thing: "create a PR template". */
export const another =
  /^[ -](?:descriptions?|titles?|templates?|body|checks?|buttons?|reviews?|comments?|summary|text|labels?|lists?|pages?|links?|notifications?|hooks?|messages?|handlers?)\b/i

/** What stands before an act that is not wanted, or that the user keeps for himself. */
export const prohibiting: ReadonlyArray<Row> = [
  row(
    "n't|not|dont|never|without|avoid|stop",
    /(?<!\b(?:we|they|i|users?|people) )\b(?:don't|do not|dont|never|without|not to|avoid|stop)(?: (?:try to|ever|even|just|also|yet))? /i,
    "please don't just run it",
    "we never run it"
  ),
  row(
    "need|have to",
    /\b(?:no need to|needn't|need not|(?:don't|do not|not) (?:need|have) to) /i,
    "no need to run it",
    "the tests need a database"
  ),
  row("i'll|i will|i'm", /\bi(?:'ll| will|'m going to) /i, "I'll run it myself", "it will run")
]

/** What stands before a check that is not wanted. */
export const dropping: ReadonlyArray<Row> = [
  row(
    "leave|skip|forget|drop|omit|hold off|no more|no need|bother|worry",
    /(?<!(?:n't|not|never) )\b(?:leave(?! .{0,30}\b(?:as|alone|in|there|like|un\w+)\b)|skip|forget(?: about)?|drop|omit|hold off on|no more|no need for|(?:don't|do not) (?:bother|worry) (?:with|about)) /i,
    "skip the tests",
    "leave the tests as they are"
  )
]

/** "When you are done, …": what follows is an order like any other. */
export const leads = row(
  "when|once|after|before|as soon as",
  /^(?:(?:and|then|so) )?(?:when|once|after|before|as soon as) (?!i\b)[^,.:?!]{1,60}[,:] /i,
  "Once you are done, push it.",
  "Once I agree, push it."
)

/** Two negations order, and so do two words with a stroke between them. */
export const doubled: ReadonlyArray<readonly [by: string, of: Row]> = [
  ["commit and push", row("commit", /\bcommit ?[/+] ?push\b/i, "commit/push", "commit, don't push")],
  [
    "please ",
    row(
      "forget|fail|neglect|omit",
      /\b(?:don't|do not|dont|never) (?:forget|fail|neglect|omit) (?:to )?/i,
      "don't forget to push",
      "do not push"
    )
  ],
  [
    "please run ",
    row(
      "without&running|executing",
      /\b(?:don't|do not|dont|never|no|nothing) (?:[\w-]{1,20} ){1,6}?without (?:first )?(?:running|executing) /i,
      "never commit without running the tests",
      "fix it without running the tests"
    )
  ],
  [
    "make sure ",
    row(
      "until|before|unless&stop|finish|give up|quit|end|rest",
      /\b(?:don't|do not|dont|never) (?:stop|finish|give up|quit|end|rest)\b[^.?!,;]{0,20} (?:until|before|unless) /i,
      "don't stop until the tests pass",
      "stop before the tests"
    )
  ]
]

/** Not now, or as the agent sees fit. */
export const conditions: ReadonlyArray<Row> = [
  row(
    "if|unless|when|whenever|maybe|perhaps|should|in case|would|could|might",
    /^(?:and |but |so |then )?(?:if|unless|whenever|maybe|perhaps|should|in case|would|could (?!you|we)|might)\b/i,
    "if the tests fail, tell me",
    "run the tests"
  ),
  row(
    "only|once|when|after|until",
    /\b(?:only (?:when|if|after|once)|(?:once|when|after|until) i)\b/i,
    "run the tests only when I say so",
    "run only the tests"
  ),
  row(
    "if|once|when|after|as soon as&pass|green|work|succeed|clean",
    /\b(?:if|once|when|after|as soon as) [^.?!,;]{1,40}\b(?:pass(?:es)?|(?:is|are|be|turns?|goes) green|works?|succeeds?|(?:is|are) clean)\b/i,
    "push when the tests pass",
    "run the tests until they pass"
  ),
  row(
    "if|where|discretion|later|unless|or don't|every|each",
    /\b(?:if (?:needed|necessary|possible|required|applicable|you \w+)|where possible|at your discretion|later|unless|or don't|on (?:every|each) \w+)\b/i,
    "run the tests if needed",
    "see if the tests pass"
  )
]

/** What is made is read or run by others: what it says orders nothing. */
export const instructs = row(
  "workflow|job|script|hook|pipeline|prompt|guide|section|target|command|bot|checklist|template",
  /\b(?:add|create|write|make|draft|document|set up)\b[^:.]{0,60}\b(?:workflow|job|script|hook|pipeline|prompt|guide|section|target|command|bot|checklist|template) (?:to|that|which)\b/i,
  "add a workflow that builds it",
  "fix the script"
)

/** A clause that is an order wherever it stands. */
export const explicit: ReadonlyArray<Row> = [
  row(
    "please|sure|ensure|you|remember",
    /^(?:(?:and|but|then|also|now) )?(?:please|make sure|ensure|remember to|(?:can|could|would|will) you|you (?:must|should|have to|need to)|i(?:'d| would)? (?:want|need|expect|like) you)\b/i,
    "then please run the tests",
    "then it runs the tests"
  ),
  row(
    "verify|check|confirm|see|wait|watch|monitor",
    /^(?:(?:and|but|then|also|now) )?(?:verify|confirm|check|see that|wait for|watch|monitor)\b/i,
    "wait for CI",
    "wait, what"
  ),
  row("so |just ", /^(?:so|just) (?=[a-z])/i, "so open a PR", "some open PRs"),
  row(
    "fix",
    /^(?:(?:and|but|then|also|now) ){0,2}(?:just )?fix (?:it|them|this|that|these|those)\b/i,
    "fix it",
    "fix him"
  )
]
