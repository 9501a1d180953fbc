import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { edit, run, tool, user } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const working: StuckExpectation = { reason: "working", nudge: false }
const stuck: StuckExpectation = { reason: "genuinely_stuck", nudge: true, says: ["STOP: Action Loop"] }

type Round = (index: number) => ReadonlyArray<TranscriptEvent>

const rounds = (count: number, round: Round): ReadonlyArray<TranscriptEvent> =>
  Array.from({ length: count }, (_, index) => round(index)).flat()

/** Looks at what does not move any more, and tries that leave everything as it was; beside each, what looks the same. */
export const futile: ReadonlyArray<StuckCase> = [
  ...(
    [
      ["one-pending", "gh pr checks 14", "build\tpending\t0\nlint\tpass\t31s"],
      ["one-goes-on", "gh run view 91", "* main CI · 91\n\nJOBS\n* unit (ID 3)\n✓ lint in 31s (ID 4)"],
      ["queued", "gh run view 91 --json status,conclusion", '{"conclusion":"","status":"queued"}'],
      ["runs", "glab ci status", "(running) • 01m 20s  test  unit\n(success) • 20s  lint"]
    ] as const
  ).map(([name, command, output]): StuckCase => ({
    id: `futile/not-${name}`,
    why: "A part of it has not ended: whoever watches it has a reason to.",
    events: [user("Get the pipeline of my branch green."), ...rounds(7, () => [run(command, 0, output)])],
    expect: working
  })),
  {
    id: "futile/checks-after-each-fix",
    why: "The same check fails after each push, but each time another fix was pushed.",
    events: [
      user("Get the pipeline of my branch green."),
      ...rounds(5, (index) => [
        edit(`src/part-${index}.ts`),
        run(`git commit -qam 'Try ${index}' && git push -q`, 0),
        run("gh pr checks 14", 1, "build\tfail\t2m1s")
      ])
    ],
    expect: working
  },
  ...(
    [
      [
        "installation",
        (index: number) => [
          run("npm ci", 0, `added 211 packages in ${index + 3}s`),
          run("npm test", 1, "Tests: 1 failed, 36 passed")
        ]
      ]
    ] as const
  ).map(([name, round]): StuckCase => ({
    id: `futile/again-${name}`,
    why: "It starts the thing anew, sees the same failure, and changes nothing that could make it another.",
    events: [user("The api does not answer; find out why and fix it."), ...rounds(7, round)],
    expect: stuck
  })),
  {
    id: "futile/again-with-edits",
    why: "It starts the thing anew after each edit; that the failure stays the same is how debugging looks.",
    events: [
      user("The api does not answer; find out why and fix it."),
      ...rounds(6, (index) => [
        edit(`config/part-${index}.yml`),
        run("docker compose restart api", 0, " Container api  Started"),
        run("docker compose logs --tail 2 api", 0, "api  | KeyError: 'DATABASE_URL'\napi exited with code 1, error")
      ])
    ],
    expect: working
  },
  {
    id: "futile/again-with-news",
    why: "Another variable is missing each time, for it sets one after another where the session does not show it.",
    events: [
      user("The api does not answer; find out why and fix it."),
      ...["HOST", "USER", "TOKEN", "REGION", "BUCKET", "QUEUE"].flatMap((variable) => [
        run("docker compose restart api", 0, " Container api  Started"),
        run("docker compose logs --tail 1 api", 0, `api  | KeyError: '${variable}'`)
      ])
    ],
    expect: working
  },
  {
    id: "futile/sign-in",
    why: "Twelve times the same button and the same refusal: a page may take a few tries, but this one has answered.",
    events: [
      user("Sign in to the shop's admin page and export the orders."),
      ...rounds(12, () => [
        tool("browser_click", { selector: "#sign-in" }, { output: "clicked" }),
        tool("browser_snapshot", {}, { output: "heading: Sign in\nalert: Wrong or invalid password" })
      ])
    ],
    expect: stuck
  },
  {
    id: "futile/page-that-loads-badly",
    why: "A page that times out and is asked again a few times is how browsing is.",
    events: [
      user("Export the orders from the shop's admin page."),
      ...rounds(7, () => [
        tool("browser_navigate", { url: "https://shop.example/admin" }, { status: "error", output: "timeout" }),
        tool("browser_click", { selector: "#retry" }, { output: "clicked" })
      ])
    ],
    expect: working
  },
  {
    id: "futile/row-by-row",
    why: "Each row is another one, though each of them is refused with the same words.",
    events: [
      user("Delete the test orders on the shop's admin page."),
      ...rounds(12, (index) => [
        tool("browser_click", { selector: `#order-${index} .delete` }, { output: "clicked" }),
        tool("browser_snapshot", {}, { output: "alert: this order cannot be deleted" })
      ])
    ],
    expect: working
  }
]
