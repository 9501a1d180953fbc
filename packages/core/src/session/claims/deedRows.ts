/** Deeds that a report speaks of: what was handed over, measured or looked at. */
import { type Row, row } from "../../ground/text/Rows.ts"
import type { ClaimKind } from "./model.ts"

export interface DeedRow extends Row {
  readonly kind: ClaimKind
  /** It is about something else where one of these stands in the sentence. */
  readonly unless: RegExp | null
}

export const deedRow = (kind: ClaimKind, unless: RegExp | null, ...rest: Parameters<typeof row>): DeedRow => ({
  kind,
  unless,
  ...row(...rest)
})

const aims =
  /\b(?:threshold|minimum|target|require[sd]?|goal|at least|config\w*|expect\w*|estimat\w*|theor\w*|(?<!\bis |\bnow )up to|could|would|should|onboarding|productivity)\b/i

/** What somebody else did. */
const byOthers = /\b(?:last|by (?:the|someone|you)|yesterday|ago|previous\w{0,2})\b/i

/** What a time is set to, and not measured. */
const settings =
  /\b(?:time-?outs?|intervals?|ttl|delays?|debounce|limits?|retr\w{1,4}|waits?|expir\w{1,4}|default|poll\w{0,3}|(?:dura|transi|anima)tions?|slide|(?:config|estimat|expect)\w*|[cw]ould|should)\b/i

const data =
  /\b(?:queues?|stacks?|arrays?|events?|messages?|notifications?|lists?|state|history|clients?|subscribers|metrics|router)\b/i

const programs =
  /\b(?:ran|executed|started) (?:the |your |it |both )?(?:app|application|migrations?|server|script|program|code|binary|cli|example|dev server)\b/i

/** What was handed over, measured or looked at. */
export const deedRows: ReadonlyArray<DeedRow> = [
  deedRow(
    "commit",
    null,
    "commit",
    /\b(?:i|we)(?:'ve| have)? (?:also |then |just |now )?committed\b|^(?:and |then )?committed (?:the|all|this|these|everything|it|as|in|my|and|with|locally|to)\b|^committed[.:]?$/i,
    "I committed the change",
    "It is committed to quality"
  ),
  deedRow(
    "commit",
    null,
    "commit",
    /\b(?:changes|everything) (?:is|are|has been|have been|was|were) (?:now |all )?committed\b|\band committed (?:the|it|everything|all)\b/i,
    "The changes are committed",
    "Secrets are committed here"
  ),
  deedRow(
    "push",
    data,
    "pushed",
    /\bpushed (?:it|them|this|everything|(?:(?:the|my|all|both|these) )?(?:branch|commits?|changes?|fix|work|code|tags?))\b(?! (?:by|down|back|over|out)\b)/i,
    "I pushed the fix to `main`",
    "pushed the button"
  ),
  deedRow(
    "push",
    data,
    "pushed",
    /\bpushed (?:up )?to (?:`?(?:origin|main|master|github|gitlab|remote|upstream)|the (?:remote|branch|repo)|a (?:new |feature )?branch)/i,
    "Pushed to `main`",
    "pushed to the left"
  ),
  deedRow(
    "push",
    data,
    "pushed",
    /\b(?:committed|branch|changes|commits) (?:and|(?:is|are|have been|has been|was|were)(?: now)?) pushed\b/i,
    "The branch is pushed",
    "the button was pushed"
  ),
  deedRow(
    "push",
    data,
    "pushed",
    /^(?:all )?pushed[.!]?$|\b(?:and|then) pushed(?: (?:it|them|everything))?(?:[.,!]|$| to\b)/i,
    "Fixed and pushed.",
    "pushed the button"
  ),
  deedRow(
    "pr",
    null,
    "pr|pull|merge|mr",
    /\b(?:opened|created|raised|submitted|filed) (?:an? |the |draft |github |gitlab ){0,3}(?:prs?|pull requests?|merge requests?|mr)\b/i,
    "Opened a draft PR",
    "the PR is small"
  ),
  deedRow(
    "pr",
    null,
    "pr|pull|merge|mr",
    /(?:^|\bthe )(?:draft )?(?:pr|mr|(?:pull|merge) request) (?:[#!]\d{1,7} )?(?:is|has been|was) (?:now )?(?:opened|created|up|submitted|raised)\b/i,
    "PR #12 is up",
    "the PR is small"
  ),
  deedRow(
    "deploy",
    null,
    "deployed|rolled out",
    /\b(?:i|we)(?:'ve| have)? (?:\w{2,12} )?(?:deployed|rolled out)\b|^(?:successfully )?(?:deployed|rolled out)\b(?! by| in v)/i,
    "Deployed to staging",
    "the deployed version"
  ),
  deedRow(
    "deploy",
    null,
    "deployed|rolled out",
    /\b(?:has|have) been (?:successfully )?(?:deployed|rolled out)\b|\band deployed\b/i,
    "It has been deployed",
    "the deployed version"
  ),
  deedRow(
    "deploy",
    null,
    "deployed|rolled",
    /\b(?:changes?|fix|version|app|site|service|release|it|update|feature)\b[^.;]{0,20} (?:is|are|was|were) (?:now )?(?:deployed\b(?! in\b)|rolled out\b)/i,
    "the fix is rolled out",
    "it lives there"
  ),
  deedRow(
    "deploy",
    null,
    "deployment|rollout",
    /\b(?:deployment|rollout) (?:succeeded|is complete|completed|was successful|went)\b/i,
    "The deployment succeeded",
    "the deployment folder"
  ),
  deedRow(
    "deploy",
    null,
    "published",
    /\b(?:is|are|was|has been) (?:now )?published (?:to|on) (?:npm|pypi|crates|rubygems|maven|the (?:registry|store))\b/i,
    "1.2.0 is published on npm",
    "is published by the bus"
  ),
  deedRow(
    "deploy",
    null,
    "live",
    /(?:\bis|\bit's|\bare) (?:now )?live (?:in|on) (?:prod|staging|the (?:site|server|cluster))/i,
    "It's live in production",
    "it is live data"
  ),
  deedRow(
    "deploy",
    null,
    "published|released",
    /\b(?:published|released) (?:\S{1,40} )?(?:to (?:npm|pypi|crates|the (?:registry|store)|rubygems|maven|docker)|version|v?\d{1,3}\.\d|the (?:package|crate|gem|image))/i,
    "Published 1.2.0 to npm",
    "published an event"
  ),
  deedRow(
    "benchmark",
    aims,
    "benchmark",
    /\bbenchmark(?:s|ed|ing)?\b[^.;]{0,60}(?:\bshow|\bconfirm|\bimprov|\bfaster|\bdrop|\bfell|\breduc|\bspeed|\b\d{1,6}(?:\.\d{1,4})?\s?(?:x|×|%|ms|s\b|µs|ns|ops|req))/i,
    "The benchmark shows 3x",
    "a benchmark folder"
  ),
  deedRow(
    "benchmark",
    aims,
    "benchmarked|profiled|measured|load|stress",
    /\b(?:i|we)(?:'ve| have)? (?:also )?(?:benchmarked|profiled|measured|(?:load|stress)[- ]tested)\b|^(?:benchmarked|profiled|measured|(?:load|stress)[- ]tested)\b/i,
    "I benchmarked it",
    "the measured value"
  ),
  deedRow(
    "benchmark",
    aims,
    "by&performance|latency|throughput|memory|runtime|speed",
    /\b(?:performance|latency|throughput|memory|runtime|speed)\b[^.;]{0,30}\b(?:improved|dropped|fell|increased|went|down|up)\b[^.;]{0,15}\bby\b[^.;]{0,12}\d/i,
    "Performance improved by 40%",
    "memory by 2"
  ),
  deedRow(
    "benchmark",
    aims,
    "faster|quicker|less memory|fewer|speedup|speed-up",
    /\b\d{1,6}(?:\.\d{1,3})?\s?(?:x|×|times|%) (?:faster|quicker|less memory|fewer allocations|speed-?up)\b/i,
    "it is 3x faster",
    "3 times the work"
  ),
  deedRow(
    "benchmark",
    aims,
    "from&latency|throughput|time|memory|p",
    /\b(?:latency|throughput|(?:response|load|query|render|startup|run|page) ?times?|p\d\d|memory|runtime)\b[^.;]{0,40}\b(?:dropped|fell|went|improved|reduced|down)\b[^.;]{0,30}\bfrom\b[^.;]{0,20}\d/i,
    "p95 latency dropped from 120 ms",
    "latency is measured from 1"
  ),
  deedRow(
    "coverage",
    aims,
    "coverage&%",
    /\bcoverage\b[^.;]{0,50}\b\d{1,3}(?:\.\d{1,3})?\s?%|\b\d{1,3}(?:\.\d{1,3})?\s?%[^.;]{0,20}\b(?:\w{1,12} )?coverage\b/i,
    "coverage is now at 94%",
    "94% of it"
  ),
  deedRow(
    "look",
    null,
    "manually|by hand",
    /\b(?:manually|by hand) (?:tested|tried|exercised|verified|checked)\b|\b(?:tested|tried|verified|confirmed|checked)\b[^.;]{0,60}\b(?:manually|by hand)\b/i,
    "I tested it manually",
    "set it manually"
  ),
  deedRow(
    "look",
    null,
    "locally|end",
    /\b(?:tested|tried|verified|confirmed|checked|ran)\b[^.;]{0,60}\b(?:locally|end[- ]to[- ]end)\b(?! (?:scoped|defined))/i,
    "I ran it locally",
    "defined locally"
  ),
  deedRow(
    "look",
    null,
    "manual",
    /\bmanual(?:ly)? (?:testing|tests?|verification|verified|checks?|qa)\b[^.;]{0,40}\b(?:confirm|pass|show|works?|done|complete|ok|succe)/i,
    "Manual testing confirms it",
    "a manual test plan"
  ),
  deedRow("look", null, "ran|executed|started", programs, "I ran the migration", "the app ran out of memory"),
  deedRow(
    "look",
    null,
    "tested|tried",
    /\b(?:i|we)(?:'ve| have)? (?:\w{2,12} )?(?:(?:smoke[- ])?tested|tried out)\b(?! (?:for|whether|if)\b)/i,
    "I tested the fix",
    "the tested code"
  ),
  deedRow(
    "look",
    null,
    "tested",
    /^(?:\w{2,12}ly )?(?:tested|smoke[- ]tested)(?: and (?:working|verified|confirmed)|[.,]? |[.!]?$)(?!by\b)/i,
    "Tested and working",
    "the tested code"
  ),
  deedRow(
    "look",
    null,
    "curl|postman|httpie|running|live|request",
    /\b(?:verified|tested|checked|confirmed|tried|hit|called)\b[^.;]{0,60}\b(?:curl|postman|httpie|(?:running|live) (?:server|app|service|instance)|real requests?)\b/i,
    "Verified with curl",
    "curl is used"
  ),
  deedRow(
    "browser",
    /\byour (?:\w{1,8} )?(?:browser|device|phone|simulator)/i,
    "browser|chrome|firefox|safari|simulator|emulator|device|iphone|localhost",
    /\b(?:verified|tested|checked|confirmed|viewed|looked|tried|opened|loaded)\b[^.;]{0,80}\b(?:in|on|with) (?:\w{1,8} ){0,2}(?:browsers?|chrome|firefox|safari|(?:sim|em)ulator|device|iphone|localhost)\b/i,
    "I verified it in the browser",
    "it runs in the browser"
  ),
  deedRow(
    "browser",
    null,
    "screenshot|clicked through",
    /\b(?:took|captured|made) (?:an? |the |several |\w{1,8} )screenshots?\b|(?<!\b(?:captured|attached|your|the) )\bscreenshots? (?:confirms?|verif\w{1,4})\b|\bclicked through\b/i,
    "I took a screenshot",
    "the screenshot folder"
  ),
  deedRow(
    "audit",
    aims,
    "scan|audit",
    /\b(?:ran|executed) (?:the |an? )?(?:security|vulnerability|dependency|sast) (?:scan(?:ner)?|audit)\b/i,
    "I ran the security scanner",
    "the security scanner"
  ),
  deedRow(
    "audit",
    aims,
    "audit|scan|snyk|trivy|semgrep|bandit|gosec",
    /\b(?:(?:npm|yarn|pnpm|cargo|pip)[ -]audit|(?:security|dependency) scan|snyk|trivy|semgrep|bandit|gosec)\b[^.;]{0,50}\b(?:clean|(?:no|0|zero) (?:\w{3,8} )?(?:vulnerab|issues|findings)|passe[sd])/i,
    "`npm audit` reports 0 vulnerabilities",
    "an audit log"
  ),
  deedRow(
    "deploy",
    byOthers,
    "upgraded|applied|promoted|released|rolled out|scaled",
    /\b(?:release|chart|stack|cluster|service|environment|revision|migrations?)\b[^.;,]{0,30} (?:ha[sv]e?|is|are|was|were) (?:now |been ){0,2}(?:upgraded|applied|promoted|released|rolled out|scaled)\b/i,
    "the release has been upgraded",
    "the release will be upgraded"
  ),
  deedRow(
    "deploy",
    byOthers,
    "prod|staging|cluster",
    /\b(?:upgraded|applied|promoted|released|shipped|redeployed|rolled out|restarted|running|up)\b[^.;,]{0,40}\b(?:in|on|to|into) (?:the )?`?(?:prod(?:uction)?|staging|cluster)\b/i,
    "applied to `production`",
    "the staging values"
  ),
  deedRow(
    "push",
    data,
    "pushed",
    /(?:^|\b(?:i|and|then) )pushed (?:as )?(?:`?[0-9a-f]{7,40}\b|`[^`]{2,60}` to)/i,
    "Pushed `c19e0d3`",
    "pushed the button"
  ),
  deedRow(
    "push",
    data,
    "origin|remote|github|gitlab",
    /\b(?:branch|commits?|changes?|fix|everything|it)\b[^.;,]{0,20} (?:is|are) (?:now )?(?:up )?on (?:`?origin\b|the remote|github|gitlab)/i,
    "the branch is on GitHub now",
    "GitHub is down"
  ),
  deedRow(
    "pr",
    null,
    "open|up|raised|http&#|!|pr|mr",
    /^(?:i )?(?:opened|raised) [#!]\d{1,7}\b|\b(?:pr|mr)\b[^.;,]{0,30} (?:is|was) (?:now )?(?:open|up|opened)\b|\b(?:pr|mr)\b(?: opened| created)?: ?https?:/i,
    "The PR for it is open",
    "the PR is small"
  ),
  deedRow(
    "benchmark",
    settings,
    "→|->|=>|to|auf|a|à|から|降到|(",
    /\d\s?(?:ns|µs|us|ms|s|ops|req|rps|qps|MB)(?:\/(?:op|s))?\s?(?:→|->|=>|\bto\b|\bauf\b|\ba\b|\bà\b|\bpara\b|降到|から|\()[^.;]{0,10}\d/i,
    "120 ms → 40 ms",
    "after 120 ms"
  ),
  deedRow(
    "benchmark",
    settings,
    "before|old|base|main|vorher|avant|antes&after|new|now|nachher|après|ahora|branch",
    /\b(?:before|old|baseline|main|vorher|avant|antes)\b[^:]{0,60}\b(?:after|new|now|nachher|après|ahora|branch)\b[^:]{0,40}: .{0,80}\d\s?(?:ns|µs|us|ms|s|ops|req|rps|qps|MB\/s)(?:\/|\b)/i,
    "Bench before after: time 1841 ns 622 ns",
    "before after: memory 1 2"
  ),
  deedRow(
    "coverage",
    aims,
    "覆盖率|abdeckung|cobertura|couverture|カバレッジ|covers&%",
    /(?:覆盖率|abdeckung|cobertura|couverture(?! des? (?:propri|doc|nœud|données))|カバレッジ|\bcovers)[^.;。；]{0,40}?\d{1,3}(?:[.,]\d{1,3})?\s?%/i,
    "覆盖率从 58% 提高到 100%",
    "覆盖率很低"
  ),
  deedRow(
    "coverage",
    aims,
    "cover&%",
    /\b\d{1,3}(?:\.\d{1,3})?\s?%[^.;]{0,20}\bcovered\b|\bcoverage\b[^.;]{0,50}→[^.;]{0,8}\d{1,3}\s?%/i,
    "94% covered",
    "94% of it"
  ),
  deedRow(
    "browser",
    null,
    "px|x|×|viewport|breakpoint|mobile|desktop|phone|tablet",
    /\b(?:verified|tested|checked|confirmed|looked|tried|viewed|inspected)\b[^.;]{0,60}(?:\b\d{3,4} ?(?:px|×|x)|\bviewports?\b|\bbreakpoints?\b|\b(?:mobile|desktop|phone|tablet) (?:width|view|layout|size))/i,
    "Checked at 375 and 1280 px",
    "375 px wide"
  ),
  deedRow(
    "browser",
    null,
    "visually|eyeballed",
    /\b(?:visually (?:verified|checked|confirmed|inspected)|(?:verified|checked|confirmed|inspected)(?: \w{1,12}){0,3} visually|eyeballed)\b/i,
    "I checked it visually",
    "visually distinct"
  ),
  deedRow(
    "browser",
    null,
    "navegador|navigateur|browser",
    /(?:probad|verificad|comprobad|testad|vérifi|testé|geprüft|angesehen)\p{L}{0,3}[^.;]{0,40}(?:navegador|navigateur|browser)|(?:navegador|navigateur)[^.;]{0,40}(?:probad|verificad|testé|vérifié)/iu,
    "Probado en el navegador",
    "en el navegador"
  ),
  deedRow("browser", null, "ブラウザ", /ブラウザで[^。]{0,12}確認しました/, "ブラウザで確認しました", "ブラウザ"),
  deedRow(
    "deploy",
    byOthers,
    "pushed|published|uploaded&image|container|package|artifact|chart|gem|crate",
    /\b(?:pushed|published|uploaded) (?:the |an? |new )?(?:[\w:./-]{1,30} )?(?:image|container|package|artifacts?|chart|gem|crate)\b/i,
    "Published the package",
    "the package was old"
  )
]
