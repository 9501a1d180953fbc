/**
 * What is expected of the fold on the sequences of other agents' tests: the loops it finds anywhere in them, none for a
 * sequence that is work. Where that differs from the peer's own answer, `why` says so.
 */
import type { LoopPattern } from "@reflexion/core/internal/judge/loops/Loops"

export interface Expected {
  readonly loops: ReadonlyArray<LoopPattern>
  readonly why?: string
}

const none: Expected = { loops: [] }

const unless = (why: string): Expected => ({ loops: [], why })

const unknownResults =
  "The sequence has no results. Three calls of which nothing is known to have come the same are not yet a loop; five are."

const unknownTool =
  "Neither the tool nor any result is known: what it does may well be new each time, so it takes twenty."

const twice = "Two is a retry. The third time with the same result is a loop."

const failing: Expected = { loops: ["failing_call", "action"] }

const same: Expected = { loops: ["same_result", "action"] }

const watched: Expected = { loops: ["same_result"] }

export const table: Readonly<Record<string, Expected>> = {
  "cline/hard stop": unless(unknownTool),
  "cline/defaults": unless(unknownTool),
  "cline/reset between runs": unless(unknownTool),
  "cline/disabled": none,
  "goose/denies after exceeding and resets on param change": unless(unknownResults),
  "goose-fork/fourth identical call denied, resets after change": unless(unknownTool),
  "hermes/same failing call x5 (interactive)": failing,
  "hermes/exact failure hard stop": unless(twice),
  "hermes/idempotent read same result x2": unless(twice),
  "hermes/mutating tool identical success x3 not blocked": none,
  "hermes/identical successful terminal x5": same,
  "hermes/poller identical x6 never halts": none,
  "hermes/changing result resets": none,
  "hermes/LEGIT fix->retest x12 (red test, edit, red test...)": none,
  "hermes/pure replay red x5, no change between": failing,
  "hermes/4 red, 1 edit, 5 red": failing,
  "hermes/LEGIT 12 distinct failing greps": none,
  "hermes/8 distinct failing send_message": { loops: ["failing_call"] },
  "hermes/LEGIT browser navigate timeout + click x8": none,
  "hermes/4th web search over cap 3 (distinct queries)": unless(
    "Four different questions are four searches. The peer limits what they cost, which is not what makes a loop."
  ),
  "hermes/identical exec with volatile metadata x5": same,
  "hermes/real output changes x6": none,
  "hermes/job status changing duration x6": none,
  "openclaw/unique tool calls": none,
  "openclaw/repeat x10 (args only)": same,
  "openclaw/no-progress repeat x20": same,
  "openclaw/poll no progress x10": unless(
    "Ten looks at a process that runs are patience, and the peer only warns. At twenty both find a loop."
  ),
  "openclaw/poll no progress x20": watched,
  "openclaw/poll with progressing output x25": none,
  "openclaw/global breaker x30": same,
  "openclaw/stable argument churn x30 (2 paths)": { loops: ["cycle"] },
  "openclaw/churn with singleton probes": { loops: ["cycle"] },
  "openclaw/one-shot batch of 30 distinct args": none,
  "openclaw/legit two-pass batch 15x2": none,
  "openclaw/argument churn with progress": none,
  "openclaw/exec same output, volatile duration/cwd x20": same,
  "openclaw/exec still running, volatile pid x20": watched,
  "openclaw/exec changing output x30": unless("Its result is another each time: something moves. The peer only warns."),
  "openclaw/unknown tool x9": none,
  "openclaw/unknown tool x20 changing args": { loops: ["failing_call"] },
  "openclaw/ping-pong args only 9+1": { loops: ["cycle", "action"] },
  "openclaw/ping-pong stable outcomes 19+1": { loops: ["cycle", "action"] },
  "openclaw/ping-pong progressing outcomes 19+1": unless(
    "Both results are others each time: something moves. The peer only warns."
  ),
  "openclaw/alternation broken": none,
  "openclaw/history from another run ignored": {
    loops: ["same_result", "action"],
    why: "The first run is a loop by itself, which the peer has another case for; the second begins anew for us, too."
  },
  "opencode/3 identical": unless(unknownResults),
  "opencode/2 identical": none,
  "opencode/text between breaks run": none,
  "opencode/different input": none
}
