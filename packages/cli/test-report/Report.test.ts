import { assert, describe, layer } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Context, Effect, Layer, Schema, TestClock } from "effect"
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { fileURLToPath, pathToFileURL } from "node:url"
import {
  analysedFindings,
  files,
  leaveProposal,
  log,
  now,
  questions,
  proposed,
  recordFiles,
  review,
  skills,
  week
} from "../test/reportProject.ts"
import { folder, runCli } from "../test/runCli.ts"
import * as Chromium from "./browser.ts"

/** The rest has to hold, and not before each change lands. */
const isNight = process.env["REFLEXION_TESTS"] === "night"

class Report extends Context.Tag("Report")<Report, { readonly browser: Browser; readonly url: string }>() {}

/** What a session may say; none of it may be more than text. */
const hostile = `</script><script>document.title = "owned"</script><img src=x onerror="document.title = 'owned'"> \u2028 <!--`

const attack = review({
  session: "hostile-session",
  at: now - 1000,
  verdict: { reason: hostile, feedback: hostile, task: { type: "coding", summary: hostile, requirements: [] } }
})

const written = Effect.fnUntraced(function* (project: Readonly<Record<string, string>>) {
  yield* TestClock.setTime(now)
  const root = realpathSync(yield* folder({ ...skills, ...project }))
  const proposal = yield* Effect.provide(leaveProposal(root), NodeContext.layer)
  writeFileSync(join(root, ".reflection/findings.jsonl"), analysedFindings(proposal))
  const state = Object.entries({ "log.jsonl": log(root), ...questions })
  const home = realpathSync(
    yield* folder(Object.fromEntries(state.map(([name, text]) => [`state/reflexion/${name}`, text])))
  )
  const { code, err, out } = yield* runCli(["report"], {
    cwd: root,
    env: { HOME: home, XDG_STATE_HOME: join(home, "state") }
  })
  assert.deepStrictEqual([code, err], [0, ""])
  return pathToFileURL(out).href
})

const live = Layer.scoped(
  Report,
  Effect.gen(function* () {
    return { browser: yield* Chromium.browser, url: yield* written({ ...files, ...recordFiles([...week, attack]) }) }
  })
)

const pictures = fileURLToPath(new URL("../../../coverage/report", import.meta.url))

const picture = (page: Page, name: string) =>
  Effect.promise(() => {
    mkdirSync(pictures, { recursive: true })
    return page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  })

const opened = (options: BrowserContextOptions = {}) =>
  Effect.flatMap(Report, ({ browser, url }) =>
    Chromium.open(browser, url, { viewport: { width: 1200, height: 900 }, ...options })
  )

/** Nothing but the page itself was asked for, and nothing was complained of. */
const quiet = ({ complaints, requests }: Chromium.Opened) =>
  Effect.map(Report, ({ url }) => {
    const others = requests.filter(
      (one) => one.split("#")[0] !== url && !one.startsWith("data:") && !one.startsWith("blob:")
    )
    assert.deepStrictEqual([others, complaints], [[], []])
  })

const views = ["overview", "pushes", "sessions", "memory", "findings", "cycle"] as const

const go = <A>(work: () => Promise<A>) => Effect.promise(work)

const tour = (name: string, options: BrowserContextOptions) =>
  Effect.gen(function* () {
    const shown = yield* opened(options)
    const { page } = shown
    for (const view of views) {
      yield* go(() => page.click(`#tab-${view}`))
      assert.deepStrictEqual(
        yield* go(() => page.locator(".panel:visible").evaluateAll((all) => all.map(({ id }) => id))),
        [view]
      )
      const beyond = yield* go(() => page.evaluate("document.documentElement.scrollWidth - innerWidth"))
      assert.isAtMost(Number(beyond), 0, `${view} is wider than the screen`)
      yield* picture(page, `${name}-${view}`)
    }
    yield* quiet(shown)
    return page
  })

const Label = Schema.Struct({
  session: Schema.String,
  turn: Schema.Number,
  userMessageAt: Schema.String,
  stoppedAt: Schema.String,
  sample: Schema.Literal("report"),
  kinds: Schema.Array(Schema.String),
  push: Schema.Boolean,
  why: Schema.Array(Schema.String)
})

const decodeLabel = Schema.decodeSync(Schema.parseJson(Label))

const labelsIn = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => decodeLabel(line))

const download = (page: Page) =>
  go(async () => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#export")])
    assert.strictEqual(file.suggestedFilename(), "stops.jsonl")
    return readFileSync(await file.path(), "utf8")
  })

/** The contrast of an element's text with all that is behind it, as WCAG counts it. */
const contrast = (page: Page, selector: string) =>
  go(() =>
    page.evaluate(`(() => {
      const paper = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
      const paint = (color) => { paper.fillStyle = color; paper.fillRect(0, 0, 1, 1) }
      const light = () => {
        const [r, g, b] = [...paper.getImageData(0, 0, 1, 1).data].map((c) => { const v = c / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const element = document.querySelector(${JSON.stringify(selector)})
      const layers = []
      for (let one = element; one; one = one.parentElement) layers.unshift(getComputedStyle(one).backgroundColor)
      for (const color of layers) paint(color)
      const behind = light()
      paint(getComputedStyle(element).color)
      const front = light()
      return (Math.max(front, behind) + 0.05) / (Math.min(front, behind) + 0.05)
    })()`)
  ).pipe(Effect.map(Number))

describe("the report in a browser", () => {
  layer(live)((it) => {
    it.scoped("loads nothing, complains of nothing, and runs nothing that a session says", () =>
      Effect.gen(function* () {
        const shown = yield* opened()
        const { page } = shown
        assert.match(yield* go(() => page.title()), /^reflexion report · /)
        assert.strictEqual(yield* go(() => page.locator("main img").count()), 0)
        yield* go(() => page.click("#tab-pushes"))
        assert.isAtLeast(yield* go(() => page.getByText(hostile.slice(0, 30), { exact: false }).count()), 1)
        yield* quiet(shown)
      })
    )

    it.scoped.runIf(isNight)("shows every part in light, its charts with the figures behind them", () =>
      Effect.gen(function* () {
        const page = yield* tour("light", { colorScheme: "light" })
        for (const id of ["days", "tokens", "effects", "gates"])
          assert.isAtLeast(yield* go(() => page.locator(`#chart-${id} svg`).count()), 1, id)
        yield* go(() => page.click("#tab-overview"))
        yield* go(() => page.locator(".behind summary").first().click())
        assert.include(yield* go(() => page.locator(".behind table").first().innerText()), "2026-01-30")
        for (const one of [".dim", "h3", ".tile dt", "td"]) assert.isAtLeast(yield* contrast(page, one), 4.5, one)
      })
    )

    it.scoped.runIf(isNight)("draws the bars of few days as it draws those of many", () =>
      Effect.gen(function* () {
        const { browser } = yield* Report
        for (const days of [1, 2, 3, 8]) {
          const stops = Array.from({ length: days }, (_, day) =>
            review({ session: `s${day}`, at: now - day * 86_400_000 })
          )
          const { page } = yield* Chromium.open(browser, yield* written(recordFiles(stops)), {
            viewport: { width: 1200, height: 900 }
          })
          const widths = yield* go(() =>
            page
              .locator("#chart-days [aria-label=bar] rect")
              .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect()).filter(({ height }) => height > 0))
          )
          assert.strictEqual(widths.length, days)
          const marks = yield* go(() =>
            page.locator("#chart-days [aria-label='y-axis tick label'] text").allTextContents()
          )
          assert.deepStrictEqual(marks, ["0", "1"])
          for (const { width } of widths) assert.isTrue(width >= 40 && width <= 50, `${width} px, of ${days} days`)
        }
      })
    )

    it.scoped.runIf(isNight)("shows every part in the dark", () =>
      Effect.gen(function* () {
        const page = yield* tour("dark", { colorScheme: "dark" })
        const ground = yield* go(() => page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert.strictEqual(ground, "rgb(17, 21, 27)")
        for (const one of [".dim", "h3", ".tile dt", "td"]) assert.isAtLeast(yield* contrast(page, one), 4.5, one)
      })
    )

    it.scoped.runIf(isNight)("fits a phone, and has room for fingers", () =>
      Effect.gen(function* () {
        const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
        const page = yield* tour("phone", phone)
        yield* go(() => page.click("#tab-overview"))
        const hidden = yield* go(() =>
          page.locator(".scroll:visible").evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
        )
        assert.isTrue(hidden.length > 0 && hidden.every((width) => width <= 0), hidden.join())
        yield* go(() => page.click("#tab-sessions"))
        const [label, select] = yield* go(() =>
          page
            .locator("label[for=ended], #ended")
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
        )
        assert.closeTo(label ?? 0, select ?? 0, 20, "a label and what it names stand in one line")
        yield* go(() => page.click("#tab-pushes"))
        const heights = yield* go(() =>
          page
            .locator(".marking:visible button")
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
        )
        assert.isTrue(heights.length > 0 && heights.every((height) => height >= 40), heights.join())
      })
    )

    it.scoped.runIf(isNight)("is used with the keyboard alone", () =>
      Effect.gen(function* () {
        const { page } = yield* opened()
        const press = (key: string) => go(() => page.keyboard.press(key))
        const focused = go(() => page.evaluate("document.activeElement.id || document.activeElement.className"))
        yield* press("Tab")
        assert.strictEqual(yield* focused, "skip")
        yield* press("Enter")
        assert.strictEqual(yield* focused, "main")
        yield* go(() => page.focus("#tab-overview"))
        yield* press("ArrowRight")
        assert.strictEqual(yield* focused, "tab-pushes")
        assert.isTrue(yield* go(() => page.isVisible("#pushes")))
        assert.isFalse(yield* go(() => page.isVisible("#overview")))
        const outline = yield* go(() => page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
        assert.strictEqual(outline, "solid")
        yield* press("End")
        assert.strictEqual(yield* focused, "tab-cycle")
        yield* press("Home")
        yield* press("ArrowRight")
        yield* go(() => page.locator("[data-mark=wrong]").first().focus())
        yield* press("Enter")
        assert.strictEqual(
          yield* go(() => page.locator("[data-mark=wrong]").first().getAttribute("aria-pressed")),
          "true"
        )
        yield* go(() => page.focus("#export"))
        const [file] = yield* go(() => Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]))
        assert.strictEqual(file.suggestedFilename(), "stops.jsonl")
      })
    )

    it.scoped("keeps marks, and hands them out as labelled stops", () =>
      Effect.gen(function* () {
        const shown = yield* opened()
        const { page } = shown
        yield* go(() => page.click("#tab-pushes"))
        assert.isTrue(yield* go(() => page.isDisabled("#export")))
        const cards = page.locator(".push:visible")
        yield* go(() => cards.nth(0).locator("[data-mark=wrong]").click())
        yield* go(() => cards.nth(0).locator("[data-kind]").selectOption("waiting_for_user"))
        yield* go(() => cards.nth(0).locator("[data-note]").fill('It had to ask: "which version?" </script>'))
        yield* go(() => cards.nth(1).locator("[data-mark=right]").click())
        yield* go(() => cards.nth(2).locator("[data-mark=wrong]").click())
        yield* go(() => cards.nth(2).locator("[data-mark=wrong]").click())
        assert.strictEqual(yield* go(() => page.innerText("#marked")), "2 marked: 1 right, 1 wrong")
        yield* picture(page, "marked")
        const [first, second, ...others] = labelsIn(yield* download(page))
        assert.deepStrictEqual(others, [])
        assert.deepInclude(first, {
          push: false,
          kinds: ["waiting_for_user"],
          why: ['It had to ask: "which version?" </script>'],
          turn: 0
        })
        assert.deepInclude(second, { push: true, kinds: ["premature"] })
        assert.isTrue(week.some(({ sessionId }) => sessionId === first?.session))
        yield* go(() => page.reload())
        assert.strictEqual(yield* go(() => page.innerText("#marked")), "2 marked: 1 right, 1 wrong")
        assert.strictEqual(yield* go(() => cards.nth(0).locator("[data-kind]").inputValue()), "waiting_for_user")
        yield* go(() => page.click("#clear"))
        assert.strictEqual(yield* go(() => page.innerText("#marked")), "0 marked")
        yield* quiet(shown)
      })
    )

    it.scoped.runIf(isNight)("finds sessions, and shows their timelines", () =>
      Effect.gen(function* () {
        const { page } = yield* opened()
        yield* go(() => page.click("#tab-sessions"))
        const sessions = page.locator(".session:visible")
        assert.strictEqual(yield* go(() => sessions.count()), 30)
        yield* go(() => page.selectOption("#ended", "left"))
        assert.strictEqual(yield* go(() => sessions.count()), 1)
        yield* go(() => sessions.first().locator("summary").click())
        const timeline = yield* go(() => sessions.first().locator(".timeline").innerText())
        for (const part of ["npm test", "pushed, 1 of 3", "pushed, 3 of 3", "open, not pushed"])
          assert.include(timeline, part)
        yield* picture(page, "timeline")
        yield* go(() => page.selectOption("#ended", ""))
        yield* go(() => page.fill("#find", "release notes"))
        assert.match(yield* go(() => page.innerText("#found")), /^\d+ of 30$/)
        assert.isBelow(yield* go(() => sessions.count()), 30)
      })
    )

    it.scoped.runIf(isNight)("shows what the cycle left, and leads from a finding to its analysis and the change", () =>
      Effect.gen(function* () {
        const shown = yield* opened()
        const { page } = shown
        yield* go(() => page.click("#tab-findings"))
        const cards = page.locator("#findings .finding")
        assert.strictEqual(yield* go(() => cards.count()), 2)
        yield* go(() => cards.filter({ hasText: "consecutive failures" }).getByText("What a model made of it").click())
        const [analysis, change] = [page.locator("#analysis-1"), page.locator("#change-1")]
        const focused = (id: string) => go(() => page.waitForFunction(`document.activeElement.id === "${id}"`))
        yield* focused("analysis-1")
        assert.isTrue(yield* go(() => analysis.isVisible()))
        const said = yield* go(() => analysis.innerText())
        for (const part of ["consecutive failures: login-test", "Both patterns begin", "reflexion/deploy"])
          assert.include(said, part)
        assert.strictEqual(yield* go(() => analysis.locator("a.chip").count()), 1)
        yield* go(() => analysis.getByText("A change of tasks/login-test").click())
        yield* focused("change-1")
        assert.include(yield* go(() => change.innerText()), proposed.change)
        assert.isAtLeast(yield* contrast(page, "#cycle a.chip"), 4.5)
        yield* go(() => page.goBack())
        yield* focused("analysis-1")
        yield* quiet(shown)
      })
    )

    it.scoped("says all it has to say without its script", () =>
      Effect.gen(function* () {
        const { page } = yield* opened({ javaScriptEnabled: false })
        assert.strictEqual(yield* go(() => page.locator(".panel:visible").count()), views.length)
        assert.strictEqual(yield* go(() => page.locator("[role=tablist]:visible").count()), 0)
        const tile = page.locator(".tile", { hasText: "median wait" })
        assert.match(yield* go(() => tile.innerText()), /questions, \d+ answered, median wait \d/)
        const table = page.locator("table", { hasText: "Questions to a model, by host" })
        assert.match(yield* go(() => table.innerText()), /claude-code[\s\S]+codex[\s\S]+all/)
      })
    )
  })
})
