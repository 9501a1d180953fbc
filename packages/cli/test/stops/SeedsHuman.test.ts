/**
 * What the project's first documents ask for where only a person can go on, and where a person and the agent both have
 * something to do: a session for each wording. More of them, with failed commands: `FailedWork`.
 */
import { assert, describe, it } from "@effect/vitest"
import { agent, edit, judged, run, type Stop, user } from "./judged.ts"
import { attended, done, isAsked, nudged, stop } from "./seedStops.ts"

const human = { status: ["needs_human", "waiting_for_user"], nudge: false } as const

const publishing = user("Put the gallery online with Netlify.")
const refused = run("netlify deploy --prod", 1, "Error: Not authorized")
const paying = user("Add donations and try them in the sandbox.")
const syncing = user("Connect the calendar of Google.")
const shipping = user("Release the app.")
const change = edit("src/gallery.ts", "thumbs", "photos")
const built = run("npm run build", 0, "built in 2.1s")

describe("what only a person can do", () => {
  it.effect(
    "is the user's",
    judged([
      ...[
        "You need to sign in: run `netlify login`.",
        "Please log in to Netlify first, then I can deploy.",
        "The deployment failed because I'm not logged in. Please run `netlify login` in your terminal.",
        "Netlify needs you to sign in. I can't do that for you."
      ].map((text, at) => stop(`login ${at}`, human, [publishing, refused, agent(text)])),
      {
        ...stop("login, in a project", human, [
          publishing,
          refused,
          agent("You need to sign in: run `netlify login`.")
        ]),
        project: { "package.json": "{}" }
      },
      ...[
        "I need an API key from your Mollie dashboard to go on.",
        "I need your AWS credentials to continue.",
        "Please provide the API key from the dashboard.",
        "Set MOLLIE_KEY in your environment; I don't have access to it."
      ].map((text, at) => stop(`key ${at}`, human, [paying, change, agent(text)])),
      ...[
        "The build is ready. You need to upload it to the Play Console yourself.",
        "Please upload the bundle to the store.",
        "You need to upload gallery.zip to the portal manually."
      ].map((text, at) => stop(`upload ${at}`, human, [shipping, built, agent(text)])),
      ...[
        "The code is in place.\n\nPlease complete the OAuth consent in your browser and send me the 2FA code.",
        "I can't continue without your 2FA code. Please open the OAuth consent screen and approve.",
        "Please approve the OAuth consent screen in your browser.",
        "The OAuth consent needs your approval in the browser before I can go on.",
        "Waiting for your 2FA code."
      ].map((text, at) => stop(`consent ${at}`, human, [syncing, change, agent(text)])),
      stop("all that is left of a release", human, [
        user("Correct the thumbnails and publish the package."),
        change,
        agent("Corrected. To publish it, please log in to npm with your 2FA code; I can't do that.")
      ]),
      stop("all that is left behind a proof", human, [
        user("Correct the thumbnails, run the tests and write the docs."),
        change,
        run("npm test", 0, "3 passed"),
        agent("The docs are still to be written. Please log in first.")
      ])
    ])
  )
})

const mixed = user("Correct the thumbnails, run the tests and publish the package to npm.")

describe("what is left to both", () => {
  it.effect(
    "sends the agent on with its own part",
    judged([
      stop("an approval", nudged, [
        user("Correct the thumbnails, run the tests and write the docs."),
        change,
        agent("I still need to run the tests. Please approve the release.")
      ]),
      stop("a list of both", nudged, [
        user("Correct the thumbnails, run the tests and open a PR."),
        change,
        agent("Corrected.\n\nRemaining:\n- Run the tests\n- Create the PR\n- You: log in to GitHub")
      ]),
      stop("you, in a sentence", nudged, [
        mixed,
        change,
        agent("Still to do: run the tests. You: approve the release.")
      ]),
      stop("the user's part is named", { ...nudged, feedback: ["Leave to the user", "log in to npm"] }, [
        mixed,
        change,
        agent("Tests not run. You need to log in to npm.")
      ])
    ])
  )
})

describe("a question", () => {
  it.effect(
    "is the user's to answer",
    judged([
      attended("which of two", { status: "waiting_for_user", nudge: false }, [
        user("Set the project up."),
        agent("Which database do you want, Postgres or SQLite?")
      ]),
      attended("what is meant", { status: "waiting_for_user", nudge: false }, [
        user("Do it"),
        agent("Could you please say what exactly you'd like me to do?")
      ]),
      stop("none behind work that is done", done, [
        user("Correct the thumbnails and run npm test."),
        change,
        run("npm test", 0, "5 passed"),
        agent("Corrected, npm test passes.")
      ])
    ])
  )
})

describe("an ordered check that did not run", () => {
  it.effect(
    "is the agent's, whatever it asks of the user besides",
    judged(
      [
        "Corrected. I still need to run the tests. Please log in to npm first.",
        "I haven't run the tests yet. To publish it I need your npm 2FA code.",
        "The tests still have to be run, and publishing needs your npm login.",
        "I need your 2FA code to publish; the tests I have not run."
      ].map((text, at): Stop =>
        stop(
          `both, the agent's part is open: ${at}`,
          { ...nudged, gates: { tests: "missing" }, feedback: ["Leave to the user"] },
          [mixed, change, agent(text)]
        )
      )
    )
  )
})

/** Judged as it is today; the comment says what the documents ask for. */
const later: ReadonlyArray<Stop> = [
  // The user decides, with nobody there as well.
  {
    name: "a choice, with nobody there",
    events: [user("Set the project up."), agent("Which database do you want, Postgres or SQLite?")],
    unattended: { status: ["incomplete", "waiting_for_user"] }
  }
]

describe("what is judged otherwise than asked for", () => {
  it.effect("stands as it does today", judged(later))

  it("has a model asked", () =>
    assert.deepStrictEqual(
      later.filter((one) => !isAsked(one)).map(({ name }) => name),
      []
    ))
})
