/** Two or more calls in turns or among others, round after round, and always with the same results. */
import type { TranscriptEvent } from "../../session/transcript/Transcript.ts"
import { agent, example, ran, user } from "./example.ts"
import { inLoop } from "./inLoop.ts"
import type { Page, Rule } from "./model.ts"

export const loopsRounds: Rule = {
  id: "loops/rounds",
  unattended: "push",
  stuck: true,
  anew: true,
  check: inLoop("loops/rounds")
}

const order = user("Fix the total in `src/total.ts`.")

const file = ran("cat src/total.ts", 0, "const total = 1")

const test = ran("npm test", 1, "1 failed")

const search = ran("grep -rn total src", 0, "src/total.ts:1:const total = 1")

const times = (count: number, ...round: ReadonlyArray<TranscriptEvent>): ReadonlyArray<TranscriptEvent> =>
  Array.from({ length: count }, () => round).flat()

export const page: Page = {
  what: "The agent falls silent after it went through the same calls in turns, three rounds or more, with the same results.",
  why: "A round that brought nothing new brings nothing new the next time, and no single call in it looks like a repetition.",
  fires: [
    example("it reads and tests", order, ...times(3, file, test)),
    example("it searches and reads", order, ...times(4, search, file)),
    example("three in turns", order, ...times(3, search, file, test))
  ],
  spares: [
    example("two rounds", order, ...times(2, file, test)),
    example(
      "each round brings something new",
      order,
      ...["3 failed", "2 failed", "1 failed"].flatMap((output, at) => [
        ran("cat src/total.ts", 0, `const total = ${at}`),
        ran("npm test", 1, output)
      ])
    ),
    example(
      "it has answered",
      order,
      ...times(3, search, file),
      agent("`total` is only read in one place: nothing is to be fixed.")
    )
  ]
}
