/** Whether tests that were left behind can be held against the agent: by what the user ordered, and what the agent says of it. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import type { Facts } from "../../session/facts/Facts.ts"

/** What is to be as it was before, only right. */
const mends: ReadonlyArray<Row> = [
  row(
    "fix|repair|mend|debug|resolve|solve",
    /\b(?:fix|repair|mend|debug|resolve|solve)(?:es|ed|ing)?\b/i,
    "Fix the failing total.",
    "the fixture"
  ),
  row(
    "pass|green|succeed",
    /\b(?:make|get|until|ensure|sure|so that|have)\b.{0,80}\b(?:pass(?:es|ing)?|green|succeeds?)\b/i,
    "Make the tests pass.",
    "pass the id on"
  ),
  row(
    "refactor|clean up|tidy|optimi|speed up|simplify",
    /\b(?:refactor|clean(?:ing)? up|tidy|optimi[sz]e|speed(?:ing)? up|simplify)\b/i,
    "Refactor the cart.",
    "the factory"
  ),
  row(
    "failing|broken|red",
    /\b(?:tests?|build|ci|suite|specs?)\b.{0,40}\b(?:is|are|keeps?|still)?\s{0,3}(?:fail(?:s|ing)|broken|red)\b/i,
    "The tests are failing.",
    "a red button"
  ),
  row(
    "behebe|repariere|korrigiere",
    /\b(?:behebe|repariere|korrigiere)\b/i,
    "Behebe den Fehler.",
    "die Behebung",
    "de"
  ),
  row("arregla|corrige|repara", /\b(?:arregla|corrige|repara)\b/i, "Arregla el total.", "el arreglo", "es"),
  row("corrige|répare", /\b(?:corrige|répare)\b/i, "Corrige le total.", "la correction", "fr")
]

const test =
  "(?:tests?|specs?|snapshots?|assertions?|expectations?|expected (?:values?|results?|outputs?)|test (?:files?|cases?|suite)|fixtures?)"

/** Tests are to be otherwise, or to go. */
const changesTests: ReadonlyArray<Row> = [
  row(
    "test|spec|snapshot|assert|expect|fixture",
    new RegExp(
      `\\b(?:updat|chang|adjust|adapt|rewrit|remov|delet|skip|disabl|drop|replac|renam|mov|convert|migrat|rework|loosen|relax|fix|correct|accept|regenerat|clean)(?:e|es|ed|ing|ting)?\\b(?: up)?[^.!?\\n]{0,40}\\b${test}\\b`,
      "i"
    ),
    "Update the tests for it.",
    "Fix the total. Then run the tests."
  ),
  row(
    "test|spec|snapshot|assert|expect|fixture",
    new RegExp(
      `\\b${test}\\b[^.!?\\n]{0,30}\\b(?:(?:is|are|looks?|seems?) (?:wrong|outdated|stale|obsolete|flaky|incorrect)|(?:can|may|should|must|needs? to) (?:be )?(?:chang|updat|remov|go\\b|adjust|adapt|skip|rewrit))`,
      "i"
    ),
    "The test is outdated.",
    "the test is slow"
  )
]

/** The tests are to stay, whatever else is said of them. */
const keepsTests = row(
  "test|spec",
  /\b(?:not|n't|never|without)\s(?:to\s)?(?:chang|touch|edit|modif|weaken|delet|remov|skip|updat)\w{0,3}\s[^.!?\n]{0,30}\b(?:tests?|specs?)\b/i,
  "Do not change the tests.",
  "Change the tests."
)

/** Making tests pass is no order to change them. */
const passing = row(
  "pass|green|fail",
  /\bfix(?:es|ed|ing)?\b[^.!?\n]{0,40}\b(?:failing|broken|red)\b[^.!?\n]{0,20}\b(?:tests?|specs?|suite)\b/i,
  "Fix the failing tests.",
  "Fix the tests."
)

/** The code is to do something else than it did. */
const changesBehaviour: ReadonlyArray<Row> = [
  row(
    "instead|rather than|no longer|anymore|any more|from now on|not any",
    /\b(?:instead(?: of)?|rather than|no longer|any ?more|from now on)\b/i,
    "Round up instead of down.",
    "the total"
  ),
  row(
    "should|must|shall|needs to|has to",
    /\b(?:should|must|shall|needs? to|ha(?:s|ve) to)\s(?:now\s|always\s|only\s|also\s)?(?:be\s(?!green|fixed|passing|able)|return|give|throw|raise|yield|reject|accept|round|show|print|include|use|start|end|default|allow|ignore|count)/i,
    "It should return 0.",
    "The tests should be green."
  ),
  row(
    "add|implement|support|introduce|extend|feature|allow",
    /^\W{0,5}(?:please\s|can you\s|could you\s)?(?:add|implement|support|introduce|extend|allow|create|build)\b|(?:\.|\band\b|\bthen\b)\s(?:add|implement|support|introduce|extend|allow)\b(?!\s(?:an?\s|some\s|more\s)?(?:tests?|specs?|comments?))/im,
    "Add a discount.",
    "Fix the add button."
  ),
  row(
    "rename|remove|drop|replace|deprecate|delete|migrate|upgrade|bump|switch|change",
    /\b(?:rename|remove|drop|replace|deprecate|delete|migrate|upgrade|bump|switch|convert|change)\b(?!\s(?:any\s|the\s|existing\s)?(?:tests?|specs?))/i,
    "Rename the cart.",
    "the changelog"
  ),
  row(
    "new",
    /\bnew\s(?:behaviou?r|requirement|rule|format|api|default|version|spec)/i,
    "the new behaviour",
    "a new test"
  )
]

/** The agent says openly that a test is or was wrong, or that it changed it or left it out, and why. */
const owned: ReadonlyArray<Row> = [
  row(
    "test|spec|snapshot|assert|expect|fixture",
    new RegExp(
      `\\b${test}\\b[^.!?\\n]{0,80}\\b(?:(?:is|are|was|were|looks?|seems?)\\s(?:itself\\s|themselves\\s|actually\\s|simply\\s)?(?:wrong|outdated|stale|obsolete|incorrect|out of date|invalid|mistaken)|contradicts?|encode[sd]?|asserts? the (?:old|wrong|buggy|previous)|expect(?:s|ed)? the (?:old|wrong|buggy|previous))`,
      "i"
    ),
    "The test was wrong: it expects a total without tax.",
    "The test was slow."
  ),
  row(
    "test|spec|snapshot|assert|expect|fixture",
    new RegExp(
      `\\b(?:wrong|outdated|stale|obsolete|incorrect|out-of-date|mistaken)\\s(?:\\w{1,20}\\s){0,3}${test}\\b`,
      "i"
    ),
    "I corrected the outdated test.",
    "I wrote a test."
  ),
  row(
    "test|spec|snapshot|assert|expect|fixture&because|since|as |still fails|reason",
    new RegExp(
      `\\bI (?:\\w{1,12} )?(?:updated|changed|adjusted|removed|deleted|skipped|disabled|rewrote|replaced|loosened|relaxed|corrected)\\b[^.!?\\n]{0,120}\\b${test}\\b[^.!?\\n]{0,120}\\b(?:because|since|as (?:it|they|the)|which still fails?|the reason)\\b`,
      "i"
    ),
    "I removed the test because the feature is gone.",
    "I removed the test."
  ),
  row(
    "skip|disabl|remov|delet&still fail|still red|not fixed|unfixed|does not pass|doesn't pass",
    /\b(?:skipp|disabl|remov|delet)(?:ed|ing)?\b.{0,200}\b(?:still (?:fails?|failing|red)|(?:not|un)\s?(?:yet\s)?fixed|(?:does not|doesn't) pass)\b/is,
    "I skipped it; the total still fails.",
    "I removed the log; all pass."
  )
]

/** The agent says that it brought tests into line with the code, as the mending of a defect may call for. */
const adjusted = row(
  "test|spec|snapshot|assert|expect|fixture&match|reflect|expect|new|correct|fix|behavio",
  new RegExp(
    `\\b(?:updated|changed|adjusted|adapted|corrected|aligned|rewrote|replaced|removed|deleted)\\b[^.!?\\n]{0,120}\\b${test}\\b`,
    "i"
  ),
  "Updated the test to expect cents.",
  "Ran the tests, which match."
)

/** Tests were failing, and are to pass: what brings them into line with the code does not mend it. */
const wantsPass = row(
  "pass|green|fail|broken|red",
  /\b(?:pass(?:es|ing)?|green|succeeds?)\b|\b(?:tests?|specs?|suite|ci|build)\b.{0,40}\b(?:fail(?:s|ing)|broken|red)\b/i,
  "All tests must pass.",
  "Fix the bug in the cart."
)

const maxOrder = 4000

/** Why it is only told, in a sentence; null where it is the agent's to mend. */
export const excuse = ({ stop, task }: Pick<Facts, "stop" | "task">): string | null => {
  const order =
    `${task.text === task.message ? "" : `${task.text}\n`}${task.message}\n${task.standing.join("\n")}`.slice(
      0,
      maxOrder
    )
  const isKept = keepsTests.pattern.test(order)
  const isToPass = passing.pattern.test(order)
  const said = stop.text.slice(-6000)
  if (takes(owned, said)) return "The agent says that a test was wrong, or left out, and why."
  const fixesTests = task.asks.some(({ gate, how }) => gate === "tests" && how === "fix")
  const isRed = isKept || isToPass || fixesTests || wantsPass.pattern.test(order)
  if (!isRed && adjusted.pattern.test(said)) return "The agent says that it changed tests with what it mended."
  if (!isKept && !isToPass && takes(changesTests, order)) return "What was ordered may ask for other tests."
  if (takes(changesBehaviour, order)) return "What was ordered may ask for other behaviour than the tests had."
  if (isKept || isToPass || takes(mends, order) || fixesTests) return null
  return "It cannot be told whether the tests were to stay as they were."
}
