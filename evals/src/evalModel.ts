/** `npm run eval:model`: any model measured without a network, by prompts and answers in folders. */
import { main } from "./offline/OfflineEval.ts"

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`)
})
