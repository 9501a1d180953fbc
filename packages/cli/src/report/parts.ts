/** The parts that a report's page is drawn with. */
import { type Html, html, type Part } from "./html.ts"
import { timeOf } from "./text.ts"
import { type Outcome, outcomeNames } from "./words.ts"

export const time = (at: number | null): Html =>
  at === null
    ? html`<span class="dim">unknown time</span>`
    : html`<time datetime="${new Date(at).toISOString()}">${timeOf(at)}</time>`

/**
 * The time that a text names, if it does.
 *
 * @category rendering
 */
export const timeIn = (text: string): Html => {
  const at = Date.parse(text)
  return time(Number.isNaN(at) ? null : at)
}

export const badge = (outcome: Outcome, name: string = outcomeNames[outcome]): Html =>
  html`<span class="badge ${outcome}">${name}</span>`

/**
 * A table; the first cell of each row is its head, the others are figures.
 *
 * @category rendering
 */
export const table = (
  caption: string,
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<readonly [head: Part, ...cells: ReadonlyArray<Part>]>
): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([head, ...cells]) =>
            html`<tr>
              <th scope="row">${head}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr> `
        )}
      </tbody>
    </table>
  </div>`

/**
 * A chart with its table behind it: without a script the table is all there is, and it is open.
 *
 * @category rendering
 */
export const chart = (
  options: { readonly id: string; readonly title: string; readonly note?: string },
  behind: Html
): Html =>
  html`<section class="card chart">
    <h3>${options.title}</h3>
    ${options.note === undefined ? null : html`<p class="dim">${options.note}</p>`}
    <div
      class="plot"
      id="chart-${options.id}"
      role="img"
      aria-label="${options.title}: the figures are in the table below"
    ></div>
    <details class="behind">
      <summary>Figures</summary>
      ${behind}
    </details>
  </section>`

/**
 * A figure with what it counts.
 *
 * @category rendering
 */
export const tile = (name: string, value: Part, note: Part, tone = ""): Html =>
  html`<div class="tile ${tone}">
    <dt>${name}</dt>
    <dd>${value}</dd>
    <dd class="note">${note}</dd>
  </div>`

/**
 * The name of a rule or kind as words.
 *
 * @category rendering
 */
export const spaced = (text: string): string => text.replaceAll("_", " ")

/**
 * What is said where a part of the report has nothing.
 *
 * @category rendering
 */
export const empty = (text: Part): Html => html`<p class="empty">${text}</p>`

export const percent = (part: number, whole: number): string =>
  whole === 0 ? "none" : `${Math.round((100 * part) / whole)} %`
