/** The evaluation: the suites offline, or a model that `--model` names. */
import { isAsked } from "./model/ModelOptions.ts"

const argv = process.argv.slice(2)

if (isAsked(argv)) {
  const { main } = await import("./model/ModelMain.ts")
  process.exitCode = await main(argv, {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`)
  })
} else await import("./main.ts")
