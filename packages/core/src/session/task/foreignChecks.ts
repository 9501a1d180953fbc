/** The names of checks in languages other than English: the name and nothing else. */
import { row } from "../../ground/text/Rows.ts"
import { gatesOfCommand } from "./commandGates.ts"
import type { GateRow } from "./RequestPatterns.ts"
import type { Wanted } from "./model.ts"

const checks: ReadonlyArray<GateRow> = [
  {
    gate: "tests",
    ...row(
      "test|prueba|suite",
      /^(?:(?:unit|e2e|integrations?)[- ]?)?(?:tests|test-?suite|pruebas|testes|suite)(?: (?:unitarias|unitarios|unitaires|unitários|d'intégration|de integración|e2e))?$/i,
      "Unit-Tests",
      "Testdaten",
      "de"
    )
  },
  {
    gate: "tests",
    ...row(
      "测试",
      /^(?:所有|全部|整个|单元|集成|失败|报错|出错|的){0,4}测试(?:用例|套件)?$/,
      "所有单元测试",
      "测试环境",
      "zh"
    )
  },
  {
    gate: "tests",
    ...row(
      "テスト",
      /^(?:すべての|全ての|全部の|全|単体|ユニット|統合){0,2}テスト(?:スイート)?$/,
      "すべてのテスト",
      "テストの実行方法",
      "ja"
    )
  },
  { gate: "lint", ...row("lint", /^(?:es)?lint(?:er|ing)?(?: ?检查| ?错误)?$/i, "ESLint", "Lint-Regeln", "de") },
  { gate: "lint", ...row("代码检查", /^代码检查$/, "代码检查", "代码", "zh") },
  { gate: "lint", ...row("リン", /^リン(?:ト|ター?)$/, "リンター", "リンク", "ja") },
  { gate: "build", ...row("build|构建|ビルド", /^(?:build|构建|ビルド)$/i, "Build", "Build-Skript", "de") },
  {
    gate: "typecheck",
    ...row(
      "type|typprüfung|类型|型",
      /^(?:type[- ]?check(?:er)?|typprüfung|类型(?:检查|错误)|型(?:チェック|エラー))$/i,
      "Typprüfung",
      "Typ der Spalte",
      "de"
    )
  }
]

const command = /^[a-z][\w./-]{1,20}(?: [\w./:@=-]{1,40}){0,3}$/

/** The gates of a check by its name, or by the command that runs it; code spans stand as `` `0` ``, `` `1` `` and so on. */
export const namedCheck = (
  name: string,
  spans: ReadonlyArray<string>
): ReadonlyArray<Pick<Wanted, "gate" | "command">> => {
  const span = /^`(\d{1,2})`$/.exec(name)?.[1]
  const named = span === undefined ? checks.find(({ pattern }) => pattern.test(name)) : undefined
  if (named !== undefined) return [{ gate: named.gate, command: null }]
  const run = span === undefined ? (command.test(name) ? name : "") : (spans[Number(span)] ?? "")
  return run === "" ? [] : gatesOfCommand(run).map((gate) => ({ gate, command: run }))
}
