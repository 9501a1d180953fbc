/** What the user sees on the screen of what takes its time: that a check runs, and how it ended; that a model is asked. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import type { Started } from "@reflexion/core/internal/checks/Verification"
import * as Effect from "effect/Effect"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"

const maxShown = 80

const shown = (command: string): string => {
  const text = safeText(command).replace(/\s+/gu, " ").trim()
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text
}

/** The agent has stopped, and nothing would be seen for as long as a check takes. */
export const started = Effect.map(
  OpenCodeClient,
  ({ toast }): Started =>
    ({ command }) =>
      Effect.ignore(toast({ message: `reflexion runs \`${shown(command)}\` …`, variant: "info" }))
)

/** At a stop that needs no notice nothing else would say so. */
export const ended = Effect.map(
  OpenCodeClient,
  ({ toast }) =>
    (ran: string): Effect.Effect<void> =>
      Effect.ignore(toast({ message: `${ran}.`, variant: "info" }))
)

/** Once for each question. */
export const asking = Effect.map(
  OpenCodeClient,
  ({ toast }) =>
    (model: string): Effect.Effect<void> =>
      Effect.ignore(toast({ message: `reflexion asks ${model} whether the turn is done …`, variant: "info" }))
)
