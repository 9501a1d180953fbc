/** What a reader says of pushes: kept in the browser, and handed out as labelled stops. */
import type { PageData } from "../src/report/charts.ts"
import { encode, labelOf, type Mark } from "../src/report/labels.ts"

type Marks = Record<string, Mark>

const isMark = (value: unknown): value is Mark =>
  typeof value === "object" &&
  value !== null &&
  "right" in value &&
  typeof value.right === "boolean" &&
  "kind" in value &&
  (value.kind === null || typeof value.kind === "string") &&
  "note" in value &&
  typeof value.note === "string"

/** A browser may keep nothing for a file: then marks last as long as the page. */
const load = (key: string): Marks => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}")
    const entries = Object.entries(typeof kept === "object" && kept !== null ? kept : {})
    return Object.fromEntries(entries.filter((entry): entry is [string, Mark] => isMark(entry[1])))
  } catch {
    return {}
  }
}

const save = (key: string, marks: Marks): void => {
  try {
    localStorage.setItem(key, JSON.stringify(marks))
  } catch {
    // It is told beside the buttons that marks stay in this browser, where it lets them.
  }
}

const download = (name: string, text: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

interface Row {
  readonly id: string
  readonly buttons: ReadonlyArray<HTMLButtonElement>
  readonly kind: HTMLSelectElement
  readonly note: HTMLInputElement
}

const rowOf = (group: HTMLElement): ReadonlyArray<Row> => {
  const kind = group.querySelector<HTMLSelectElement>("[data-kind]")
  const note = group.querySelector<HTMLInputElement>("[data-note]")
  const buttons = [...group.querySelectorAll<HTMLButtonElement>("[data-mark]")]
  return kind === null || note === null ? [] : [{ id: group.dataset["push"] ?? "", buttons, kind, note }]
}

const fill = ({ buttons, kind, note }: Row, mark: Mark | undefined): void => {
  for (const button of buttons)
    button.ariaPressed = String(mark !== undefined && mark.right === (button.dataset["mark"] === "right"))
  kind.value = mark?.kind ?? ""
  note.value = mark?.note ?? ""
}

const labelsOf = (data: PageData, marks: Marks) =>
  Object.entries(data.pushes).flatMap(([id, stop]) => {
    const mark = marks[id]
    const label = mark === undefined ? null : labelOf(stop, mark)
    return label === null ? [] : [label]
  })

export const marking = (data: PageData): void => {
  const bar = document.querySelector<HTMLElement>(".exporting")
  const marked = document.getElementById("marked")
  const told = document.getElementById("told")
  const out = document.querySelector<HTMLButtonElement>("#export")
  const clear = document.querySelector<HTMLButtonElement>("#clear")
  if (bar === null || marked === null || told === null || out === null || clear === null) return
  let marks = load(data.key)
  const rows = [...document.querySelectorAll<HTMLElement>("[data-push]")].flatMap(rowOf)
  const refresh = (): void => {
    for (const row of rows) fill(row, marks[row.id])
    const labels = labelsOf(data, marks)
    const wrong = labels.filter(({ push }) => !push).length
    marked.textContent = `${labels.length} marked${labels.length === 0 ? "" : `: ${labels.length - wrong} right, ${wrong} wrong`}`
    out.disabled = labels.length === 0
    clear.disabled = labels.length === 0
  }
  const change = (row: Row, right: boolean | null): void => {
    const before = marks[row.id]
    const { [row.id]: _, ...others } = marks
    const said = right ?? before?.right
    const isTakenBack = right !== null && before?.right === right
    marks =
      said === undefined || isTakenBack
        ? others
        : { ...others, [row.id]: { right: said, kind: row.kind.value || null, note: row.note.value } }
    told.textContent = ""
    save(data.key, marks)
    if (right !== null) refresh()
  }
  for (const row of rows) {
    for (const button of row.buttons)
      button.addEventListener("click", () => change(row, button.dataset["mark"] === "right"))
    row.kind.addEventListener("input", () => change(row, null))
    row.note.addEventListener("input", () => change(row, null))
  }
  out.addEventListener("click", () => {
    const labels = labelsOf(data, marks)
    download("stops.jsonl", encode(labels))
    told.textContent = `${labels.length} label${labels.length === 1 ? "" : "s"} in stops.jsonl: docs/report.md says how the evals read them.`
  })
  clear.addEventListener("click", () => {
    marks = {}
    save(data.key, marks)
    told.textContent = "All marks are cleared."
    refresh()
    rows[0]?.buttons[0]?.focus()
  })
  bar.hidden = false
  refresh()
}
