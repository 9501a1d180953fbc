/** The Chromium that this machine has: nothing is downloaded. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { Effect } from "effect"
import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const advice =
  "The report is tested in a real Chromium, and there is none. Install one (Debian: apt-get install -y chromium), or name it in CHROMIUM_BIN."

const find = (): string => {
  const named = process.env["CHROMIUM_BIN"]
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute)
  const found = [...(named ? [named] : []), ...folders.flatMap((folder) => names.map((name) => join(folder, name)))]
  const [first] = named ? found.slice(0, 1).filter(isProgram) : found.filter(isProgram)
  if (first === undefined) throw new Error(advice)
  return first
}

/** A container's root has no sandbox to run it in; all that it loads is our own page. */
const words = process.getuid?.() === 0 ? ["--no-sandbox"] : []

export const browser = Effect.acquireRelease(
  Effect.promise(async () => chromium.launch({ executablePath: find(), args: [...words, "--disable-dev-shm-usage"] })),
  (opened) => Effect.promise(() => opened.close())
)

/** A page, with all that it asked for and complained of. */
export interface Opened {
  readonly page: Page
  readonly requests: ReadonlyArray<string>
  readonly complaints: ReadonlyArray<string>
}

export const open = (opened: Browser, url: string, options: BrowserContextOptions = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const context = await opened.newContext({ acceptDownloads: true, ...options })
        const page = await context.newPage()
        const requests: Array<string> = []
        const complaints: Array<string> = []
        page.on("request", (request) => requests.push(request.url()))
        page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`))
        page.on("pageerror", (error) => complaints.push(`error: ${error.message}`))
        await page.goto(url)
        return { context, opened: { page, requests, complaints } satisfies Opened }
      }),
      ({ context }) => Effect.promise(() => context.close())
    ),
    (made): Opened => made.opened
  )
