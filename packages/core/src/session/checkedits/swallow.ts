/** A source that catches what made a test fail and passes over it: nothing is returned, handed on or raised. */
import { shown } from "./deltas.ts"
import type { Delta } from "./model.ts"

const logs =
  "(?:(?:this\\.|self\\.|_|@)?(?:console|log|logger|logging|Log|Logger|LOG|_log|_logger|Timber|slog|tracing|warnings|System\\.out|NSLog|os_log|debug|Rails\\.logger|\\$this->logger|\\$logger)(?:\\.|->|::|!)?\\w{0,20}[!(][^\\n]{0,200}|print(?:ln|f)?!?\\([^\\n]{0,200}|puts [^\\n]{0,200}|error_log\\([^\\n]{0,200})"

const idle = `(?:\\s{0,80}(?://[^\\n]{0,200}|#[^\\n]{0,200}|/\\*[^\\n]{0,200}\\*/|${logs}|continue|pass|next|nil|\\.\\.\\.|;)[;)]{0,3}\\s{0,4}(?=\\n|\\}|$))`

const forms: ReadonlyArray<RegExp> = [
  new RegExp(
    `\\bcatch\\s{0,4}(?:\\([^)\\n]{0,120}\\)|let \\w{1,40}|[\\w.]{0,60})?\\s{0,4}(?:when [^\\n{]{1,80})?\\{${idle}{0,3}\\s{0,80}\\}`,
    "g"
  ),
  new RegExp(`\\bexcept\\b[^:\\n]{0,120}:${idle}{1,3}(?=\\n|$)`, "g"),
  new RegExp(`\\brescue\\b[^\\n]{0,80}\\n${idle}{0,3}\\s{0,80}(?:end|ensure|else)\\b`, "g"),
  /\brescue nil\b|\bcontextlib\.suppress\(|\bsuppress\(\w*(?:Exception|Error)\)/g,
  /\.catch\(\s{0,4}(?:\(?\w{0,20}\)?|function ?\(\w{0,20}\))\s{0,4}(?:=>)?\s{0,4}\{?\s{0,20}(?:undefined|null|void 0|console\.\w{1,8}\([^\n]{0,80}\);?|\/\/[^\n]{0,100})?\s{0,20}\}?\s{0,4}\)/g,
  /\brunCatching\s{0,4}\{[^\n]{0,300}\}(?!\s{0,80}\.(?:getOr|fold|map|recover))/g,
  /\bif (?:_|r|err) ?:= ?recover\(\)[^\n]{0,80}|\bdefer func\(\) ?\{\s{0,40}(?:_ ?= ?)?recover\(\)/g,
  /\b_ = [\w.]{1,60}\([^\n]{0,120}\)$|\blet _ = [^\n]{1,160};|\btry\? [\w.]{1,60}/gm,
  /@\$?\w{1,40}(?:->|::|\()[^\n]{0,80}\);/g
]

const all = (text: string): ReadonlyArray<string> => forms.flatMap((form) => text.slice(0, 60_000).match(form) ?? [])

/** Only of a file that the failing run's own trace names. */
export const ofSwallowed = (
  file: string,
  before: string,
  after: string,
  frames: ReadonlyArray<string>
): ReadonlyArray<Delta> => {
  if (!frames.includes(file)) return []
  const [was, now] = [all(before), all(after)]
  const by = now.length - was.length
  if (by === 0) return []
  const first = (by > 0 ? now : was)[0] ?? ""
  return [
    {
      kind: "swallow",
      id: "swallows",
      name: null,
      was: "",
      now: shown(first.replaceAll(/\s+/g, " ")),
      by: Math.sign(by),
      fits: true
    }
  ]
}
