/** How the host says that a turn ended. */
import { agent, edit, notice, run, user } from "../../support/events.ts"
import type { Examples } from "./examples.ts"

export const host: Examples<"host/failed" | "host/cut-off" | "question/nobody-there"> = {
  "host/failed": {
    fires: {
      overloaded: [user("Fix the total."), edit("src/total.ts"), notice("api_error", "529 overloaded_error")],
      "a server error": [user("Fix the total."), notice("api_error", "API Error: 500 internal server error")],
      "the connection": [user("Fix the total."), edit("src/total.ts"), notice("api_error", "Connection error.")]
    },
    spares: {
      "it is tried again": [
        user("Fix the total."),
        edit("src/total.ts"),
        notice("api_error", "request failed with status 529, attempt 3 of 10")
      ],
      "there is no such model": [user("Fix the total."), notice("api_error", "Model not found: fast/small")],
      "the account is refused": [user("Fix the total."), notice("api_error", "401 authentication_error")],
      "the question is refused": [
        user("Fix the total."),
        notice(
          "api_error",
          'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Could not process image"}}'
        )
      ],
      "a limit of use": [user("Fix the total."), notice("rate_limited", "limit reached, resets at 6pm")],
      "it went on": [
        user("Fix the total."),
        notice("api_error", "529 overloaded_error"),
        edit("src/total.ts"),
        agent("Fixed.")
      ]
    }
  },
  "host/cut-off": {
    fires: {
      "by the host's word": [
        user("Fix the total and the tax."),
        edit("src/total.ts"),
        agent("The total is fixed, and the tax", false)
      ],
      "in a list": [
        user("List what the loader needs, and write it."),
        edit("src/loader.ts"),
        agent("It needs the following:\n\n1. a path,\n2. a", false)
      ],
      "in a block of code": [
        user("Write the loader."),
        edit("src/loader.ts"),
        agent("Here is the loader:\n```ts\nexport const load = (", false)
      ],
      "after an edit": [user("Fix the total."), edit("src/total.ts"), agent("")],
      "at once": [user("Fix the total."), agent("")],
      "nothing at all": [user("Fix the total.")],
      "white space": [user("What does the loader do?"), agent(" \n")]
    },
    spares: {
      "a whole sentence": [user("Fix the total."), edit("src/total.ts"), agent("The total is fixed.")],
      "proved, and whole by the host's word": [
        user("Fix the total."),
        edit("src/total.ts"),
        run("npm test", 0, "Tests: 7 passed, 7 total"),
        agent("Fixed; the call is now:")
      ],
      "a closed block of code": [
        user("Show me the loader."),
        agent("It is this:\n```ts\nexport const load = () => 1\n```")
      ],
      "a word": [user("Fix the total."), edit("src/total.ts"), agent("Fixed.")],
      "a message before it": [user("Fix the total."), edit("src/total.ts"), agent("The total is fixed."), agent("")],
      "no message after a call": [user("Fix the total."), edit("src/total.ts")],
      "a question, and no message yet": [user("What does the loader do?")]
    }
  },
  "question/nobody-there": {
    fires: {
      "leave for the rest of the task": [
        user("Migrate all five modules to the new logger."),
        edit("src/a.ts"),
        agent("I migrated two modules. Shall I continue with the remaining three?")
      ],
      "a choice": [
        user("Add a cache to the loader."),
        edit("src/loader.ts"),
        agent("Should entries live for an hour or for a day?")
      ],
      "leave for the rest, where a check passed": [
        user("Do part 1 and part 2 of the plan."),
        edit("src/a.ts"),
        run("npm test", 0, "Tests: 7 passed, 7 total"),
        agent("I did part 1. Shall I go on with part 2?")
      ],
      "the rest, announced": [
        user("Do part 1 and part 2 of the plan."),
        edit("src/a.ts"),
        run("npm test", 0, "Tests: 7 passed, 7 total"),
        agent("I did part 1. Next I will do part 2.")
      ],
      "the rest, open on its own list": [
        user("Port src/cart.ts and src/tax.ts to the new logger."),
        edit("src/cart.ts"),
        agent("Progress:\n\n- [x] src/cart.ts\n- [ ] src/tax.ts")
      ]
    },
    spares: {
      "a list of what the user may look at": [
        user("Port src/cart.ts to the new logger."),
        edit("src/cart.ts"),
        agent("src/cart.ts is ported.\n\nTo look at:\n\n- [ ] src/cart.ts\n- [ ] the log")
      ],
      "an open item that nobody ordered": [
        user("Port src/cart.ts to the new logger."),
        edit("src/cart.ts"),
        agent("Ported.\n\n- [x] src/cart.ts\n- [ ] Try it on staging")
      ],
      "the rest was done": [
        user("Do part 1 and part 2 of the plan."),
        edit("src/a.ts"),
        run("npm test", 0, "Tests: 7 passed, 7 total"),
        agent("Part 1 and part 2 are done. Want me to refactor part 2?")
      ],
      "something else is announced": [
        user("Round the total and log the tax."),
        edit("src/total.ts"),
        run("npm test", 0, "Tests: 7 passed, 7 total"),
        agent("I round the total and log the tax. I'll leave it there.")
      ],
      "what cannot be undone": [
        user("Move the users to the new table."),
        edit("src/move.ts"),
        agent("The users are copied. Shall I drop the old users table?")
      ],
      "more than was asked": [
        user("Fix the rounding in the total."),
        edit("src/total.ts"),
        run("npm test", 0, "Tests: 7 passed, 7 total"),
        agent("Fixed, and the tests pass. Would you like me to add a changelog entry?")
      ],
      "the user wants to be asked": [
        user("Migrate all five modules. Ask me before each one."),
        edit("src/a.ts"),
        agent("The first is migrated. Shall I continue with the second?")
      ]
    }
  }
}
