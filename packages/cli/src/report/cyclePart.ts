/** The reflection cycle on a report's page: the changes that it left for a person, and the analyses behind them. */
import { shellWord } from "@reflexion/core/internal/base/text/Text"
import * as Arr from "effect/Array"
import { counted } from "../terminal/Layout.ts"
import { type Html, html } from "./html.ts"
import type { Analysis, Change, Cycle, ReportData } from "./model.ts"
import { empty, spaced, tile, time, timeIn } from "./parts.ts"

const tones = { branch: "waiting", proposal: "pushed", merged: "complete" } as const

const signOf = (line: string): string => {
  if (/^(?:diff |index |--- |\+\+\+ |(?:new|deleted) file )/u.test(line)) return "file"
  if (line.startsWith("@@")) return "hunk"
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : ""
}

/** A diff of so many lines is shown at once. */
const shortDiff = 24

const diff = ({ changed, diff }: Change): Html | null =>
  diff === ""
    ? null
    : html`<details class="behind" ${diff.split("\n").length > shortDiff ? null : html` open`}>
        <summary>${changed === "" ? "Diff" : changed}</summary>
        <pre class="diff" tabindex="0" role="region" aria-label="The diff">
${diff
  .trimEnd()
  .split("\n")
  .map((line) => html`<span class="${signOf(line)}">${line}</span>`)}</pre>
      </details>`

const steps = ({ reference, state }: Change): Html | null => {
  if (state === "merged") return null
  return state === "proposal"
    ? html`<p class="dim">Make the change, or delete <code>${reference}</code>.</p>`
    : html`<p class="dim">
        <code>git merge ${shellWord(reference)}</code> takes it. Keep the branch where you do not want it: one that is
        deleted may be made again.
      </p>`
}

const titleOf = ({ target }: Change): string => target ?? "A change without a target of its own"

const anchor = (index: number): string => `change-${index + 1}`

const change = (one: Change, index: number): Html =>
  html`<article class="card change" id="${anchor(index)}" tabindex="-1">
    <h4>${titleOf(one)} <span class="chip ${tones[one.state]}">${one.state}</span></h4>
    <p class="dim"><span class="id">${one.reference}</span> · ${time(one.at)}</p>
    <p class="detail">${one.change}</p>
    ${one.reason === "" ? null : html`<p><b>Why:</b> ${one.reason}</p>`} ${diff(one)} ${steps(one)}
  </article> `

/** An analysis names a proposal by its whole path. */
const names = (given: string, { reference, state }: Change): boolean =>
  state === "proposal" ? given.endsWith(reference) : given === reference

const left = ({ left }: Analysis, changes: ReadonlyArray<Change>): Html | null =>
  left.length === 0
    ? null
    : html`<ul class="chips">
        ${left.map((reference) => {
          const index = changes.findIndex((one) => names(reference, one))
          const found = changes[index]
          return found === undefined
            ? html`<li class="chip">gone: <span class="id">${reference}</span></li> `
            : html`<li>
                <a class="chip ${tones[found.state]}" href="#${anchor(index)}">${found.state}: ${titleOf(found)}</a>
              </li> `
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

const count = ({ changes }: Cycle, state: Change["state"]): number =>
  changes.filter((one) => one.state === state).length

const tiles = (cycle: Cycle): Html => {
  const [proposals, branches] = [count(cycle, "proposal"), count(cycle, "branch")]
  return html`<dl class="tiles">
    ${tile("Branches", branches, "to merge, or to leave", branches > 0 ? "waiting" : "")}
    ${tile("Proposals", proposals, "to make, or to delete", proposals > 0 ? "pushed" : "")}
    ${tile("Merged", count(cycle, "merged"), "branches that were taken", "complete")}
    ${tile("Analyses", cycle.analyses.length + cycle.analysesLeftOut, "by a model, in this time")}
  </dl>`
}

const more = (count: number, one: string, several: string): Html | null =>
  count > 0 ? html`<p class="dim">${counted(count, one, several)} left out.</p>` : null

export const render = ({ cycle }: ReportData): Html => {
  // The changes that wait come first.
  const [waiting, merged] = Arr.partition(cycle.changes, ({ state }) => state === "merged")
  return cycle.changes.length + cycle.analyses.length === 0
    ? empty(
        html`No change was recommended yet. <code>reflexion cycle --analyse</code> asks a model what the findings show,
          and leaves what it recommends here.`
      )
    : html`${tiles(cycle)}
        <h3>Changes that wait for you <span class="count">${waiting.length}</span></h3>
        ${
          waiting.length === 0
            ? empty("None waits.")
            : html`<p class="dim">Nothing that is in use was changed: read each before you take it.</p>
                ${waiting.map(change)}`
        }
        ${
          merged.length === 0
            ? null
            : html`<details class="more">
                <summary>${counted(merged.length, "branch that was merged", "branches that were merged")}</summary>
                ${merged.map((one, index) => change(one, waiting.length + index))}
              </details>`
        }
        ${more(cycle.changesLeftOut, "older change", "older changes")}
        <h3>What a model made of the findings <span class="count">${cycle.analyses.length}</span></h3>
        ${
          cycle.analyses.length === 0
            ? empty("No analysis is of this time.")
            : cycle.analyses.map((one, index) => analysis(one, index, cycle.changes))
        }
        ${more(cycle.analysesLeftOut, "older analysis", "older analyses")}`
}
