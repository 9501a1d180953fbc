/** How a check went, in other languages than English: its word, and behind it one of the words for good. */
import { type Language, type Row, row, takes } from "../../ground/text/Rows.ts"
import { type GateRow, subjects } from "./checkRows.ts"

const inLanguage = (
  gate: string,
  language: Language,
  ...[words, pattern, yes, no]: Parameters<typeof row>
): GateRow => ({
  gate,
  ...row(words, pattern, yes, no, language)
})

/** Beside the words that most languages borrow from English. */
const nouns: ReadonlyArray<GateRow> = [
  inLanguage(
    "tests",
    "de",
    "test",
    /\b(?:\w{1,20}-?)?(?:tests?|testsuite|testlauf|testfälle)\b/i,
    "Unit-Tests",
    "getestet"
  ),
  inLanguage("tests", "es", "prueba|test|suite", /\b(?:pruebas|tests?|suite)\b/i, "las pruebas", "la prueba"),
  inLanguage("tests", "fr", "test", /\btests?\b/i, "les tests", "la suite"),
  inLanguage("tests", "pt", "test", /\b(?:testes|tests)\b/i, "os testes", "testar"),
  inLanguage("tests", "zh", "测试", /测试(?:用例|套件)?/, "所有测试", "检查"),
  inLanguage("tests", "ja", "テスト", /テスト/, "テスト", "検査"),
  inLanguage("build", "de", "build|kompil", /\b(?:build|kompilierung|kompiliert)\b/i, "der Build", "gebaut"),
  inLanguage("build", "es", "build|compil", /\b(?:build|compilación|compila)\b/i, "la compilación", "construir"),
  inLanguage("build", "fr", "build|compil", /\b(?:build|compilation|compile)\b/i, "la compilation", "construire"),
  inLanguage("build", "pt", "build|compil", /\b(?:build|compilação|compila)\b/i, "a compilação", "construir"),
  inLanguage("build", "zh", "构建|编译", /构建|编译/, "构建", "建设"),
  inLanguage("build", "ja", "ビルド|コンパイル", /ビルド|コンパイル/, "ビルド", "建設"),
  inLanguage("typecheck", "de", "typ", /\b(?:typprüfung|typecheck|type-check)\b/i, "die Typprüfung", "der Typ"),
  inLanguage(
    "typecheck",
    "es",
    "tipo",
    /\b(?:comprobación|verificación|chequeo) de tipos\b/i,
    "la comprobación de tipos",
    "el tipo"
  ),
  inLanguage("typecheck", "fr", "typ", /\b(?:vérification (?:des|de) types?|typage)\b/i, "le typage", "le type"),
  inLanguage("typecheck", "pt", "tipo", /\bverificação de tipos\b/i, "a verificação de tipos", "o tipo"),
  inLanguage("typecheck", "zh", "类型", /类型检查/, "类型检查", "类型"),
  inLanguage("typecheck", "ja", "型", /型チェック|型検査/, "型チェック", "型"),
  inLanguage("all", "de", "prüfungen|checks", /\balle (?:prüfungen|checks)\b/i, "alle Prüfungen", "die Prüfung"),
  inLanguage(
    "all",
    "es",
    "comprobaci|verificaci",
    /\btodas las (?:comprobaciones|verificaciones)\b/i,
    "todas las verificaciones",
    "la verificación"
  ),
  inLanguage(
    "all",
    "fr",
    "vérification",
    /\btoutes les vérifications\b/i,
    "toutes les vérifications",
    "la vérification"
  ),
  inLanguage("all", "pt", "verificaç", /\btodas as verificações\b/i, "todas as verificações", "a verificação"),
  inLanguage("all", "zh", "检查", /(?:所有|全部)检查/, "所有检查", "检查"),
  inLanguage("ci", "zh", "流水线", /流水线/, "流水线", "流水")
]

/** Behind the check's word, in the same clause. */
const good: ReadonlyArray<Row> = [
  row(
    "durch",
    /^[^.!?;]{0,45}\b(?:laufen|läuft|liefen|lief|gehen|geht|ging)(?: \w{2,10}){0,2} durch(?!\p{L})/iu,
    " laufen alle durch",
    " laufen durcheinander",
    "de"
  ),
  row(
    "grün|besteh|bestand|erfolgreich|fehlerfrei|sauber|fehler|warnungen|auch",
    /^[^.!?;]{0,45}(?<!\p{L})(?:grün|bestehen|bestanden|erfolgreich|fehlerfrei|sauber|(?:keine|ohne) (?:fehler|warnungen)|auch$)(?!\p{L})/iu,
    " sind grün",
    " sind gründlich",
    "de"
  ),
  row(
    "pasa|pasó|verde|también",
    /^[^.!?;]{0,45}(?<!\p{L})(?:pasan?|pasaron|pasó|pasando|verdes?|también$)(?!\p{L})/iu,
    " pasan todas",
    " pasada",
    "es"
  ),
  row(
    "éxito|correctamente|superad|exitos|limpi|errores|avisos|fallos",
    /^[^.!?;]{0,45}(?<!\p{L})(?:éxito|correctamente|superad[ao]s|exitos[ao]s?|limpi[ao]|(?:sin|0) (?:errores|avisos|fallos))(?!\p{L})/iu,
    ": sin errores",
    ": con errores",
    "es"
  ),
  row(
    "pass|réussi|vert|propre|aussi",
    /^[^.!?;]{0,45}(?<!\p{L})(?:passe(?:nt)?|passés|réussi\p{L}{0,5}|verte?s?|propres?|aussi$)(?!\p{L})/iu,
    " passent tous",
    " passeront",
    "fr"
  ),
  row(
    "erreur|avertissement|échec",
    /^[^.!?;]{0,45}(?<!\p{L})(?:sans (?:erreurs?|avertissements?)|aucun\p{L}{0,2} (?:erreur|échec)s?)(?!\p{L})/iu,
    " : sans erreur",
    " : une erreur",
    "fr"
  ),
  row(
    "passa|passou|verde|sucesso|aprovados|limp|erros|falhas|avisos|também",
    /^[^.!?;]{0,45}(?<!\p{L})(?:passam?|passaram|passou|passando|verdes?|sucesso|aprovados|limp[ao]|sem (?:erros|falhas|avisos)|também$)(?!\p{L})/iu,
    " passam todos",
    " passado",
    "pt"
  ),
  row(
    "通过|成功|绿|错误|报错|警告|失败|正常",
    /^[^。！？；]{0,20}(?:通过|成功|绿|(?:无|没有|零)(?:任何)?(?:错误|报错|警告|失败)|正常)/,
    "均已通过",
    "很慢",
    "zh"
  ),
  row(
    "パス|通り|通っ|通過|成功|合格|グリーン|緑|エラー",
    /^[^。！？；]{0,20}(?:パスし|通りまし|通り、|通って|通過し|成功し|成功です|合格し|グリーン|緑|エラー(?:は|も)?(?:なし|ゼロ|0))/,
    "がパスしました",
    "は遅いです",
    "ja"
  )
]

/** Before the check's word. */
const goodBefore = row("通过", /通过了?[^。！？；,，]{0,6}$/, "通过了全部", "测试了", "zh")

/** As far as a state may stand behind its check. */
const gap = /[^.!?;。！？；]{0,60}/

/** A check, or all of them, and the language that says so. */
export interface ForeignCheck {
  readonly gate: string
  readonly isAll: boolean
  readonly language: Language
}

/** The checks that a part of a sentence in another language says went well. */
export const foreignChecks = (told: string): ReadonlyArray<ForeignCheck> => {
  // A part of a name is no check.
  const part = told.replaceAll(/`[\w.]{1,40}-[\w.-]{1,80}`|[\w.]+\/[\w./-]+/g, "…")
  const found: Array<ForeignCheck> = []
  for (const state of good) {
    const { language } = state
    if (!state.pattern.admits(part)) continue
    for (const { gate, language: of, pattern } of [...nouns, ...subjects]) {
      if (of !== "en" && of !== language) continue
      const match = pattern.exec(part)
      if (match === null) continue
      const behind = gap.exec(part.slice(match.index + match[0].length))?.[0] ?? ""
      const isBefore = language === "zh" && goodBefore.pattern.test(part.slice(0, match.index))
      const isAll = gate === "all"
      if (takes([state], behind) || isBefore) found.push({ gate: isAll ? "ci" : gate, isAll, language })
    }
  }
  return found
}
