/** Preloaded into a process: leaves its peak of resident memory, in bytes, in the file that `PEAK_FILE` names. */
import * as Fs from "node:fs"

process.on("exit", () => {
  const file = process.env["PEAK_FILE"]
  if (file !== undefined) Fs.writeFileSync(file, String(process.resourceUsage().maxRSS * 1024))
})
