/**
 * Orders in Japanese, whose mood stands at the end of a sentence: it has to end with a request, and what is ordered are the
 * clauses that end it.
 */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { namedCheck } from "./foreignChecks.ts"
import type { Order } from "./foreignSpeech.ts"
import type { Wanted } from "./model.ts"

const orderRow = (
  [gate, how]: readonly [gate: string | null, how: Order["how"]],
  words: string,
  pattern: RegExp,
  yes: string,
  no: string
): Order => ({ gate, how, ...row(words, pattern, yes, no, "ja") })

/** What a clause orders, up to the stem of its verb. */
const orders: ReadonlyArray<Order> = [
  orderRow(
    [null, "run"],
    "実行|走らせ|回し|流し|かけ",
    /^(.{1,40}?)を? ?(?:もう一度|再度|全部|すべて)?(?:再?実行し|走らせ|回し|流し|かけ)$/,
    "テストを実行し",
    "テストの実行"
  ),
  orderRow(
    [null, "fix"],
    "直し|修正し|修復し",
    /^(?:失敗している|失敗した|失敗する|落ちている|落ちた|壊れている|壊れた)?(.{1,40}?)を?(?:直し|修正し|修復し)$/,
    "失敗しているテストを直し",
    "テストの修正"
  ),
  orderRow(
    ["build", "run"],
    "ビルド|コンパイル",
    /^(?:(?:プロジェクト|アプリ|コード)(?:全体)?を?)?(?:ビルド|コンパイル)し$/,
    "プロジェクトをビルドし",
    "ビルドの設定を見直し"
  ),
  orderRow(["typecheck", "run"], "型チェック", /^型チェックを?し$/, "型チェックをし", "型チェックを直し"),
  orderRow(
    ["commit", "run"],
    "コミット",
    /^(?:(?:変更|修正|コード|それ)(?:点|内容)?を?)?(?:すべて|全部)?コミットし$/,
    "変更をコミットし",
    "コミットを説明し"
  ),
  orderRow(
    ["push", "run"],
    "プッシュ",
    /^(?:(?:変更|修正|コード|ブランチ|それ)を?)?(?:(?:origin|リモート|github|main|master)(?:に|へ))?プッシュし$/i,
    "リモートにプッシュし",
    "プッシュ通知を直し"
  ),
  orderRow(
    ["pr", "run"],
    "pr|プルリク|pull",
    /^(?:pr|プルリク(?:エスト)?|pull request)を?(?:作成し|作っ|出し|開い)$/i,
    "PRを作成し",
    "PRを見直し"
  )
]

/** Behind the stem, at the end of a sentence. */
const requests = /(?:[てで](?:おいて|みて)?(?:ください|下さい|くれ|ね|よ)?|ろ|なさい)$/
const goesOn = /[てで](?:から)?$/
/** A request that a reason or a topic stands before is one only by its form: "CI は…を実行して" tells. */
const plainRequest = /(?:ください|下さい|くれ|ろ|なさい)$/
const tellsTopic = /(?<!まず|では|今度)[はが]/

const openings =
  /^(?:では|まずは?|次に|最後に|それから|その後|そのあと|あと|そして|さらに|また|今度は|もう一度|必ず|念のため|\s){1,3}/

/** What is done with the outcome of a check. */
const reports =
  /^(?:その)?(?:結果|出力)(?:だけ)?を?(?:教え|報告し|見せ|知らせ|まとめ)[てで](?:ください|下さい|くれ|ね)?$/

const beforeReport = /(?<=[てで])(?=(?:その)?(?:結果|出力))/

const unsure: ReadonlyArray<Row> = [
  row(
    "たら|れば|なら|とき|時|場合|たび|毎|まで|前に|もし|なければ",
    /たら|れば|なら|とき|時[はに、]|場合|たび|毎回|まで|前に|もし/,
    "変更したら、",
    "変更して、",
    "ja"
  ),
  row("と|って", /と(?:言|い[うっわ]|書|聞|思|頼)|って(?:言|いう|こと)|か(?:どうか|$)/, "と言われた", "と比べて", "ja")
]

const wantedBy = (stem: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const read = ({ gate, how, pattern }: Order): ReadonlyArray<Wanted> => {
    const match = pattern.exec(stem)
    if (match === null) return []
    if (gate !== null) return [{ gate, how, command: null }]
    return namedCheck((match[1] ?? "").trim(), spans).map((check) => ({ ...check, how }))
  }
  return orders.map(read).find((wanted) => wanted.length > 0) ?? []
}

/** The orders that a clause ends with, and what stands before them: "直してテストを実行し" */
const ordersAtEnd = (
  clause: string,
  end: RegExp,
  spans: ReadonlyArray<string>
): { readonly wanted: ReadonlyArray<Wanted>; readonly rest: string } | null => {
  const text = clause.trim().replace(openings, "")
  if (!end.test(text)) return null
  const whole = wantedBy(text.replace(end, ""), spans)
  if (whole.length > 0) return { wanted: whole, rest: "" }
  for (const { 0: link, index } of text.slice(0, 60).matchAll(/[てで](?:から)?/g)) {
    const at = index + link.length
    const wanted = wantedBy(text.slice(at).replace(end, ""), spans)
    if (wanted.length === 0) continue
    const before = ordersAtEnd(text.slice(0, at), goesOn, spans)
    return before === null ? { wanted, rest: text.slice(0, at) } : { ...before, wanted: [...before.wanted, ...wanted] }
  }
  return null
}

export const admits = (sentence: string): boolean => orders.some(({ pattern }) => pattern.admits(sentence))

/** `changes`: something else is to be done before. */
export const read = (
  sentence: string,
  spans: ReadonlyArray<string>
): { readonly wanted: ReadonlyArray<Wanted>; readonly changes: boolean } => {
  const clauses = sentence
    .replace(beforeReport, "、")
    .split(/[、，,]\s?/)
    .filter((clause) => clause.trim() !== "")
  const reported = reports.test(clauses.at(-1)?.trim() ?? "")
  const said = reported ? clauses.slice(0, -1) : clauses
  const wanted: Array<Wanted> = []
  let rest: ReadonlyArray<string> = said
  while (rest.length > 0) {
    const isLast = rest.length === said.length && !reported
    const found = ordersAtEnd(rest.at(-1) ?? "", isLast ? requests : goesOn, spans)
    if (found === null) break
    wanted.unshift(...found.wanted)
    rest = [...rest.slice(0, -1), ...(found.rest === "" ? [] : [found.rest])]
    if (found.rest !== "") break
  }
  const isTold = !plainRequest.test(sentence) && rest.some((clause) => tellsTopic.test(clause))
  if (wanted.length === 0 || isTold || takes(unsure, sentence)) return { wanted: [], changes: false }
  return { wanted, changes: rest.some((clause) => goesOn.test(clause.trim())) }
}

const changing =
  /を.{0,20}(?:直し|修正し|変更し|追加し|削除し|実装し|作成し|作っ|書い|書き換え|置き換え|変え|消し)[てで]/

/** Whether a sentence orders something to be changed. */
export const wantsChange = (sentence: string): boolean => changing.test(sentence)
