/** What a report says was run, and on what. */
import { type Row, row } from "../../ground/text/Rows.ts"

/** "I ran", "Ran": what was run stands behind it. */
export const ranChecks: ReadonlyArray<Row> = [
  row(
    "ran|run|executed",
    /\b(?:i|we)(?:'ve| have)?(?: \w{2,14}ly| also| then| just| again| now){0,2} (?:(?:re-?)?(?:ran|executed)|(?<=(?:ve) (?:\w{2,14} )?)(?:re-?)?run)\b/i,
    "I ran the tests",
    "we run the tests"
  ),
  row(
    "by run|by re|by exec",
    /\b(?:verified|confirmed|checked|validated|tested)\b[^.;]{0,50}\bby (?:re-?)?(?:running|executing)\b/i,
    "I checked it by running the tests",
    "by running the tests"
  ),
  row(
    "verified|validated|confirmed",
    /\b(?:verified|confirmed|validated)\b[^.;]{0,50}\b(?:with|using|via|through)(?: (?:the|our|its|existing|full|whole)){0,2} (?=[a-z\d` ]{0,14}(?:tests?|suite)\b)/i,
    "I validated it with the test suite",
    "validated with a schema"
  ),
  row("ran|executed", /^(?:also |then )?(?:re-?)?(?:ran|executed)\b/i, "Ran the tests", "It ran the tests")
]

/** "The tests were run". */
export const wereRun = row(
  "run|executed",
  /^[^.;,]{0,30} (?:was|were|has been|have been) (?:\w{2,12}ly )?(?:re-?)?(?:run|executed)\b/i,
  " was run",
  " will be run"
)

export const onPlatforms = row(
  "tested|verified|checked|confirmed|pass|green|clean|validated|ran|right|same",
  /\b(?:tested|verified|checked|confirmed|pass(?:es|ed|ing)?|green|validated|ran|comes? out (?:right|green|clean)|same result)\b[^.;]{0,60}\b(?:on|under|against|across|with|in)\b/i,
  "Tested on Windows",
  "works on Windows"
)
