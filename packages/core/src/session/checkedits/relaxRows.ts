/** By which words a user allows a check to look away. */
import { type Row, row } from "../../ground/text/Rows.ts"

/** How a check is made to look away. */
export const relaxes: ReadonlyArray<Row> = [
  row(
    "ignor|suppress|disabl|silenc|allow|relax|loosen|lower|exclud|skip|bypass|permit|tolerat",
    /\b(?:ignor|suppress|disabl|silenc|allow|relax|loosen|lower|exclud|skip|bypass|permit|tolerat)\w{0,5}\b/i,
    "disable the rule",
    "run the linter"
  ),
  row(
    "rais|increas|switch|turn|downgrad|reduc|drop|remov|replac|set",
    /\b(?:rais|increas|switch|turn|downgrad|reduc|drop|remov|replac|set)\w{0,5}\b/i,
    "turn the rule off",
    "run the rule"
  ),
  row(
    "senk|setz|abschalt|ausschalt|lockere|herab",
    /\bsenk|\bsetz|abschalt|ausschalt|lockere|herab/i,
    "setz die Schwelle herab",
    "die Schwelle ist rot",
    "de"
  ),
  row(
    "baja|reduc|desactiva|permite",
    /\b(?:baja|reduce|reducir|permite)\w{0,2}\b/i,
    "baja el umbral",
    "el umbral falla",
    "es"
  ),
  row(
    "baisse|rédui|tolèr|tolér|autorise",
    /\b(?:a?baisse[rz]?|réduis|réduire|tolère|tolérer|autorise[rz]?)(?![\wé])/i,
    "baisse le seuil",
    "le seuil échoue",
    "fr"
  ),
  row(
    "baix|reduz|permit|deslig",
    /\b(?:baix[ae]r?|reduz(?:a|ir)?|permit[ae]r?)\b/i,
    "baixa o limiar",
    "o limiar falha",
    "pt"
  ),
  row("降低|调低|关闭|允许", /降低|调低|关闭|允许/, "降低阈值", "阈值失败", "zh"),
  row("下げ|緩め|オフ|許可", /下げ|緩め|オフ|許可/, "閾値を下げて", "閾値で失敗", "ja")
]

export const demands: ReadonlyArray<Row> = [
  row(
    "rule|warn|lint|error|type|check|hook|threshold|coverage|strict",
    /\b(?:rules?|warnings?|lint\w{0,5}|errors?|types?|checks?|hooks?|thresholds?|coverage|strict\w{0,5})\b/i,
    "disable the rule",
    "disable the button"
  ),
  row(
    "eslint|ruff|mypy|clippy|failure|job|step|ci|script|director|folder|file",
    /\b(?:eslint|ruff|mypy|clippy|failures?|jobs?|steps?|ci|scripts?|director(?:y|ies)|folders?|files?)\b/i,
    "exclude the folder",
    "exclude the user"
  ),
  row(
    "regel|règle|regla|regra|warnung|avertissement|schwelle|seuil|umbral|limiar|erreur|fehler|ルール|規則|閾値|警告|规则|阈值|覆盖率|エラー|import|typ",
    /regeln?\b|règles?|reglas?\b|regras?\b|warnung|avertissement|schwelle|seuil|umbral|limiar|erreurs?|fehler|ルール|規則|閾値|警告|规则|阈值|覆盖率|エラー|\bimports?\b|typen?\b/i,
    "désactive cette règle",
    "désactive le bouton",
    "fr"
  ),
  row("no-", /\bno-[\w-]{2,30}\b/i, "turn no-unused-vars off", "turn it off")
]

/** What says it all by itself. */
export const saysAll: ReadonlyArray<Row> = [
  row(
    "no-verify|continue-on-error|eslint-disable|ts-ignore|ts-expect-error|noqa|type: ignore|nolint|allow_failure",
    /--no-verify|\b(?:continue-on-error|eslint-disable|ts-ignore|ts-expect-error|noqa|type: ignore|nolint|allow_failure)\b/i,
    "commit with --no-verify",
    "commit it"
  ),
  row(
    "non-blocking|non blocking|optional|true",
    /\bnon[- ]blocking\b|\boptional\b|\|\| true/i,
    "make the job non-blocking",
    "make the job true"
  ),
  row(
    "informati|bloqu|block|advisory|warn only|report only|warn-only|report-only|best effort|best-effort|ブロックし|不阻塞|不要阻",
    /\binformati(?:v[oae]?|onal)\b|\b(?:n[ãa]o|no|ne|nicht|not|doesn't|shouldn't|never)\b.{0,24}(?:bloqu|blockier|block)|\badvisory\b|\b(?:warn|report)[- ]only\b|best[- ]effort|ブロックし|不阻塞|不要阻/i,
    "o passo é só informativo",
    "o passo é novo",
    "pt"
  ),
  row(
    "#[ignore|@disabled|xfail|@ignore|t.skip|.skip(|markt",
    /#\[ignore|@Disabled|\bxfail\b|@Ignore|\bt\.Skip|\.skip\(|marktestskipped/i,
    "mit #[ignore] versehen",
    "mit Tests versehen",
    "de"
  ),
  row("baseline", /\bbaseline\b/i, "generate a baseline for now", "generate the report"),
  row("retr|rerun", /\b(?:retry|retries|reruns?)\b/i, "add retries to the suite", "try the suite")
]
