import { describe, it } from "@effect/vitest"
import { agent, edit, judged, row, run, type Stop, tool, user } from "./judged.ts"

const order = user("Fix the total in `src/total.ts`.")

const notice = (kind: string, detail: string | null = null) => ({ type: "notice", kind, detail })

const error = (detail: string, kind = "api_error") => [order, edit("src/total.ts"), notice(kind, detail)]

const table = (prefix: string, details: ReadonlyArray<string>, wanted: Stop["wanted"]): ReadonlyArray<Stop> =>
  details.map((detail, index) => ({ name: `${prefix}-${index}`, events: error(detail), ...(wanted && { wanted }) }))

const at = "2026-03-01T10:00:00.000Z"

const claude =
  (...lines: ReadonlyArray<Record<string, unknown>>) =>
  (cwd: string): string =>
    [
      {
        type: "user",
        uuid: "u1",
        sessionId: "s1",
        cwd,
        timestamp: at,
        origin: { kind: "human" },
        message: { role: "user", content: "Fix the total in `src/total.ts`." }
      },
      ...lines.map((line, index) => ({ uuid: `l${index}`, sessionId: "s1", cwd, timestamp: at, ...line }))
    ]
      .map((line) => JSON.stringify(line))
      .join("\n")

const codex =
  (...payloads: ReadonlyArray<Record<string, unknown>>) =>
  (cwd: string): string =>
    [
      { type: "session_meta", payload: { id: "s1", cwd, originator: "codex_cli_rs", source: "cli" } },
      { type: "event_msg", payload: { type: "task_started" } },
      { type: "event_msg", payload: { type: "user_message", message: "Fix the total in `src/total.ts`." } },
      ...payloads.map((payload) => ({ type: "event_msg", payload }))
    ]
      .map((line) => JSON.stringify({ timestamp: at, ...line }))
      .join("\n")

describe("a stop at which the host tries again", () => {
  const wanted = { status: "working", nudge: false } as const
  it.effect(
    "is left alone",
    judged([
      ...table(
        "retried",
        [
          "request failed with status 529, attempt 3 of 10",
          "API Error (Connection error.) · Retrying in 5 seconds… (attempt 2/10)",
          "Reconnecting... 2/5",
          "stream disconnected before completion; retrying 1/5 in 200ms",
          "Overloaded, will be retried in 20 s"
        ],
        wanted
      ),
      row("limited", wanted, error("Rate limited. Retrying in 20 s", "rate_limited")),
      {
        name: "claude-code",
        record: claude({
          type: "system",
          subtype: "api_error",
          retryAttempt: 10,
          maxRetries: 10,
          retryInMs: 30_000,
          error: { status: 529 }
        }),
        wanted
      },
      { name: "codex", record: codex({ type: "stream_error", message: "Reconnecting... 2/5" }), wanted },
      {
        name: "codex-server",
        record: codex({ type: "error", message: "stream disconnected", will_retry: true }),
        wanted
      }
    ])
  )

  it.effect(
    "is no stop at which it has given up",
    judged([
      ...table(
        "gave-up",
        [
          "529 overloaded_error",
          "API Error: 500 internal server error",
          "stream disconnected before completion, gave up after 5 retries",
          "exceeded retry limit, last status: 503 Service Unavailable"
        ],
        { status: "stuck", nudge: true, finds: ["host/failed"] }
      ),
      row("went-on", { status: "complete", nudge: false }, [
        ...error("request failed with status 529, attempt 3 of 10"),
        agent("The total is fixed.")
      ])
    ])
  )
})

describe("a model that does not exist or may not be used", () => {
  it.effect(
    "is the user's to settle",
    judged([
      ...table(
        "model",
        [
          "404 model not found",
          'API Error: 404 {"type":"error","error":{"type":"not_found_error","message":"model: fast-9.1"}}',
          "There's an issue with the selected model (fast-9.1). It may not exist or you may not have access to it.",
          "The model `fast-9.1` does not exist or you do not have access to it.",
          "Model not found: small/fast-9.1. Did you mean fast-9?",
          "ProviderModelNotFoundError",
          "The 'fast-9.1' model is not supported when using Codex with a ChatGPT account.",
          "This model is not available on your plan",
          "Your subscription does not include access to this model.",
          "The large model requires a Pro plan. Upgrade your plan to use it.",
          "invalid model name: fast-9",
          "Unknown model fast-9",
          "The model fast-2 has been deprecated and is no longer served.",
          "Your organization does not have access to the model fast-9.",
          "model_not_found"
        ],
        { status: "needs_human", nudge: false }
      ),
      row("key", { status: "needs_human", nudge: false }, error("401 invalid api key")),
      row("in-the-agents-place", { status: "needs_human", nudge: false }, [
        order,
        {
          type: "assistant_message",
          text: "Model not found: small/fast-9.1",
          completed: true
        }
      ]),
      {
        name: "codex",
        record: codex({
          type: "error",
          message: "The 'fast-9' model is not supported when using Codex with a ChatGPT account."
        }),
        wanted: { status: "needs_human", nudge: false }
      }
    ])
  )

  it.effect(
    "is no model that has no room just now",
    judged(
      table(
        "busy",
        ["The model is overloaded, please try again later", "The model fast-9 is temporarily not available"],
        {
          status: "stuck",
          nudge: true
        }
      )
    )
  )
})

describe("an empty answer", () => {
  const found = { status: "stuck", nudge: true, finds: ["host/cut-off"] } as const
  const spared = { nudge: false, spares: ["host/cut-off"] } as const
  const reminder = {
    type: "user_message",
    synthetic: true,
    text: "[reflexion 1/3] The task is not done yet.\n\n- Your last message is empty."
  }
  it.effect(
    "is found, and the agent is reminded of it once",
    judged([
      row("nothing-at-all", found, [order]),
      row("blank", found, [order, agent("")]),
      row("blank-after-work", found, [order, edit("src/total.ts"), agent(" \n")]),
      row("second-order", found, [
        order,
        edit("src/total.ts"),
        agent("The total is fixed."),
        user("Now add a test for it.")
      ]),
      row("go-on", found, [order, edit("src/total.ts"), agent("Half of it is done."), user("continue")]),
      {
        name: "claude-code",
        record: claude({
          type: "assistant",
          message: { id: "m1", role: "assistant", model: "large", content: [], stop_reason: "end_turn" }
        }),
        wanted: found
      },
      { name: "codex", record: codex({ type: "task_complete", last_agent_message: null }), wanted: found },
      row("again-after-a-reminder", { nudge: false }, [order, reminder]),
      row("blank-after-a-reminder", { nudge: false }, [order, agent(""), reminder, agent("")]),
      row("a-question", spared, [user("What does the loader do?")]),
      row("thanks", spared, [order, agent("The total is fixed."), user("Thanks!")]),
      row("said-and-blank", spared, [order, edit("src/total.ts"), agent("Fixed."), agent("")]),
      row("calls-and-no-word", spared, [order, edit("src/total.ts")]),
      row("interrupted", spared, [order, notice("aborted")]),
      row("failed", spared, [order, notice("api_error", "401 invalid api key")]),
      row("limited", spared, [order, notice("rate_limited", "limit reached, resets at 6pm")]),
      row("background", spared, [order, notice("background_running", "1 in the background")]),
      row("background-call", spared, [
        order,
        run("npm run dev", null, "", { background: true, status: "running" }),
        agent("")
      ]),
      row("open-call", spared, [order, tool("bash", { command: "npm test" }, { status: "running" })]),
      row("user-wrote-on", spared, [order, notice("input_queued")]),
      row("told-to-stop", spared, [order, edit("src/total.ts"), user("stop")])
    ])
  )
})
