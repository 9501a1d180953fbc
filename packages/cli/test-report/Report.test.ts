import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { fileURLToPath, pathToFileURL } from "node:url"
import { files, now, project, recordFiles, stop, task } from "../test/reportProject.ts"
import * as Chromium from "./browser.ts"

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

interface Found {
  readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>
  readonly passes: ReadonlyArray<unknown>
}

class Report extends Context.Tag("Report")<Report, { readonly browser: Browser; readonly url: string }>() {}

/** What a session may say; none of it may be more than text, or wider than a phone. */
const hostile = `</style><script>document.title = "owned"</script><img src=x onerror="document.title = 'owned'"> ${"x".repeat(300)}`

const attack = stop({ session: "hostile", at: now - 1000, reason: hostile, feedback: hostile, task: task(hostile) })

const live = Layer.scoped(
  Report,
  Effect.gen(function* () {
    const { run } = yield* project({ ...files, ...recordFiles([attack]) })
    const { code, err, out } = yield* run("report --format html")
    assert.deepStrictEqual([code, err], [0, ""])
    return { browser: yield* Chromium.browser, url: pathToFileURL(out).href }
  })
)

const pictures = fileURLToPath(new URL("../../../coverage/report", import.meta.url))

const desk = { viewport: { width: 1200, height: 900 } }

describe("the report in a browser", () => {
  layer(live)((it) => {
    it.scoped.each([
      ["light", { ...desk, colorScheme: "light" }, "rgb(246, 246, 243)"],
      ["dark", { ...desk, colorScheme: "dark" }, "rgb(19, 21, 25)"],
      ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, "rgb(246, 246, 243)"]
    ] as const)("is accessible, loads nothing and runs nothing, in %s", ([name, options, paper]) =>
      Effect.gen(function* () {
        const { browser, url } = yield* Report
        const { complaints, page, requests } = yield* Chromium.open(browser, url, { ...options, bypassCSP: false })
        yield* Effect.promise(async () => {
          assert.match(await page.title(), /^reflexion report · /u)
          assert.strictEqual(await page.evaluate("getComputedStyle(document.body).backgroundColor"), paper)
          assert.strictEqual(await page.locator("details[open]").count(), 4)
          const closed = page.locator("details:not([open]) > summary")
          for (let left = await closed.count(); left > 0; left -= 1) {
            const { height = 0 } = (await closed.first().boundingBox()) ?? {}
            if (name === "phone") assert.isAtLeast(height, 40, "room for a finger")
            await closed.first().focus()
            await page.keyboard.press("Enter")
          }
          assert.strictEqual(await page.locator("details:not([open])").count(), 0)
          assert.isAtLeast(await page.getByText("</style><script>").count(), 1)
          assert.strictEqual(await page.locator("img, script").count(), 0)
          assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")), 0)
          mkdirSync(pictures, { recursive: true })
          await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
        })
        assert.deepStrictEqual([requests, complaints], [[url], []])
        // The page's policy lets no script in, and axe is one.
        const tested = yield* Chromium.open(browser, url, { ...options, bypassCSP: true })
        const found = yield* Effect.promise(async () => {
          await tested.page.addScriptTag({ path: axe })
          await tested.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
          return tested.page.evaluate<Found>("axe.run()")
        })
        assert.deepStrictEqual(
          found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          []
        )
        assert.isAtLeast(found.passes.length, 10)
      })
    )
  })
})
