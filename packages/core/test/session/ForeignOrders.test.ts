import { assert, describe, it } from "@effect/vitest"
import { asksOf } from "../../src/session/task/requestedGates.ts"

const gatesOf = (text: string): ReadonlyArray<string> =>
  asksOf(text)
    .asks.map(({ gate }) => gate)
    .toSorted()

describe("plain orders in other languages", () => {
  it.each([
    ["Lass die Tests laufen.", ["tests"]],
    ["Korrigiere die Rundung und lass die Tests laufen.", ["tests"]],
    ["Bitte führe die Tests aus.", ["tests"]],
    ["Stell sicher, dass alle Tests grün sind.", ["tests"]],
    ["Sorge dafür, dass die Tests durchlaufen.", ["tests"]],
    ["Repariere die fehlschlagenden Tests.", ["tests"]],
    ["Lass den Linter laufen.", ["lint"]],
    ["Baue das Projekt.", ["build"]],
    ["Prüfe die Typen.", ["typecheck"]],
    ["Committe die Änderungen und pushe sie.", ["commit", "push"]],
    ["Mach einen PR auf.", ["pr"]],
    ["Ejecuta las pruebas.", ["tests"]],
    ["Corrige el redondeo y ejecuta los tests.", ["tests"]],
    ["Asegúrate de que todas las pruebas pasen.", ["tests"]],
    ["Arregla los tests que fallan.", ["tests"]],
    ["Ejecuta el linter.", ["lint"]],
    ["Compila el proyecto.", ["build"]],
    ["Haz commit de los cambios y haz push.", ["commit", "push"]],
    ["Lance les tests.", ["tests"]],
    ["Corrige l'arrondi puis exécute les tests.", ["tests"]],
    ["Assure-toi que tous les tests passent.", ["tests"]],
    ["Répare les tests qui échouent.", ["tests"]],
    ["Lance le linter.", ["lint"]],
    ["Compile le projet.", ["build"]],
    ["Fais un commit et pousse les changements.", ["commit", "push"]],
    ["运行测试", ["tests"]],
    ["修复舍入问题并运行测试。", ["tests"]],
    ["确保所有测试通过。", ["tests"]],
    ["修复失败的测试。", ["tests"]],
    ["跑一下 lint。", ["lint"]],
    ["构建项目。", ["build"]],
    ["提交更改并推送。", ["commit", "push"]],
    ["テストを実行して", ["tests"]],
    ["丸めを直して、テストを実行してください。", ["tests"]],
    ["すべてのテストが通るようにしてください。", ["tests"]],
    ["失敗しているテストを直してください。", ["tests"]],
    ["リンターを実行してください。", ["lint"]],
    ["プロジェクトをビルドしてください。", ["build"]],
    ["変更をコミットしてプッシュしてください。", ["commit", "push"]]
  ])("%s", (text, gates) => {
    assert.deepStrictEqual(gatesOf(text), gates)
  })

  it.each([
    "Die Tests laufen schon.",
    "Warum laufen die Tests nicht?",
    "Lass die Tests nicht laufen.",
    "Schreibe Tests für die Rundung.",
    "Der Build ist langsam, erkläre warum.",
    "Wie führe ich die Tests aus?",
    "Der letzte Commit und der Push waren gut.",
    "Prüfe die Typografie der Seite.",
    "No ejecutes las pruebas.",
    "¿Cómo ejecuto las pruebas?",
    "Escribe pruebas para el redondeo.",
    "El commit de ayer rompió la compilación.",
    "Ne lance pas les tests.",
    "Écris des tests pour l'arrondi.",
    "Comment lancer les tests ?",
    "Explique le dernier commit.",
    "不要运行测试。",
    "怎么运行测试？",
    "为舍入写测试。",
    "测试失败了。",
    "解释最近的提交。",
    "不要提交。",
    "テストを書いてください。",
    "テストを実行しないでください。",
    "テストの実行方法を教えて。",
    "最後のコミットを説明して。",
    "コミットしないでください。"
  ])("is none: %s", (text) => {
    assert.deepStrictEqual(gatesOf(text), [])
  })
})
