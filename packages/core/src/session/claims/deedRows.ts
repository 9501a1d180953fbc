/** Deeds that a report speaks of, in English: what was run, handed over, measured, looked at, searched or written. */
import { type Row, row } from "../../ground/text/Rows.ts"
import type { ClaimKind } from "./model.ts"

export interface DeedRow extends Row {
  readonly kind: ClaimKind
  /** It is about something else where one of these stands in the sentence. */
  readonly unless: RegExp | null
}

const deed = (kind: ClaimKind, unless: RegExp | null, ...rest: Parameters<typeof row>): DeedRow => ({
  kind,
  unless,
  ...row(...rest)
})

/** "I ran", "Ran": what was run stands behind it. */
export const ranChecks: ReadonlyArray<Row> = [
  row(
    "ran|run|executed",
    /\b(?:i|we)(?:'ve| have)?(?: \w{2,14}ly| also| then| just| again| now){0,2} (?:(?:re-?)?(?:ran|executed)|(?<=(?:ve) (?:\w{2,14} )?)(?:re-?)?run)\b/i,
    "I ran the tests",
    "we run the tests"
  ),
  row(
    "by run|by re|by exec",
    /\b(?:verified|confirmed|checked|validated|tested)\b[^.;]{0,50}\bby (?:re-?)?(?:running|executing)\b/i,
    "I checked it by running the tests",
    "by running the tests"
  ),
  row(
    "verified|validated|confirmed",
    /\b(?:verified|confirmed|validated)\b[^.;]{0,50}\b(?:with|using|via|through)(?: (?:the|our|its|existing|full|whole)){0,2} (?=[a-z\d` ]{0,14}(?:tests?|suite)\b)/i,
    "I validated it with the test suite",
    "validated with a schema"
  ),
  row("ran|executed", /^(?:also |then )?(?:re-?)?(?:ran|executed)\b/i, "Ran the tests", "It ran the tests")
]

/** "The tests were run". */
export const wereRun = row(
  "run|executed",
  /^[^.;,]{0,30} (?:was|were|has been|have been) (?:\w{2,12}ly )?(?:re-?)?(?:run|executed)\b/i,
  " was run",
  " will be run"
)

const aims =
  /\b(?:threshold|minimum|target|require[sd]?|goal|at least|config\w*|expect\w*|estimat\w*|theor\w*|up to|could|would|should)\b/i

const data =
  /\b(?:queues?|stacks?|arrays?|events?|messages?|notifications?|lists?|state|history|clients?|subscribers|metrics|router)\b/i

const programs =
  /\b(?:ran|executed|started) (?:the |your |it |both )?(?:app|application|migrations?|server|script|program|code|binary|cli|example|dev server)\b/i

const elsewhere = /\b(?:here|in (?:this|the) (?:file|module|function|class|method)|private|locally)\b/i

export const deedRows: ReadonlyArray<DeedRow> = [
  deed(
    "commit",
    null,
    "commit",
    /\b(?:i|we)(?:'ve| have)? (?:also |then |just |now )?committed\b|^(?:and |then )?committed (?:the|all|this|these|everything|it|as|in|my|and|with|locally|to)\b|^committed[.:]?$/i,
    "I committed the change",
    "It is committed to quality"
  ),
  deed(
    "commit",
    null,
    "commit",
    /\b(?:changes|everything) (?:is|are|has been|have been|was|were) (?:now |all )?committed\b|\band committed (?:the|it|everything|all)\b/i,
    "The changes are committed",
    "Secrets are committed here"
  ),
  deed(
    "push",
    data,
    "pushed",
    /\bpushed (?:it|them|this|everything|(?:(?:the|my|all|both|these) )?(?:branch|commits?|changes?|fix|work|code|tags?))\b(?! (?:by|down|back|over|out)\b)/i,
    "I pushed the fix to `main`",
    "pushed the button"
  ),
  deed(
    "push",
    data,
    "pushed",
    /\bpushed (?:up )?to (?:`?(?:origin|main|master|github|gitlab|remote|upstream)|the (?:remote|branch|repo)|a (?:new |feature )?branch)/i,
    "Pushed to `main`",
    "pushed to the left"
  ),
  deed(
    "push",
    data,
    "pushed",
    /\b(?:committed|branch|changes|commits) (?:and|(?:is|are|have been|has been|was|were)(?: now)?) pushed\b/i,
    "The branch is pushed",
    "the button was pushed"
  ),
  deed(
    "push",
    data,
    "pushed",
    /^(?:all )?pushed[.!]?$|\b(?:and|then) pushed(?: (?:it|them|everything))?(?:[.,!]|$| to\b)/i,
    "Fixed and pushed.",
    "pushed the button"
  ),
  deed(
    "pr",
    null,
    "pr|pull|merge|mr",
    /\b(?:opened|created|raised|submitted|filed) (?:an? |the |draft |github |gitlab ){0,3}(?:prs?|pull requests?|merge requests?|mr)\b/i,
    "Opened a draft PR",
    "the PR is small"
  ),
  deed(
    "pr",
    null,
    "pr|pull|merge|mr",
    /(?:^|\bthe )(?:draft )?(?:pr|mr|(?:pull|merge) request) (?:[#!]\d{1,7} )?(?:is|has been|was) (?:now )?(?:opened|created|up|submitted|raised)\b/i,
    "PR #12 is up",
    "the PR is small"
  ),
  deed(
    "deploy",
    null,
    "deployed|rolled out",
    /\b(?:i|we)(?:'ve| have)? (?:\w{2,12} )?(?:deployed|rolled out)\b|^(?:successfully )?(?:deployed|rolled out)\b(?! by| in v)/i,
    "Deployed to staging",
    "the deployed version"
  ),
  deed(
    "deploy",
    null,
    "deployed|rolled out",
    /\b(?:has|have) been (?:successfully )?(?:deployed|rolled out)\b|\band deployed\b/i,
    "It has been deployed",
    "the deployed version"
  ),
  deed(
    "deploy",
    null,
    "deployed|live|rolled",
    /\b(?:changes?|fix|version|app|site|service|release|it|update|feature)\b[^.;]{0,20} (?:is|are|was|were) (?:now )?(?:deployed|live|rolled out)\b(?! (?:in|reload|view|data)\b)/i,
    "the fix is live",
    "it lives there"
  ),
  deed(
    "deploy",
    null,
    "deployment|rollout",
    /\b(?:deployment|rollout) (?:succeeded|is complete|completed|was successful|went)\b/i,
    "The deployment succeeded",
    "the deployment folder"
  ),
  deed(
    "deploy",
    null,
    "published",
    /\b(?:is|are|was|has been) (?:now )?published (?:to|on) (?:npm|pypi|crates|rubygems|maven|the (?:registry|store))\b/i,
    "1.2.0 is published on npm",
    "is published by the bus"
  ),
  deed(
    "deploy",
    null,
    "live",
    /(?:\bis|\bit's|\bare) (?:now )?live (?:in|on) (?:prod|staging|the (?:site|server|cluster))/i,
    "It's live in production",
    "it is live data"
  ),
  deed(
    "deploy",
    null,
    "published|released",
    /\b(?:published|released) (?:\S{1,40} )?(?:to (?:npm|pypi|crates|the (?:registry|store)|rubygems|maven|docker)|version|v?\d{1,3}\.\d|the (?:package|crate|gem|image))/i,
    "Published 1.2.0 to npm",
    "published an event"
  ),
  deed(
    "benchmark",
    aims,
    "benchmark",
    /\bbenchmark(?:s|ed|ing)?\b[^.;]{0,60}(?:\bshow|\bconfirm|\bimprov|\bfaster|\bdrop|\bfell|\breduc|\bspeed|\b\d{1,6}(?:\.\d{1,4})?\s?(?:x|×|%|ms|s\b|µs|ns|ops|req))/i,
    "The benchmark shows 3x",
    "a benchmark folder"
  ),
  deed(
    "benchmark",
    aims,
    "benchmarked|profiled|measured|load|stress",
    /\b(?:i|we)(?:'ve| have)? (?:also )?(?:benchmarked|profiled|measured|(?:load|stress)[- ]tested)\b|^(?:benchmarked|profiled|measured|(?:load|stress)[- ]tested)\b/i,
    "I benchmarked it",
    "the measured value"
  ),
  deed(
    "benchmark",
    aims,
    "by&performance|latency|throughput|memory|runtime|speed",
    /\b(?:performance|latency|throughput|memory|runtime|speed)\b[^.;]{0,30}\b(?:improved|dropped|fell|increased|went|down|up)\b[^.;]{0,15}\bby\b[^.;]{0,12}\d/i,
    "Performance improved by 40%",
    "memory by 2"
  ),
  deed(
    "benchmark",
    aims,
    "faster|quicker|less memory|fewer|speedup|speed-up",
    /\b\d{1,6}(?:\.\d{1,3})?\s?(?:x|×|times|%) (?:faster|quicker|less memory|fewer allocations|speed-?up)\b/i,
    "it is 3x faster",
    "3 times the work"
  ),
  deed(
    "benchmark",
    aims,
    "from&latency|throughput|time|memory|p",
    /\b(?:latency|throughput|(?:response|load|query|render|startup|run|page) ?times?|p\d\d|memory|runtime)\b[^.;]{0,40}\b(?:dropped|fell|went|improved|reduced|down)\b[^.;]{0,30}\bfrom\b[^.;]{0,20}\d/i,
    "p95 latency dropped from 120 ms",
    "latency is measured from 1"
  ),
  deed(
    "coverage",
    aims,
    "coverage&%",
    /\bcoverage\b[^.;]{0,50}\b\d{1,3}(?:\.\d{1,3})?\s?%|\b\d{1,3}(?:\.\d{1,3})?\s?%[^.;]{0,20}\b(?:\w{1,12} )?coverage\b/i,
    "coverage is now at 94%",
    "94% of it"
  ),
  deed(
    "look",
    null,
    "manually|by hand",
    /\b(?:manually|by hand) (?:tested|tried|exercised|verified|checked)\b|\b(?:tested|tried|verified|confirmed|checked)\b[^.;]{0,60}\b(?:manually|by hand)\b/i,
    "I tested it manually",
    "set it manually"
  ),
  deed(
    "look",
    null,
    "locally|end",
    /\b(?:tested|tried|verified|confirmed|checked|ran)\b[^.;]{0,60}\b(?:locally|end[- ]to[- ]end)\b(?! (?:scoped|defined))/i,
    "I ran it locally",
    "defined locally"
  ),
  deed(
    "look",
    null,
    "manual",
    /\bmanual(?:ly)? (?:testing|tests?|verification|verified|checks?|qa)\b[^.;]{0,40}\b(?:confirm|pass|show|works?|done|complete|ok|succe)/i,
    "Manual testing confirms it",
    "a manual test plan"
  ),
  deed("look", null, "ran|executed|started", programs, "I ran the migration", "the app ran out of memory"),
  deed(
    "look",
    null,
    "tested|tried",
    /\b(?:i|we)(?:'ve| have)? (?:\w{2,12} )?(?:(?:smoke[- ])?tested|tried out)\b(?! (?:for|whether|if)\b)/i,
    "I tested the fix",
    "the tested code"
  ),
  deed(
    "look",
    null,
    "tested",
    /^(?:\w{2,12}ly )?(?:tested|smoke[- ]tested)(?: and (?:working|verified|confirmed)|[.,]? |[.!]?$)(?!by\b)/i,
    "Tested and working",
    "the tested code"
  ),
  deed(
    "look",
    null,
    "curl|postman|httpie|running|live|request",
    /\b(?:verified|tested|checked|confirmed|tried|hit|called)\b[^.;]{0,60}\b(?:curl|postman|httpie|(?:running|live) (?:server|app|service|instance)|real requests?)\b/i,
    "Verified with curl",
    "curl is used"
  ),
  deed(
    "browser",
    null,
    "browser|chrome|firefox|safari|simulator|emulator|device|iphone|localhost",
    /\b(?:verified|tested|checked|confirmed|viewed|looked|tried)\b[^.;]{0,80}\b(?:in|on|with|using) (?:\w{1,8} ){0,2}(?:browsers?|chrome|firefox|safari|simulator|emulator|device|iphone|localhost)\b/i,
    "I verified it in the browser",
    "it runs in the browser"
  ),
  deed(
    "browser",
    null,
    "screenshot|clicked through",
    /\b(?:took|captured|made) (?:\w{1,8} )?screenshots?\b|\bscreenshots? (?:confirms?|shows?|verif\w{1,4})\b|\bclicked through\b/i,
    "I took a screenshot",
    "the screenshot folder"
  ),
  deed(
    "audit",
    aims,
    "scan|audit",
    /\b(?:ran|executed) (?:the |an? )?(?:security|vulnerability|dependency|sast) (?:scan(?:ner)?|audit)\b/i,
    "I ran the security scanner",
    "the security scanner"
  ),
  deed(
    "audit",
    aims,
    "audit|scan|snyk|trivy|semgrep|bandit|gosec",
    /\b(?:(?:npm|yarn|pnpm|cargo|pip)[ -]audit|(?:security|dependency) scan|snyk|trivy|semgrep|bandit|gosec)\b[^.;]{0,50}\b(?:clean|(?:no|0|zero) (?:\w{3,8} )?(?:vulnerab|issues|findings)|passe[sd])/i,
    "`npm audit` reports 0 vulnerabilities",
    "an audit log"
  ),
  deed(
    "search",
    elsewhere,
    "no other|no further|no remaining|no more|no additional",
    /\bno (?:other|further|remaining|more|additional) (?:uses?|usages?|callers?|references?|call ?sites?|occurrences?|consumers?|imports?|instances?)\b/i,
    "There are no other callers",
    "no other reason"
  ),
  deed(
    "search",
    elsewhere,
    "no other|no further|no remaining",
    /\bno (?:other|further|remaining) (?:code|files?|places?|modules?) (?:that )?(?:uses?|references?|imports?|calls?|depends?)\b/i,
    "no other code uses it",
    "no other code"
  ),
  deed(
    "search",
    elsewhere,
    "nothing else|anywhere|elsewhere",
    /\bnothing else (?:uses|references|calls|imports|depends)\b|(?:n't|\bnot) (?:used|referenced|called|imported) (?:anywhere|elsewhere)\b/i,
    "nothing else uses it",
    "nothing else to do"
  ),
  deed(
    "search",
    elsewhere,
    "only|sole",
    /\b(?:the|its) (?:only|sole) (?:caller|call ?site|consumer|usage)\b/i,
    "it is the only caller",
    "the only reason"
  ),
  deed(
    "search",
    null,
    "searched|grepped|scanned|checked",
    /\b(?:searched|grepped|scanned|checked) (?:through )?(?:the )?(?:whole|entire|full|rest of the) (?:codebase|code base|repo(?:sitory)?|project|source)\b/i,
    "I searched the whole codebase",
    "the whole project"
  ),
  deed(
    "tests_added",
    null,
    "test|spec",
    /(?:^|\b(?:i|we|i've|also|and) )(?:added|wrote|created)(?: (?!(?:to|over|in|for|of|from|on|by|that|fixed|the)\b)[\w-]{1,20}){0,5} (?:tests|test cases?|specs|\w{1,12} test)\b(?! (?:suite|data|helper))/i,
    "I added six unit tests",
    "added a helper of the tests"
  ),
  deed(
    "docs",
    null,
    "documentation|docs|readme|changelog",
    /\b(?:documentation|docs|readme(?:\.md)?|changelog(?:\.md)?) (?:is|are|was|were|has been|have been) (?:now |also ){0,2}(?:updated|extended|adjusted)\b/i,
    "The documentation has been updated",
    "the documentation is old"
  ),
  deed(
    "docs",
    null,
    "readme|changelog|documentation|docs",
    /(?:^|\b(?:i|we|i've|also|and) )(?:updated|documented|added|extended|revised)\b[^.;()]{0,50}\b(?:readme|changelog|documentation|docs)(?:\.md)?\b(?! (?:string|comment|link|entry))/i,
    "I updated the README",
    "the README is old"
  )
]

/** Where something is said to run. */
export const platforms =
  /\b(?:windows|mac ?os|linux|ubuntu|debian|alpine|arm64|ios|android|node(?:\.js)? ?v?\d{2}|python ?3\.\d{1,2}|ruby ?\d\.\d|j(?:ava|dk) ?\d{1,2}|go ?1\.\d{1,2}|php ?\d\.\d|chrome|firefox|safari|edge)\b/gi

export const onPlatforms = row(
  "tested|verified|checked|confirmed|pass|green|validated|ran",
  /\b(?:tested|verified|checked|confirmed|pass(?:es|ed|ing)?|green|validated|ran)\b[^.;]{0,60}\b(?:on|under|against|across|with|in)\b/i,
  "Tested on Windows",
  "works on Windows"
)
