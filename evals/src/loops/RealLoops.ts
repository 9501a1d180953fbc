/** The loops in real sessions: at every stop of people's own sessions, and at the end of benchmark runs. */
import * as Json from "@reflexion/core/internal/ground/json/Json"
import * as Judgment from "@reflexion/core/Judgment"
import * as Loops from "@reflexion/core/internal/judge/loops/Loops"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as StuckAssessment from "@reflexion/core/StuckAssessment"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { loopingFrom, mostRepeated } from "../measure/Baselines.ts"
import * as Corpus from "../sessions/Corpus.ts"
import { user } from "../case/Case.ts"
import { callOf } from "../sessions/Events.ts"
import * as PairSuite from "../stops/PairSuite.ts"
import * as Sessions from "../sessions/Sessions.ts"
import * as Times from "../measure/Times.ts"

/** A session with a loop, for a reader to judge. */
export interface Flagged {
  readonly suite: string
  readonly session: string
  /** The stop's turn, or `at work` for a loop that was over by the stop. */
  readonly at: string
  readonly loop: Loops.Loop
}

export interface RealSummary {
  readonly sessions: number
  readonly stops: number
  /** Sessions that are looping at a stop of theirs, their end among them. */
  readonly flagged: number
  /** Sessions in which a loop of calls or words was seen at any moment. */
  readonly passing: number
  /** Sessions that counting equal calls would flag: three of them in a turn, whatever came of them. */
  readonly counted: number
}

interface Watched {
  readonly stops: number
  readonly found: ReadonlyArray<Flagged>
  readonly isCounted: boolean
}

const watch = (suite: string, session: string, transcript: Transcript): Watched => {
  const context: Judgment.JudgmentContext = { ...Judgment.defaultContext, cwd: transcript.cwd }
  const found = new Map<string, Flagged>()
  let stops = 0
  let state = StuckAssessment.initial
  const note = (at: string, loops: ReadonlyArray<Loops.Loop>): void => {
    for (const loop of loops) {
      const key = `${at} ${loop.pattern}`
      if (!found.has(key)) found.set(key, { suite, session, at, loop })
    }
  }
  const onStop = (): void => {
    stops++
    const { assessment } = StuckAssessment.assess(state, { session: transcript, context, now: null })
    note(`turn ${Judgment.turnIndex(state.judgment)}`, assessment.loops)
  }
  for (const event of NeutralTranscript.events(transcript)) {
    if (Judgment.turnIndex(state.judgment) >= 0 && Judgment.startsTurn(state.judgment, event)) onStop()
    state = StuckAssessment.step(state, event, context)
    note("at work", Loops.read(state.loops))
  }
  onStop()
  return { stops, found: [...found.values()], isCounted: mostRepeated(transcript.events) >= loopingFrom }
}

export interface RealResult {
  readonly summary: RealSummary
  readonly found: ReadonlyArray<Flagged>
}

const sessionsOf = (found: ReadonlyArray<Flagged>): number =>
  new Set(found.map(({ session, suite }) => `${suite}/${session}`)).size

const summed = (sessions: number, watched: ReadonlyArray<Watched>): RealResult => {
  const found = watched.flatMap((one) => one.found)
  return {
    summary: {
      sessions,
      stops: watched.reduce((sum, one) => sum + one.stops, 0),
      flagged: sessionsOf(found.filter(({ at }) => at !== "at work")),
      passing: sessionsOf(found.filter(({ at }) => at === "at work")),
      counted: watched.filter(({ isCounted }) => isCounted).length
    },
    found
  }
}

/** Every session of the suites of labelled stops. */
export const sessions = (root: string): RealResult => {
  const files = Corpus.names.flatMap((suite) =>
    [...Corpus.sessionFiles(Path.join(root, suite))].map(([session, file]) => ({ suite, session, file }))
  )
  return summed(
    files.length,
    files.map(({ file, session, suite }) =>
      Times.measure(
        "loop-sessions",
        session,
        () => watch(suite, session, Sessions.decode(Corpus.bytes(file))),
        ({ stops }) => stops
      )
    )
  )
}

const eventOf = (step: Json.Json, index: number): TranscriptEvent =>
  callOf({
    id: `call-${index}`,
    tool: Json.text(step["tool"]),
    input: step["args"] ?? null,
    status: "completed",
    exitCode: Json.exitCode(step["exit_code"]),
    output: Json.string(step["output"])
  })

const transcriptOf = (run: Json.Json): Transcript => ({
  version: 1,
  host: "mini-swe-agent",
  sessionId: Json.string(run["id"]),
  parentSessionId: null,
  cwd: null,
  mode: "build",
  events: [user(Json.text(run["task"])), ...Json.list(run["steps"]).map(Json.object).map(eventOf)]
})

const folder = "mini-swe"

const isResolved = (run: Json.Json): boolean => Json.object(run["label"])["resolved"] === true

/** The benchmark runs in the corpus' folder `mini-swe`, those that solved their task apart. */
export const benchmark = (root: string): Readonly<Record<"resolved" | "unresolved", RealResult>> | null => {
  const file = Path.join(root, folder, "trajectories.jsonl.gz")
  if (!Fs.existsSync(file)) return null
  const runs = Buffer.from(Corpus.bytes(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => Json.object(JSON.parse(line)))
  const watched = (some: ReadonlyArray<Json.Json>): RealResult =>
    summed(
      some.length,
      some.map((run) =>
        Times.measure(folder, Json.text(run["id"]), () => watch(folder, Json.text(run["id"]), transcriptOf(run)))
      )
    )
  return {
    resolved: watched(runs.filter(isResolved)),
    unresolved: watched(runs.filter((run) => !isResolved(run)))
  }
}

/** The runs that the labelled pairs are of, whose task is not on record. */
export const pairRuns = (root: string): RealResult => {
  const runs = [...PairSuite.runs(root)]
  const watched = runs.map(([session, events]) =>
    watch("pairs", session, {
      version: 1,
      host: "pairs",
      sessionId: session,
      parentSessionId: null,
      cwd: null,
      mode: "build",
      events
    })
  )
  return summed(runs.length, watched)
}
