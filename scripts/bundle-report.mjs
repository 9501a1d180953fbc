/** Bundles the script and the style of a report's page, with the plotting library and its licences. */
import { build } from "esbuild"
import * as fs from "node:fs"
import * as path from "node:path"
import { licences, noteBundled, root } from "./bundler.mjs"

const cli = path.join(root, "packages", "cli")

/** What is bundled is passed on with every report, and so are its licences. */
const banner = (metafile) => `/*!\n${licences(metafile).replaceAll("*/", "* /")}*/\n`

const bundlePage = async (entry) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path.join(cli, "page", entry)],
    outdir: root,
    write: false,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    target: ["chrome115", "firefox115", "safari16.4"],
    conditions: ["@reflexion/source"],
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
    metafile: true
  })
  return { metafile, text: outputFiles[0].text }
}

/** Writes `page.js` and `page.css`. */
export const bundleReport = async () => {
  const folder = path.join(cli, "dist", "page")
  fs.mkdirSync(folder, { recursive: true })
  const script = await bundlePage("main.ts")
  const style = await bundlePage("page.css")
  fs.writeFileSync(path.join(folder, "page.js"), banner(script.metafile) + script.text)
  fs.writeFileSync(path.join(folder, "page.css"), style.text)
  noteBundled(path.join(folder, "page.js"), script.metafile)
}
