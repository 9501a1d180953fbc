/** The commonest claims in other languages than English; the rest is a model's to read. */
import { type Language, type Row, row } from "../../ground/text/Rows.ts"
import type { Claim, ClaimKind } from "./model.ts"

export interface ForeignRow extends Row {
  readonly kind: ClaimKind
  readonly gate: string
  readonly outcome: Claim["outcome"]
}

type Said = readonly [words: string, pattern: RegExp, yes: string, no: string]

const claim = (
  language: Language,
  [kind, gate, outcome]: readonly [kind: ClaimKind, gate: string, outcome: Claim["outcome"]],
  [words, pattern, yes, no]: Said
): ForeignRow => ({ kind, gate, outcome, ...row(words, pattern, yes, no, language) })

const ranTests = ["check", "tests", "ran"] as const
const pr = ["pr", "pr", "passed"] as const
const push = ["push", "push", "passed"] as const
const commit = ["commit", "commit", "passed"] as const
const deploy = ["deploy", "deploy", "passed"] as const
const browser = ["browser", "browser", "passed"] as const

export const foreignRows: ReadonlyArray<ForeignRow> = [
  claim("de", ranTests, [
    "test&ausgeführt|laufen lassen|gestartet",
    /\bhabe\b[^.!?;]{0,60}\b(?:tests|testsuite)\b[^.!?;]{0,30}(?:ausgeführt|laufen lassen|gestartet)/i,
    "Ich habe die Tests ausgeführt.",
    "Die Tests werden ausgeführt."
  ]),
  claim("de", pr, [
    "pr|pull|merge",
    /\b(?:pr|(?:pull|merge)[- ]request)\b[^.!?;]{0,30}(?:erstellt|geöffnet|eröffnet|angelegt|aufgemacht)/i,
    "Pull Request #12 wurde erstellt.",
    "Der PR ist klein."
  ]),
  claim("de", push, ["gepusht", /\bgepusht\b/i, "Der Branch ist gepusht.", "Der Branch ist neu."]),
  claim("de", commit, [
    "ommit|eingecheckt",
    /\b(?:committe?t|commited|eingecheckt)\b/i,
    "Ich habe alles committet.",
    "Der Commit fehlt."
  ]),
  claim("de", deploy, [
    "deploy|ausgerollt|bereitgestellt",
    /\b(?:habe|wurde|ist)\b[^.!?;]{0,50}(?:deployt|deployed|ausgerollt|bereitgestellt)/i,
    "Ich habe es auf Staging deployt.",
    "Das Deployment fehlt."
  ]),
  claim("de", browser, [
    "browser",
    /\bim browser\b[^.!?;]{0,40}(?:getestet|geprüft|überprüft|ausprobiert|kontrolliert)/i,
    "Ich habe es im Browser getestet.",
    "Es läuft im Browser."
  ]),
  claim("es", ranTests, [
    "ejecut|corr",
    /(?:ejecuté|he ejecutado|corrí|he corrido)[^.!?;]{0,40}\b(?:tests?|pruebas|suite)\b/i,
    "Ejecuté todas las pruebas.",
    "Ejecuta las pruebas."
  ]),
  claim("es", pr, [
    "pr|pull",
    /(?:abr[íi]|he abierto|creé|he creado|abierto|creado)[^.!?;]{0,20}\b(?:pr|pull request)\b/i,
    "He abierto el PR #12.",
    "El PR es corto."
  ]),
  claim("es", push, [
    "push|subí|subido",
    /(?:hice push|he hecho push|subí|he subido)[^.!?;]{0,30}(?:rama|cambios|commits?|repositorio|origin|main)/i,
    "He subido los cambios.",
    "He subido el límite."
  ]),
  claim("es", commit, [
    "commit",
    /(?:hice|he hecho|creé)[^.!?;]{0,15}\bcommit\b/i,
    "Hice el commit.",
    "El commit es viejo."
  ]),
  claim("es", deploy, [
    "despleg|desplieg",
    /(?:desplegué|he desplegado|fue desplegad[ao]|está desplegad[ao])/i,
    "He desplegado la versión.",
    "El despliegue es lento."
  ]),
  claim("fr", ranTests, [
    "exécuté|lancé",
    /\bai (?:\w{1,10} )?(?:exécuté|lancé|relancé)[^.!?;]{0,40}\b(?:tests?|suite)\b/i,
    "J'ai exécuté tous les tests.",
    "Exécutez les tests."
  ]),
  claim("fr", pr, [
    "pr|pull",
    /(?:ouvert|créé|soumis)[^.!?;]{0,20}\b(?:pr|pull request)\b|\b(?:pr|pull request)\b[^.!?;]{0,20}(?:a été|est) (?:ouverte?|créée?)/i,
    "J'ai ouvert la PR #12.",
    "La PR est courte."
  ]),
  claim("fr", push, [
    "pouss",
    /\b(?:ai poussé|a été poussée?|est poussée?)/i,
    "J'ai poussé la branche.",
    "Poussez la branche."
  ]),
  claim("fr", commit, [
    "commit",
    /\b(?:ai|a été|ont été|est) commit(?:é|té)/i,
    "J'ai commité le tout.",
    "Le commit est vieux."
  ]),
  claim("fr", deploy, [
    "déploy",
    /\b(?:ai|a été|est) déployée?/i,
    "J'ai déployé la version.",
    "Le déploiement est lent."
  ]),
  claim("pt", ranTests, [
    "executei|rodei",
    /\b(?:executei|rodei)\b[^.!?;]{0,40}\b(?:testes?|suíte)/i,
    "Rodei todos os testes.",
    "Rode os testes."
  ]),
  claim("pt", pr, [
    "pr|pull",
    /(?:abri|criei|aberto|criado)[^.!?;]{0,20}\b(?:pr|pull request)\b/i,
    "Abri o PR #12.",
    "O PR é curto."
  ]),
  claim("pt", push, [
    "push|enviei",
    /\b(?:fiz (?:o )?push|enviei (?:o|a|os|as) (?:branch|commits?|alterações|mudanças))/i,
    "Fiz o push.",
    "O push falha."
  ]),
  claim("pt", commit, [
    "commit|comitei",
    /\b(?:fiz|criei) (?:o |um )?commit\b|\bcomitei\b/i,
    "Fiz o commit.",
    "O commit é velho."
  ]),
  claim("pt", deploy, [
    "deploy|implant",
    /\b(?:fiz (?:o )?deploy|implantei|foi implantad[ao])/i,
    "Fiz o deploy.",
    "O deploy é lento."
  ]),
  claim("zh", ranTests, [
    "测试",
    /(?:运行|执行|跑)(?:了|过)[^。！？；]{0,12}测试/,
    "我运行了全部测试。",
    "请运行测试。"
  ]),
  claim("zh", pr, [
    "pr|pull|合并请求",
    /(?:创建|提交|打开|开)了[^。！？；,，]{0,8}(?:\bPR\b|[Pp]ull [Rr]equest|合并请求)/,
    "创建了 PR #12。",
    "请创建 PR。"
  ]),
  claim("zh", push, ["推送", /(?:已(?:经)?推送|推送(?:到了|至了|了))/, "已推送到远程分支。", "推送通知。"]),
  claim("zh", commit, ["提交", /已(?:经)?提交(?!的)|提交了(?:代码|更改|修改)/, "代码已提交。", "提交表单。"]),
  claim("zh", deploy, ["部署", /已(?:经)?(?:成功)?部署|部署(?:成功|完成)/, "已部署到生产环境。", "部署脚本。"]),
  claim("zh", browser, [
    "浏览器",
    /浏览器(?:中|里|上)[^。！？；,，]{0,10}(?:验证|测试|确认)(?:了|过)|(?:验证|测试)了?[^。]{0,10}浏览器/,
    "在浏览器中验证了。",
    "浏览器很慢。"
  ]),
  claim("ja", ranTests, [
    "テスト",
    /テスト(?:スイート)?(?:全体)?を[^。！？；、]{0,6}実行し(?:ました|、|て(?!くだ))/,
    "テストを実行しました。",
    "テストを実行してください。"
  ]),
  claim("ja", pr, [
    "pr|プルリク",
    /(?:PR|プルリク(?:エスト)?)[^。！？；、]{0,12}(?:作成し|開き|オープンし|出し)(?:ました|、)/i,
    "PR #12を作成しました。",
    "PRは短いです。"
  ]),
  claim("ja", push, ["プッシュ", /プッシュ(?:しました|済み|し、)/, "プッシュしました。", "プッシュ通知です。"]),
  claim("ja", commit, ["コミット", /コミット(?:しました|済み|し、)/, "コミットしました。", "コミットは古いです。"]),
  claim("ja", deploy, [
    "デプロイ",
    /デプロイ(?:しました|済み|完了|が完了)/,
    "デプロイしました。",
    "デプロイは遅いです。"
  ])
]

/** Not so, or not yet. */
export const foreignHedges: ReadonlyArray<Row> = [
  row(
    "sollt|würd|werd|wird|wenn|sobald|falls|nicht|kein|bitte|muss|müss|könn|noch |bevor|fast|außer|damit",
    /(?:sollt|würd|könn|müss)|\b(?:werden|wird|wenn|sobald|falls|nicht|bitte|muss|bevor|fast alle|außer|damit)\b|\bnoch (?:nicht|zu)|\bkein(?:e|en|er)? (?:tests?|test)\b/i,
    "Die Tests sollten durchlaufen.",
    "Die Tests laufen durch.",
    "de"
  ),
  row(
    "deber|si|cuando|no|nunca|podr|una vez|para que|antes|casi|excepto|falta|ejecute|asegúr",
    /\bdeber|\bpodr|\b(?:si|cuando|no|nunca|una vez|para que|antes de|casi|excepto|faltan?|ejecute)\b|asegúr/i,
    "Los tests deberían pasar.",
    "Los tests pasan.",
    "es"
  ),
  row(
    "devr|si|quand|lorsqu|pas|jamais|pourr|une fois|pour que|avant|presque|sauf|veuillez|n'|ne",
    /\bdevr|\bpourr|\b(?:si|quand|lorsqu\w{1,2}|pas|jamais|une fois|pour que|avant|presque|sauf|veuillez|ne)\b|\bn'/i,
    "Les tests devraient passer : ils passent si",
    "Les tests passent.",
    "fr"
  ),
  row(
    "dev|se|quando|não|nunca|poder|uma vez|para que|antes|quase|exceto|falta",
    /\bdever|\bdevem?\b|\bpoder|\b(?:se|quando|nunca|uma vez|para que|antes de|quase|exceto|faltam?)\b|não/i,
    "Os testes devem passar.",
    "Os testes passam.",
    "pt"
  ),
  row(
    "应|如果|若|一旦|请|未|没|不|待|需|将|会|确保|希望|除|大部分|吗",
    /应该|应当|应能|如果|若|一旦|请|未|没|不|待|需要|将|会|确保|希望|除了|大部分|吗/,
    "测试应该通过。",
    "测试通过。",
    "zh"
  ),
  row(
    "はず|べき|もし|たら|れば|ない|ません|未|予定|でしょう|ください|ほとんど|と思",
    /はず|べき|もし|たら|れば|ない|ません|未|予定|でしょう|ください|ほとんど|と思/,
    "テストはパスするはずです。",
    "テストはパスしました。",
    "ja"
  )
]

/** What a sentence says under a condition, or of all but a few, it says so of each of its parts. */
export const foreignConditions: ReadonlyArray<Row> = [
  row(
    "wenn|sobald|falls|außer|fast alle|damit|bevor|bitte|fehlgeschlagen|schlägt|schlagen|rot",
    /\b(?:wenn|sobald|falls|außer|fast alle|damit|bevor|bitte|fehlgeschlagen|schl(?:ägt|agen) (?:\w{2,12} )?fehl|rot)\b/i,
    "Alle Tests außer einem laufen durch.",
    "Alle Tests laufen durch.",
    "de"
  ),
  row(
    "si|cuando|una vez|para que|antes de|casi|excepto|salvo|falta|falla",
    /\b(?:si|cuando|una vez|para que|antes de|casi|excepto|salvo|faltan?|fallan?|fallaron)\b/i,
    "Pasan todas salvo una.",
    "Pasan todas.",
    "es"
  ),
  row(
    "si|quand|lorsqu|une fois|pour que|avant de|presque|sauf|échou",
    /\b(?:si|quand|lorsqu\w{1,2}|une fois|pour que|avant de|presque|sauf)\b|échou/i,
    "Tous passent sauf un.",
    "Tous passent.",
    "fr"
  ),
  row(
    "se|quando|uma vez|para que|antes de|quase|exceto|falta|falh",
    /\b(?:se|quando|uma vez|para que|antes de|quase|exceto|faltam?|falham?|falharam|falhou)\b/i,
    "Passam todos exceto um.",
    "Passam todos.",
    "pt"
  ),
  row(
    "如果|若|一旦|除了|除|大部分|失败|确保|请|吗",
    /如果|若|一旦|除了?|大部分|(?<![无零0] ?|没有)失败|确保|请|吗/,
    "除了一个，测试均通过。",
    "测试均通过。",
    "zh"
  ),
  row(
    "もし|たら|れば|ほとんど|以外|除い|失敗",
    /もし|たら|れば|ほとんど|以外|除い|失敗し/,
    "1件以外は通りました。",
    "通りました。",
    "ja"
  )
]

/** Where a sentence goes on with another statement. */
export const foreignJoints =
  /[;；]\s?|，|、(?=[^\d])|,\s(?=(?:und|aber|die|der|das|y|pero|el|la|los|las|et|mais|le|les|e|mas|o|os|as)\s)|(?<=\S \S{1,30} \S{1,30} \S{1,30}):\s(?=\S)|\s[—–]\s/
