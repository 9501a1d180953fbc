#!/usr/bin/env node
import { readFileSync } from "node:fs"

// A reader such as `head` may close the pipe early. This is not an error: the rest is not printed.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
  })
}

const words = process.argv.slice(2)

// The program is loaded only if it is needed, so the version is printed as fast as Node starts.
if (words[0] === "--version") {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string
  }
  process.stdout.write(`reflexion ${version}\n`)
} else {
  process.exitCode = await (await import("./program.ts")).run(words)
}
