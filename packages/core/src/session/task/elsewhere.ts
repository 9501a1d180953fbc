/**
 * How a person orders a check, a commit, a push or a pull request in languages other than English: the plainest forms, each
 * with a text that it takes and one that it must not. What is said in another way is a model's to read.
 */
import { type GateRow, gateRow } from "./RequestPatterns.ts"

/** Anywhere in a sentence that asks and denies nothing. */
export const elsewhere: ReadonlyArray<GateRow> = [
  gateRow(
    "tests",
    "test",
    /\b(?:führe?\b.{0,40}\btests?\b.{0,20} aus\b|lass(?:e|t)?\b.{0,40}\btests?\b.{0,20} (?:durch)?laufen\b)/i,
    "Bitte führe alle Tests aus.",
    "Die Tests laufen.",
    "de"
  ),
  gateRow(
    "pr",
    "pr|pull",
    /(?:^|\s)(?:öffne|erstelle?|mach) (?:bitte )?(?:einen? )?(?:pr|pull[- ]request)\b/i,
    "Öffne einen PR.",
    "Der PR ist offen.",
    "de"
  ),
  gateRow(
    "tests",
    "prueba|test",
    /\b(?:ejecuta|corre|pasa|lanza) (?:todas? |todos )?(?:las? |los )?(?:pruebas|tests?)\b/i,
    "Ejecuta las pruebas.",
    "Las pruebas fallan.",
    "es"
  ),
  gateRow(
    "pr",
    "pr|pull",
    /\b(?:abre|crea|haz) (?:una? )?(?:pr|pull request)\b/i,
    "Abre un PR.",
    "El PR abierto.",
    "es"
  ),
  gateRow(
    "tests",
    "test",
    /\b(?:lance[rz]?|exécute[rz]?|fais (?:passer|tourner)) (?:tous )?les tests\b/i,
    "Lance les tests.",
    "Les tests échouent.",
    "fr"
  ),
  gateRow(
    "pr",
    "pr|pull",
    /\b(?:ouvre[zr]?|crée[zr]?|fais) une (?:pr|pull request)\b/i,
    "Ouvre une PR.",
    "La PR.",
    "fr"
  ),
  gateRow(
    "tests",
    "teste",
    /\b(?:execute|rode|roda|corre) (?:todos )?(?:os )?testes\b/i,
    "Rode os testes.",
    "Os testes falham.",
    "pt"
  ),
  gateRow("pr", "pr|pull", /\b(?:abra|abre|crie) um(?:a)? (?:pr|pull request)\b/i, "Abra um PR.", "O PR aberto.", "pt"),
  gateRow(
    "tests",
    "测试",
    /(?:运行|执行|跑)(?:一下|所有|全部|单元|下){0,2}的?测试/,
    "请运行所有测试。",
    "测试失败了。",
    "zh"
  ),
  gateRow("pr", "pr", /(?:提|创建|开)(?:一个|个)? ?pr\b/i, "提一个 PR。", "这个 PR 很大。", "zh"),
  gateRow(
    "tests",
    "テスト",
    /テストを(?:全部|すべて)?(?:実行|走らせ|回し)/,
    "テストを実行してください。",
    "テストが失敗する。",
    "ja"
  ),
  gateRow("pr", "pr", /prを(?:作成|作っ|出し|開い)/i, "PRを作成してください。", "PRを見た。", "ja"),
  gateRow(
    "tests",
    "test",
    /\b(?:stelle? sicher|sorge? dafür|achte darauf),? dass\b.{0,40}\btests?\b.{0,30}(?:grün|laufen|bestehen)/i,
    "Stell sicher, dass alle Tests grün sind.",
    "Stell sicher, dass du Tests schreibst.",
    "de"
  ),
  gateRow(
    "tests",
    "test",
    /(?:^|[,;.] |\b(?:und|bitte|dann) )(?:repariere?|korrigiere?|behebe?) (?:die |alle ){0,2}(?:\w{3,20}en )?tests?\b/i,
    "Repariere die fehlschlagenden Tests.",
    "Repariere die Testdaten.",
    "de"
  ),
  gateRow(
    "lint",
    "lint",
    /\b(?:lass(?:e|t)?\b.{0,20}\b(?:es)?lint(?:er)?\b.{0,20} laufen|führe?\b.{0,20}\b(?:es)?lint(?:er)?\b.{0,15} aus)\b/i,
    "Lass den Linter laufen.",
    "Der Linter läuft.",
    "de"
  ),
  gateRow(
    "build",
    "projekt|app|anwendung|code|paket",
    /(?:^|[,;.] |\b(?:und|bitte|dann) )(?:baue?|kompiliere?) (?:das|die|den) (?:ganze |gesamte )?(?:projekt|app|anwendung|code|paket)\b/i,
    "Baue das Projekt.",
    "Baue die Seite um.",
    "de"
  ),
  gateRow(
    "typecheck",
    "typen",
    /(?:^|[,;.] |\b(?:und|bitte|dann) )(?:über)?prüfe? (?:die |alle ){0,2}typen(?=$|[,.!]| und\b)/i,
    "Prüfe die Typen.",
    "Prüfe die Typen von Kunden.",
    "de"
  ),
  gateRow(
    "commit",
    "commit",
    /(?:^|[,;.] |\b(?:und|bitte|dann) )(?:committ?e|mache? (?:bitte )?einen commit)\b/i,
    "Committe die Änderungen.",
    "Der Commit ist alt.",
    "de"
  ),
  gateRow(
    "push",
    "pushe",
    /(?:^|[,;.] |\b(?:und|bitte|dann) )pushe\b/i,
    "Teste und pushe sie.",
    "Er pushe zu oft.",
    "de"
  ),
  gateRow(
    "tests",
    "prueba|test",
    /\b(?:asegúrate de|asegura|haz) que\b.{0,40}\b(?:pruebas|tests?)\b.{0,20}\bpas[ea]n\b/i,
    "Asegúrate de que todas las pruebas pasen.",
    "Asegúrate de que haya pruebas.",
    "es"
  ),
  gateRow(
    "tests",
    "prueba|test",
    /\b(?:arregla|corrige|repara) (?:todas |todos )?(?:las |los )(?:pruebas|tests?)\b/i,
    "Arregla los tests que fallan.",
    "Arregla el servidor de pruebas.",
    "es"
  ),
  gateRow(
    "lint",
    "lint",
    /\b(?:ejecuta|corre|pasa|lanza) (?:el )?(?:es)?lint(?:er)?\b/i,
    "Ejecuta el linter.",
    "El linter falla.",
    "es"
  ),
  gateRow(
    "build",
    "proyecto|aplicación|código|paquete",
    /(?:^|[,;.] |\b(?:y|luego|por favor) )(?:compila|construye) (?:el |la |todo el )(?:proyecto|aplicación|código|paquete)/i,
    "Compila el proyecto.",
    "El proyecto compila.",
    "es"
  ),
  gateRow(
    "typecheck",
    "tipos",
    /\b(?:comprueba|verifica|revisa) los tipos(?=$|[,.!]| y\b)/i,
    "Comprueba los tipos.",
    "Comprueba los tipos de usuario.",
    "es"
  ),
  gateRow("commit", "commit", /\bhaz (?:un )?commit\b/i, "Haz commit de los cambios.", "El commit de ayer.", "es"),
  gateRow("push", "push", /\bhaz (?:un )?push\b/i, "Haz push.", "El push de ayer.", "es"),
  gateRow(
    "tests",
    "tests",
    /\b(?:assure(?:-toi|z-vous)|vérifie[rz]?|fais en sorte) que\b.{0,40}\btests\b.{0,20}\bpassent\b/i,
    "Assure-toi que tous les tests passent.",
    "Assure-toi que des tests existent.",
    "fr"
  ),
  gateRow(
    "tests",
    "tests",
    /\b(?:répare[rz]?|corrige[rz]?) (?:tous )?les tests\b/i,
    "Répare les tests qui échouent.",
    "Répare le serveur de tests.",
    "fr"
  ),
  gateRow(
    "lint",
    "lint",
    /\b(?:lance[rz]?|exécute[rz]?|fais (?:passer|tourner)) (?:le |l')?(?:es)?lint(?:er)?\b/i,
    "Lance le linter.",
    "Le linter échoue.",
    "fr"
  ),
  gateRow(
    "build",
    "projet|application|code|paquet",
    /(?:^|[,;.] |\b(?:et|puis) )(?:compile[rz]?|construis(?:ez)?) (?:le |l'|tout le )(?:projet|application|code|paquet)\b/i,
    "Compile le projet.",
    "Le projet compile.",
    "fr"
  ),
  gateRow(
    "typecheck",
    "types",
    /\bvérifie[rz]? les types(?=$|[,.!]| et\b)/i,
    "Vérifie les types.",
    "Vérifie les types de client.",
    "fr"
  ),
  gateRow("commit", "commit", /\bfai(?:s|tes) (?:un )?commit\b/i, "Fais un commit.", "Le dernier commit.", "fr"),
  gateRow(
    "push",
    "pousse|push",
    /\b(?:pousse[rz]? (?:les (?:changements|modifications|commits)|le code|tout)|fai(?:s|tes) (?:un )?push)\b/i,
    "Pousse les changements.",
    "Le push de la branche.",
    "fr"
  ),
  gateRow(
    "tests",
    "测试",
    /(?:确保|保证)[^，。]{0,12}测试[^，。]{0,8}(?:通过|成功)/,
    "确保所有测试通过。",
    "确保有测试。",
    "zh"
  ),
  gateRow(
    "tests",
    "测试",
    /(?:修复|修好|解决)[^，。]{0,10}测试(?:用例|错误)?(?=$|[，。！、 ])/,
    "修复失败的测试。",
    "修复测试环境。",
    "zh"
  ),
  gateRow("lint", "lint", /(?:运行|执行|跑)(?:一下|下)? ?(?:es)?lint/i, "跑一下 lint。", "lint 失败了。", "zh"),
  gateRow(
    "build",
    "项目|工程|代码|应用",
    /(?:构建|编译)(?:一下|整个|这个)?(?:项目|工程|代码|应用)(?!的)/,
    "构建项目。",
    "构建项目的脚本。",
    "zh"
  ),
  gateRow(
    "typecheck",
    "类型检查",
    /(?:运行|执行|跑|做)(?:一下|下)?类型检查/,
    "运行类型检查。",
    "类型检查失败了。",
    "zh"
  ),
  gateRow(
    "commit",
    "提交",
    /(?:^|[，。、；请后再并]) ?提交(?:一下|所有|全部|更改|代码|修改|改动|变更)(?!的)/,
    "提交更改。",
    "解释最近的提交。",
    "zh"
  ),
  gateRow(
    "push",
    "推送",
    /(?:^|[，。、；请后再并]) ?推送(?:$|[，。！到]|更改|代码|分支|一下)/,
    "提交更改并推送。",
    "推送通知坏了。",
    "zh"
  ),
  gateRow(
    "tests",
    "テスト",
    /テストが(?:全部|すべて)?(?:通る|パスする|成功する)ように/,
    "すべてのテストが通るようにしてください。",
    "テストが通ることもある。",
    "ja"
  ),
  gateRow(
    "tests",
    "テスト",
    /テストを(?:直し|修正し|修復し)/,
    "失敗しているテストを直してください。",
    "テストを書いてください。",
    "ja"
  ),
  gateRow(
    "lint",
    "リント|リンタ|lint",
    /(?:リント|リンター?|lint)を(?:実行|走らせ|かけ)/i,
    "リンターを実行してください。",
    "リンターが失敗する。",
    "ja"
  ),
  gateRow(
    "build",
    "ビルド|コンパイル",
    /(?:プロジェクト|アプリ|コード)を(?:ビルド|コンパイル)して(?!から|あ|い|し)/,
    "プロジェクトをビルドしてください。",
    "ビルドが遅い。",
    "ja"
  ),
  gateRow(
    "typecheck",
    "型チェック",
    /型チェックを(?:実行|走らせ|して)/,
    "型チェックを実行してください。",
    "型チェックが失敗する。",
    "ja"
  ),
  gateRow(
    "commit",
    "コミット",
    /コミットして(?!から|あ|い|し)/,
    "変更をコミットしてください。",
    "コミットしてから壊れた。",
    "ja"
  ),
  gateRow(
    "push",
    "プッシュ",
    /プッシュして(?!から|あ|い|し)/,
    "プッシュしてください。",
    "プッシュしてから壊れた。",
    "ja"
  )
]

/** What denies or asks in those languages, "how the tests are run" among it. */
export const notElsewhere =
  /[?？]|\b(?:wie|cómo|como|comment|come)\b|如何|怎么|怎样|怎麼|怎樣|方法|どうやって|どのように|\b(?:nicht|kein\w*|wenn|falls|nunca|sin|si|jamais|pas|não|sem|se|no)\b|不要|别|不用|如果|吗|ないで|せずに|なくて|場合/i

/** What these rows speak of, where it has no English word in it. */
export const mentionsElsewhere =
  /prueba|tipos|construye|construis|pousse|baue|typen|测试|构建|编译|类型|提交|推送|テスト|ビルド|コンパイル|型チェック|コミット|プッシュ|リン[タト]/i
