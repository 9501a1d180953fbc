import { main } from "./Evaluation.ts"
import * as LedgerCommand from "./ledger/LedgerCommand.ts"

const argv = process.argv.slice(2)
if (argv[0] === "ledger") LedgerCommand.main(argv.slice(1))
else
  process.exitCode = main(argv, {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`)
  })
