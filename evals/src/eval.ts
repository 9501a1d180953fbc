import { main } from "./Evaluation.ts"

process.exitCode = main(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`)
})
