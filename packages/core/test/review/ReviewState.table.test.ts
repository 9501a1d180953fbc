/** The anti-loop machine, row by row: a state, an event, the actions that follow, and the changes of the state. */
import { assert, describe, it } from "@effect/vitest"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"
import { list } from "../support/rows.ts"
import { table } from "../support/sessions.ts"

type State = ReviewState.ReviewState

const now = 100_000
const at = now + 10

/** At rest, with a task of the user's. */
const armed: State = { ...ReviewState.initial, root: "u1", mode: "build", now }
const nudged: State = { ...armed, attempts: 1, mark: "0:a", reviews: 1 }

const settling = (state: State): State => ({ ...state, phase: { _tag: "settling", until: now + 1500 } })

const reviewing = (state: State, silentSince: number | null = null): State => ({
  ...state,
  reviews: 7,
  phase: { _tag: "reviewing", review: 7, since: now, silentSince }
})

const injecting = (stopped: boolean | null): State => ({
  ...nudged,
  reviews: 7,
  phase: { _tag: "injecting", review: 7, since: now, stopped }
})

/** What forbids a review. */
const forbidding: Readonly<Record<string, Partial<State>>> = {
  "nobody asked": { root: null },
  "a subagent": { kind: "subagent" },
  "a judge": { kind: "judge" },
  off: { enabled: false },
  aborted: { halted: "aborted" },
  failed: { halted: "failed" },
  compacting: { compacting: true },
  plans: { mode: "plan" },
  asked: { asked: ["q1"] },
  busy: { background: 1 },
  queued: { queued: 1 }
}

const states: Readonly<Record<string, State>> = {
  armed,
  nudged,
  ...Object.fromEntries(Object.entries(forbidding).map(([name, more]) => [name, { ...armed, ...more }])),
  ended: { ...armed, ended: true },
  "just aborted": { ...armed, abortedAt: now - 1000 },
  "nudged, aborted": { ...nudged, halted: "aborted" },
  settling: settling(armed),
  reviewing: reviewing(armed),
  "second review": reviewing(nudged),
  "third review": reviewing({ ...nudged, attempts: 2 }),
  "spent review": reviewing({ ...nudged, attempts: 3 }),
  "told review": reviewing({ ...nudged, told: ["unmoved"] }),
  "unmarked review": reviewing({ ...nudged, mark: null }),
  "long review": reviewing({ ...nudged, mark: "0:5:tests=failed@4" }),
  "failing review": reviewing({ ...nudged, failures: ["f1"] }),
  spent: { ...nudged, attempts: 3 },
  "told of a limit": { ...armed, told: ["limit"] },
  "review after a limit": {
    ...nudged,
    reviews: 7,
    phase: { _tag: "reviewing", review: 7, since: now, silentSince: null, limited: true }
  },
  rousing: reviewing(armed, 5),
  "roused again": reviewing(nudged, 5),
  injecting: injecting(null),
  "rousing a word": injecting(false),
  "stopped meanwhile": injecting(true)
}

const outcome: ReviewState.ReviewOutcome = {
  status: "incomplete",
  severity: "HIGH",
  shouldContinue: true,
  gateRequired: true,
  tells: false,
  reason: "tests were not run",
  mark: "0:b",
  nudges: { count: 0, mark: null }
}

const found = (more: Partial<ReviewState.ReviewOutcome> = {}, review = 7): ReviewState.ReviewEvent => ({
  _tag: "ReviewFinished",
  review,
  outcome: { ...outcome, ...more },
  at
})

const still = { shouldContinue: false } as const

const events: Readonly<Record<string, ReviewState.ReviewEvent>> = {
  idle: { _tag: "Idle", at },
  "idle, clock back": { _tag: "Idle", at: now - 60_000 },
  silence: { _tag: "Silence", since: 5, at },
  clock: { _tag: "Clock", at },
  settled: { _tag: "Clock", at: now + 1500 },
  late: { _tag: "Clock", at: now + 130_000 },
  abort: { _tag: "Abort", at },
  error: { _tag: "Error", at },
  limit: { _tag: "Error", limitEnd: at + 60_000, at },
  works: { _tag: "AssistantMessage", at },
  message: { _tag: "UserMessage", id: "u2", genuine: true, at },
  "message again": { _tag: "UserMessage", id: "u1", genuine: true, at },
  harness: { _tag: "UserMessage", id: "s1", genuine: false, at },
  plan: { _tag: "ModeChanged", mode: "plan", at },
  question: { _tag: "Asked", id: "q1", at },
  answer: { _tag: "Answered", id: "q1", at },
  background: { _tag: "Background", running: 1, at },
  input: { _tag: "Queued", waiting: 1, at },
  compaction: { _tag: "Compaction", running: true, at },
  child: { _tag: "ChildSession", kind: "subagent", at },
  stop: { _tag: "Command", command: "stop", at },
  start: { _tag: "Command", command: "start", at },
  status: { _tag: "Command", command: "status", at },
  deleted: { _tag: "Deleted", at },
  open: found(),
  "open, same mark": found({ mark: "0:a" }),
  "open, record lost": found({ mark: "0:3:tests=failed@2" }),
  "open, same failure": found({ failures: "f1" }),
  "open, shorter record": found({ mark: "0:3:tests=failed@3", nudges: { count: 1, mark: "0:3:tests=failed@2" } }),
  "open, older review": found({}, 6),
  "open, three nudges seen": found({ nudges: { count: 3, mark: "0:b" } }),
  "open, no reason to nudge": found(still),
  "open, something to tell": found({ ...still, tells: true }),
  done: found({ ...still, status: "complete" }),
  "done, no check": found({ ...still, status: "complete", gateRequired: false }),
  waits: found({ status: "waiting_for_user" }),
  abstained: found({ status: "abstained" }),
  stuck: found({ status: "stuck" }),
  "at work": found({ status: "working" }),
  "judge failed": { _tag: "ReviewFailed", review: 7, reason: "timeout", at },
  sent: { _tag: "InjectionDone", review: 7, at },
  "not sent": { _tag: "InjectionFailed", review: 7, reason: "gone", at }
}

const options: Readonly<Record<string, Partial<ReviewState.ReviewOptions>>> = {
  "": {},
  "tells aborts": { raceWindow: 0 },
  "goes on": { continuesAfterLimit: true },
  "no nudges": { nudges: false }
}

const rows = String.raw`
  armed :: idle :: wake in 1500 :: phase=settling
  armed :: idle :: review :: phase=reviewing reviews=1 :: tells aborts
  settling :: clock :: wake in 1490 ::
  settling :: settled :: review :: phase=reviewing reviews=1
  settling :: idle ::  ::
  just aborted :: idle :: wake in 8990 :: phase=settling
  armed :: idle, clock back :: wake in 1490 :: phase=settling
  armed :: silence :: review the silence :: phase=reviewing reviews=1
  just aborted :: silence ::  ::
  settling :: silence ::  ::
  rousing :: idle :: cancel, none, wake in 1500 :: phase=settling
  armed :: abort :: abstain :: abortedAt=100010 halted=aborted
  settling :: abort :: abstain :: abortedAt=100010 halted=aborted phase=quiet
  reviewing :: abort :: cancel, none, abstain :: abortedAt=100010 halted=aborted phase=quiet
  injecting :: abort :: abstain :: abortedAt=100010 halted=aborted phase=quiet
  reviewing :: error :: cancel, none :: halted=failed phase=quiet
  aborted :: error ::  ::
  armed :: limit :: wake in 60000, tell limit, notice :: told=["limit"] phase=settling :: goes on
  armed :: limit ::  :: halted=failed
  told of a limit :: limit ::  :: halted=failed :: goes on
  spent :: limit ::  :: halted=failed :: goes on
  plans :: limit ::  :: halted=failed :: goes on
  review after a limit :: open, same mark :: nudge 2, nudge :: attempts=2 phase=injecting
  failed :: works ::  :: halted=null
  aborted :: works ::  ::
  nudged, aborted :: message :: rearm :: root=u2 attempts=0 mark=null halted=null
  second review :: message :: cancel, none, rearm :: root=u2 attempts=0 mark=null phase=quiet
  nudged :: message again ::  ::
  nudged :: harness ::  ::
  reviewing :: harness :: cancel, none :: phase=quiet
  injecting :: harness ::  ::
  reviewing :: plan :: cancel, none :: mode=plan phase=quiet
  settling :: plan :: none :: mode=plan phase=quiet
  reviewing :: question :: cancel, none :: asked=["q1"] phase=quiet
  settling :: question :: abstain :: asked=["q1"] phase=quiet
  asked :: answer ::  :: asked=[]
  reviewing :: background :: cancel, none :: background=1 phase=quiet
  reviewing :: input :: cancel, none :: queued=1 phase=quiet
  reviewing :: compaction :: cancel, none :: compacting=true phase=quiet
  reviewing :: stop :: cancel, none, stop, tell off :: enabled=false phase=quiet
  off :: start :: start, tell on :: enabled=true
  armed :: status :: tell on ::
  off :: status :: tell off ::
  reviewing :: deleted :: cancel, none :: ended=true phase=quiet
  ended :: idle ::  ::
  reviewing :: open :: nudge 1, nudge :: attempts=1 mark=0:b phase=injecting
  second review :: open :: nudge 2, nudge :: attempts=2 mark=0:b phase=injecting
  third review :: open :: nudge 3 (last), nudge :: attempts=3 mark=0:b phase=injecting
  spent review :: open :: tell exhausted, notice :: told=["exhausted"] phase=quiet
  second review :: open, same mark :: tell unmoved, notice :: told=["unmoved"] phase=quiet
  long review :: open, record lost :: tell unmoved, notice :: mark=0:3:tests=failed@2 told=["unmoved"] phase=quiet
  long review :: open, shorter record :: nudge 2, nudge :: attempts=2 mark=0:3:tests=failed@3 phase=injecting
  failing review :: open, same failure :: tell unmoved, notice :: told=["unmoved"] phase=quiet
  told review :: open, same mark :: none :: phase=quiet
  unmarked review :: open :: tell unmoved, notice :: told=["unmoved"] phase=quiet
  reviewing :: open, three nudges seen :: tell exhausted, notice :: attempts=3 mark=0:b told=["exhausted"] phase=quiet
  reviewing :: open :: tell incomplete, notice :: told=["incomplete"] phase=quiet :: no nudges
  reviewing :: open, no reason to nudge :: none :: phase=quiet
  second review :: open, no reason to nudge :: tell incomplete, notice :: told=["incomplete"] phase=quiet
  reviewing :: open, something to tell :: tell incomplete, notice :: told=["incomplete"] phase=quiet
  reviewing :: done :: tell complete, notice :: told=["complete"] phase=quiet
  reviewing :: done, no check :: none :: phase=quiet
  second review :: done, no check :: tell complete, notice :: told=["complete"] phase=quiet
  reviewing :: waits :: tell waiting_for_user, notice :: told=["waiting_for_user"] phase=quiet
  reviewing :: abstained :: abstain :: phase=quiet
  rousing :: stuck :: nudge 1 of the silence, nudge :: attempts=1 mark=0:b phase=injecting
  rousing :: at work :: abstain :: phase=quiet
  roused again :: open, same mark :: tell unmoved, notice :: told=["unmoved"] phase=quiet
  rousing :: open :: tell incomplete, notice :: told=["incomplete"] phase=quiet :: no nudges
  reviewing :: open, older review ::  ::
  armed :: open ::  ::
  reviewing :: judge failed :: failure :: phase=quiet
  reviewing :: late :: cancel, none, failure :: phase=quiet
  injecting :: sent ::  :: phase=quiet
  injecting :: not sent :: failure :: phase=quiet
  injecting :: late :: failure :: phase=quiet
  rousing a word :: idle ::  ::
  stopped meanwhile :: not sent :: failure, wake in 1500 :: phase=settling
  stopped meanwhile :: sent ::  :: phase=quiet
`

const action = (one: ReviewState.ReviewAction): string => {
  switch (one._tag) {
    case "Review":
      return one.silentSince === null ? "review" : "review the silence"
    case "Inject":
      return `nudge ${one.attempt}${one.last ? " (last)" : ""}${one.silentSince === null ? "" : " of the silence"}`
    case "Notify":
      return `tell ${one.notice}`
    case "Wake":
      return `wake in ${one.at - at}`
    case "CancelReview":
      return "cancel"
    case "Record":
      return one.decision
  }
}

/** What differs, but for the time. */
const changed = (before: State, after: State): string =>
  Object.entries({ ...after, phase: after.phase._tag })
    .filter(([key, value]) => {
      const was = key === "phase" ? before.phase._tag : before[key as keyof State]
      return key !== "now" && JSON.stringify(was) !== JSON.stringify(value)
    })
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ")

const decided = (state: string, event: string, option = ""): readonly [actions: string, after: string] => {
  const [before, given] = [states[state] ?? assert.fail(state), events[event] ?? assert.fail(event)]
  const [after, actions] = ReviewState.decide(before, given, { ...ReviewState.defaultOptions, ...options[option] })
  return [actions.map(action).join(", "), changed(before, after)]
}

const told = (from: State, event: ReviewState.ReviewEvent) =>
  ReviewState.decide(from, event, { ...ReviewState.defaultOptions, raceWindow: 0 })[1]
    .map(action)
    .join()

describe("ReviewState", () => {
  it.each(table(rows))("%s, %s: %s", (state = "", event = "", actions = "", after = "", option = "") => {
    assert.deepStrictEqual(decided(state, event, option), [actions, after])
  })

  it("keeps the newest 64 open questions", () => {
    const asked = Array.from({ length: 64 }, (_, index) => `old-${index}`)
    const [after] = ReviewState.decide(
      { ...armed, asked },
      { _tag: "Asked", id: "new", at },
      ReviewState.defaultOptions
    )
    assert.deepStrictEqual(after.asked, [...asked.slice(1), "new"])
  })

  it.each(Object.entries(forbidding))("reviews no stop and no silence: %s", (_, more) => {
    const state = { ...armed, ...more }
    assert.strictEqual(told(state, { _tag: "Idle", at }), "abstain")
    assert.strictEqual(told(state, { _tag: "Silence", since: 5, at }), "")
    assert.strictEqual(told(settling(state), { _tag: "Clock", at: now + 1500 }), "abstain")
  })

  it.each(list`question ¦ background ¦ input ¦ compaction ¦ plan ¦ child ¦ abort ¦ error ¦ stop ¦ deleted ¦ message`)(
    "drops a running or waiting review: %s",
    (event) => {
      for (const state of ["reviewing", "settling"]) assert.include(decided(state, event)[1], "phase=quiet")
      assert.match(decided("reviewing", event)[0], /^cancel, none/)
    }
  )
})
