/** The charts, drawn as wide as there is room, and again when that changes. */
import * as Plot from "@observablehq/plot"
import type { BarChart, PageData } from "../src/report/charts.ts"

const style = {
  background: "transparent",
  color: "inherit",
  fontFamily: "inherit",
  fontSize: "12px",
  overflow: "visible"
}

const total = ({ bars }: BarChart): number => bars.reduce((sum, { value }) => sum + value, 0)

const legend = ({ domain }: BarChart): HTMLElement => {
  const list = document.createElement("ul")
  list.className = "legend"
  for (const [, name, color] of domain) {
    const item = document.createElement("li")
    const key = document.createElement("span")
    key.className = "swatch"
    key.style.background = `var(${color})`
    item.append(key, name)
    list.append(item)
  }
  return list
}

const colorOf = ({ domain }: BarChart) => ({
  domain: domain.map(([key]) => key),
  range: domain.map(([, , color]) => `var(${color})`)
})

const title =
  ({ domain, unit }: BarChart) =>
  ({ group, key, value }: BarChart["bars"][number]): string =>
    `${group}: ${value} ${unit}, ${domain.find(([one]) => one === key)?.[1] ?? key}`

/** A label for so many days that they do not touch. */
const everyDay = (days: ReadonlyArray<string>, width: number): ReadonlyArray<string> => {
  const step = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(width / 64))))
  return days.filter((_, index) => (days.length - 1 - index) % step === 0)
}

/** Marks at whole numbers alone: what is counted has no halves. */
const marksUpTo = (most: number): number => Math.max(1, Math.min(5, most))

const highest = ({ bars }: BarChart): number => {
  const sums = new Map<string, number>()
  for (const { group, value } of bars) sums.set(group, (sums.get(group) ?? 0) + value)
  return Math.max(0, ...sums.values())
}

/** The widest that the bar of a day gets. */
const widest = 48

const upright = (chart: BarChart, width: number) => {
  const days = [...new Set(chart.bars.map(({ group }) => group))]
  const [marginLeft, marginRight, padding] = [44, 20, 0.25]
  // As Plot has it: the padding is between days as well as before the first and behind the last.
  const band = ((1 - padding) * (width - marginLeft - marginRight)) / (days.length + padding)
  return Plot.plot({
    width,
    height: 220,
    marginLeft,
    marginRight,
    marginBottom: 28,
    style,
    x: {
      domain: days,
      ticks: [...everyDay(days, width)],
      tickFormat: (day: string) => day.slice(5),
      label: null,
      padding
    },
    y: {
      grid: true,
      label: null,
      ticks: marksUpTo(highest(chart)),
      tickFormat: (value: number) => (Number.isInteger(value) ? value.toLocaleString("en") : "")
    },
    color: colorOf(chart),
    marks: [
      Plot.barY([...chart.bars], {
        x: "group",
        y: "value",
        fill: "key",
        title: title(chart),
        inset: Math.max(0, (band - widest) / 2),
        insetTop: 0,
        insetBottom: 0
      }),
      Plot.ruleY([0], { strokeOpacity: 0.4 })
    ]
  })
}

const lying = (chart: BarChart, width: number) => {
  const groups = [...new Set(chart.bars.map(({ group }) => group))]
  const single = chart.id === "effects"
  const longest = groups.reduce((most, group) => Math.max(most, group.length), 0)
  return Plot.plot({
    width,
    height: (single ? 36 : 38 * groups.length) + 32,
    marginTop: 6,
    marginLeft: single ? 8 : Math.min(width / 3, 16 + longest * 7),
    marginRight: 16,
    marginBottom: 26,
    style,
    x: {
      grid: true,
      label: null,
      ticks: marksUpTo(highest(chart)),
      tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : "")
    },
    y: { domain: groups, label: null, axis: single ? null : "left", tickSize: 0, padding: 0.3 },
    color: colorOf(chart),
    marks: [
      Plot.barX([...chart.bars], { y: "group", x: "value", fill: "key", title: title(chart) }),
      Plot.ruleX([0], { strokeOpacity: 0.4 })
    ]
  })
}

const drawing = (chart: BarChart, width: number): ReadonlyArray<Element> =>
  total(chart) === 0 ? [] : [legend(chart), chart.days ? upright(chart, width) : lying(chart, width)]

/** What draws all charts that can be seen, at their present widths. */
export const drawAll = (charts: PageData["charts"]): (() => void) => {
  const widths = new Map<string, number>()
  const drawOne = (chart: BarChart): void => {
    const place = document.getElementById(`chart-${chart.id}`)
    const width = Math.floor(place?.clientWidth ?? 0)
    if (place === null || width === 0 || widths.get(chart.id) === width) return
    widths.set(chart.id, width)
    place.replaceChildren(...drawing(chart, width))
    if (place.childElementCount === 0) place.textContent = "Nothing to draw."
  }
  const draw = (): void => charts.forEach(drawOne)
  let waiting = 0
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting)
    waiting = requestAnimationFrame(draw)
  })
  return draw
}
