/** How a check went, in other languages than English: its word, and behind it one of the words for good. */
import { type Language, type Row, row, takes } from "../../ground/text/Rows.ts"
import { type GateRow, subjects } from "./checkRows.ts"

const inLanguage = (gate: string, language: Language, ...[words, pattern, yes, no]: Parameters<typeof row>): GateRow => ({
  gate,
  ...row(words, pattern, yes, no, language)
})

/** Beside the words that most languages borrow from English. */
const nouns: ReadonlyArray<GateRow> = [
  inLanguage("tests", "de", "test", /\b(?:\w{1,20}-?)?(?:tests?|testsuite|testlauf|testfälle)\b/i, "Unit-Tests", "getestet"),
  inLanguage("tests", "es", "prueba|test", /\b(?:pruebas|tests?|suite)\b/i, "las pruebas", "la prueba"),
  inLanguage("tests", "fr", "test", /\b(?:tests?|suite de tests)\b/i, "les tests", "la suite"),
  inLanguage("tests", "pt", "test", /\b(?:testes|tests|suíte)\b/i, "os testes", "testar"),
  inLanguage("tests", "zh", "测试", /测试(?:用例|套件)?/, "所有测试", "检查"),
  inLanguage("tests", "ja", "テスト", /テスト/, "テスト", "検査"),
  inLanguage("build", "de", "build|kompil", /\b(?:build|kompilierung|kompiliert)\b/i, "der Build", "gebaut"),
  inLanguage("build", "es", "build|compil", /\b(?:build|compilación|compila)\b/i, "la compilación", "construir"),
  inLanguage("build", "fr", "build|compil", /\b(?:build|compilation|compile)\b/i, "la compilation", "construire"),
  inLanguage("build", "pt", "build|compil", /\b(?:build|compilação|compila)\b/i, "a compilação", "construir"),
  inLanguage("build", "zh", "构建|编译", /构建|编译/, "构建", "建设"),
  inLanguage("build", "ja", "ビルド|コンパイル", /ビルド|コンパイル/, "ビルド", "建設"),
  inLanguage("typecheck", "de", "typ", /\b(?:typprüfung|typecheck|type-check)\b/i, "die Typprüfung", "der Typ"),
  inLanguage("typecheck", "es", "tipo", /\b(?:comprobación|verificación|chequeo) de tipos\b/i, "la comprobación de tipos", "el tipo"),
  inLanguage("typecheck", "fr", "typ", /\b(?:vérification (?:des|de) types?|typage)\b/i, "le typage", "le type"),
  inLanguage("typecheck", "pt", "tipo", /\bverificação de tipos\b/i, "a verificação de tipos", "o tipo"),
  inLanguage("typecheck", "zh", "类型", /类型检查/, "类型检查", "类型"),
  inLanguage("typecheck", "ja", "型", /型チェック|型検査/, "型チェック", "型"),
  inLanguage("ci", "zh", "流水线", /流水线/, "流水线", "流水")
]


/** Behind the check's word, in the same clause. */
const good: ReadonlyArray<Row> = [
  row(
    "grün|durch|besteh|bestand|erfolgreich|fehlerfrei|sauber|ohne|keine",
    /^[^.!?;]{0,45}(?:(?<![\p{L}])(?:grün|(?:laufen|läuft|liefen|lief|gehen|geht|ging)(?: \w{2,10}){0,2} durch|bestehen|bestanden|erfolgreich|fehlerfrei|sauber|(?:keine|ohne) (?:fehler|warnungen))(?![\p{L}]))/iu,
    " laufen alle durch",
    " laufen durcheinander",
    "de"
  ),
  row(
    "pasa|pasó|verde|éxito|correcta|superad|sin |limpi|exitos",
    /^[^.!?;]{0,45}(?<![\p{L}])(?:pasan?|pasaron|pasó|pasando|verdes?|éxito|correctamente|superad[ao]s|exitos[ao]s?|limpi[ao]|(?:sin|0) (?:errores|avisos|fallos))(?![\p{L}])/iu,
    " pasan todas",
    " pasada",
    "es"
  ),
  row(
    "pass|réuss|vert|sans|propre|aucun",
    /^[^.!?;]{0,45}(?<![\p{L}])(?:passe(?:nt)?|passés|réussi\p{L}{0,5}|verte?s?|propres?|sans (?:erreurs?|avertissements?)|aucun\p{L}{0,2} (?:erreur|échec)s?)(?![\p{L}])/iu,
    " passent tous",
    " passeront",
    "fr"
  ),
  row(
    "passa|passou|verde|sucesso|aprovad|sem |limp",
    /^[^.!?;]{0,45}(?<![\p{L}])(?:passam?|passaram|passou|passando|verdes?|sucesso|aprovados|limp[ao]|sem (?:erros|falhas|avisos))(?![\p{L}])/iu,
    " passam todos",
    " passado",
    "pt"
  ),
  row(
    "通过|成功|绿|无错误|没有错误|正常|零错误|无警告",
    /^[^。！？；]{0,20}(?:通过|成功|全绿|绿了|绿色|(?:无|没有|零)(?:任何)?(?:错误|报错|警告|失败)|正常)/,
    "均已通过",
    "很慢",
    "zh"
  ),
  row(
    "パス|通り|通っ|通過|成功|合格|グリーン|エラー|問題",
    /^[^。！？；]{0,20}(?:パスし|パスして|通りまし|通って|通過し|成功し|成功です|合格し|グリーン|エラー(?:は|も)?(?:なし|ゼロ|0))/,
    "がパスしました",
    "は遅いです",
    "ja"
  )
]

/** Before the check's word. */
const goodBefore = row("通过", /通过了?[^。！？；,，]{0,6}$/, "通过了全部", "测试了", "zh")

/** What else stands between has its own state. */
const gap = /[^.!?;。！？；]{0,60}/

/** The checks that a sentence in another language says went well, with the language. */
export const foreignChecks = (
  sentence: string
): ReadonlyArray<{ readonly gate: string; readonly language: Language }> => {
  const found: Array<{ readonly gate: string; readonly language: Language }> = []
  for (const state of good) {
    const language = state.language
    for (const { gate, language: of, pattern } of [...nouns, ...subjects]) {
      if (of !== "en" && of !== language) continue
      const match = pattern.exec(sentence)
      if (match === null) continue
      const behind = gap.exec(sentence.slice(match.index + match[0].length))?.[0] ?? ""
      const isBefore = language === "zh" && goodBefore.pattern.test(sentence.slice(0, match.index))
      if (takes([state], behind) || isBefore) found.push({ gate, language })
    }
  }
  return found
}

