import { describe, it } from "@effect/vitest"
import { agent, edit, judged, type Stop, user } from "./judged.ts"

/** Nobody is there to read the last words of work that was done in `file`. */
const stop = (text: string, order = "Merge the feeds in src/feeds.js.", file = "src/feeds.js"): Stop => ({
  name: text,
  events: [user(order), edit(file), agent(text)]
})

const parts = "Port src/rail.js, src/road.js and src/sea.js to the new clock."
const part = (text: string): Stop => stop(text, parts, "src/rail.js")

const finished = { nudge: false, spares: ["question/nobody-there"] } as const
const open = { status: "incomplete", nudge: true, finds: ["question/nobody-there"] } as const

describe("last words with nobody there", () => {
  it.effect(
    "announce nothing where they tell of what was done",
    judged(
      [
        stop("It merges them by date: after one feed's entry the next feed is asked for."),
        stop("The feeds are merged. Next, a number: merge takes 3 ms."),
        stop("`--next` is gone from the feeds.", "Drop the option --next of src/feeds.js."),
        stop("Merge finished; let me sum it up: two feeds, one list, no merge of duplicates."),
        stop("One list it is. Let me show the merge: a, b, c."),
        stop("One list it is. I'll add one remark: empty feeds are skipped by the merge."),
        stop("Next.js reads the feeds as before.")
      ].map((one) => ({ ...one, unattended: finished }))
    )
  )

  it.effect(
    "ask for nothing where they offer more than was ordered, or want praise",
    judged(
      [
        stop("Merged. Want a pull request?"),
        stop("Merged. Should I cache the result?"),
        stop("Merged. Is this okay for you?"),
        stop("Everything is merged. I'll gladly continue with the other lists once you have looked at these.")
      ].map((one) => ({ ...one, unattended: finished }))
    )
  )

  it.effect(
    "are not the end where the rest of the order is announced or asked about",
    judged(
      [
        part("rail.js is ported. Next I will port road.js."),
        part("rail.js is ported. Next up: road.js and sea.js."),
        part("rail.js is ported. Let me now port road.js."),
        part("rail.js is ported. I'll work on road.js now."),
        part("rail.js is ported. Should I port road.js?"),
        part("rail.js is ported. Shall I continue with the other two?"),
        stop("Merged so far. Should the list hold 10 entries or 100?")
      ].map((one) => ({ ...one, unattended: open }))
    )
  )
})
