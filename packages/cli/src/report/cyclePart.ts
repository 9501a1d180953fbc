/** The reflection cycle on a report's page: the changes that it left for a person, and the analyses behind them. */
import { counted } from "../terminal/Layout.ts"
import { type Html, html } from "./html.ts"
import type { Analysis, Change, Cycle, ReportData } from "./model.ts"
import { empty, spaced, tile, time, timeIn } from "./parts.ts"

const anchor = (index: number): string => `change-${index + 1}`

const change = ({ at, reference, text, title }: Change, index: number): Html =>
  html`<article class="card change" id="${anchor(index)}" tabindex="-1">
    <h4>${title}</h4>
    <p class="dim"><span class="id">${reference}</span> · ${time(at)}</p>
    <p class="detail">${text}</p>
  </article> `

/** An analysis names a proposal by its whole path. */
const left = ({ left }: Analysis, changes: ReadonlyArray<Change>): Html | null =>
  left.length === 0
    ? null
    : html`<ul class="chips">
        ${left.map((reference) => {
          const index = changes.findIndex((one) => reference.endsWith(one.reference))
          const found = changes[index]
          return found === undefined
            ? html`<li class="chip"><span class="id">${reference}</span></li> `
            : html`<li><a class="chip pushed" href="#${anchor(index)}">${found.title}</a></li> `
        })}
      </ul>`

const analysis = (one: Analysis, index: number, changes: ReadonlyArray<Change>): Html =>
  html`<article class="card analysis" id="${analysisAnchor(index)}" tabindex="-1">
    <h4>${timeIn(one.at)}</h4>
    ${
      one.of.length === 0
        ? null
        : html`<ul class="chips">
            ${one.of.map(({ rule, subjectId }) => html`<li class="chip">${spaced(rule)}: ${subjectId}</li> `)}
          </ul>`
    }
    <p class="detail">${one.observations}</p>
    ${
      one.recommended.length === 0
        ? html`<p class="dim">Nothing is recommended.</p>`
        : html`<p><b>Recommended</b></p>
            <ul class="plain">
              ${one.recommended.map((text) => html`<li>${text}</li> `)}
            </ul>`
    }
    ${left(one, changes)}
  </article> `

/**
 * Where the page has an analysis, by its place among those that are shown.
 *
 * @category accessors
 */
export const analysisAnchor = (index: number): string => `analysis-${index + 1}`

const tiles = ({ analyses, analysesLeftOut, changes, changesLeftOut }: Cycle): Html => {
  const proposals = changes.length + changesLeftOut
  return html`<dl class="tiles">
    ${tile("Proposals", proposals, "to make, or to delete", proposals > 0 ? "pushed" : "")}
    ${tile("Analyses", analyses.length + analysesLeftOut, "by a model, in this time")}
  </dl>`
}

const more = (count: number, one: string, several: string): Html | null =>
  count > 0 ? html`<p class="dim">${counted(count, one, several)} left out.</p>` : null

export const render = ({ cycle }: ReportData): Html =>
  cycle.changes.length + cycle.analyses.length === 0
    ? empty(
        html`No change was recommended yet. <code>reflexion cycle --analyse</code> asks a model what the findings show,
          and leaves what it recommends here.`
      )
    : html`${tiles(cycle)}
        <h3>Changes that wait for you <span class="count">${cycle.changes.length}</span></h3>
        ${
          cycle.changes.length === 0
            ? empty("None waits.")
            : html`<p class="dim">Nothing that is in use was changed: read each before you make it.</p>
                ${cycle.changes.map(change)}`
        }
        ${more(cycle.changesLeftOut, "older change", "older changes")}
        <h3>What a model made of the findings <span class="count">${cycle.analyses.length}</span></h3>
        ${
          cycle.analyses.length === 0
            ? empty("No analysis is of this time.")
            : cycle.analyses.map((one, index) => analysis(one, index, cycle.changes))
        }
        ${more(cycle.analysesLeftOut, "older analysis", "older analyses")}`
