import { assert, describe, it } from "@effect/vitest"
import * as HumanAction from "../../src/session/stop/HumanAction.ts"
import { list } from "../support/rows.ts"

describe("needsHuman", () => {
  it.each(list`
    Complete the OAuth consent screen. ¦ Log in to the npm registry with \`npm login\`. ¦ Run \`gh auth login\` once.
    Enter the 2FA code from your authenticator app. ¦ Solve the captcha on the sign-up page. ¦ Set STRIPE_API_KEY in the environment.
    Please provide an API key. ¦ A maintainer has to approve the deployment. ¦ Upgrade your plan: the quota is used up.
    Upload the screenshots to the App Store portal. ¦ Plug in the device and accept the prompt. ¦ Add the DNS record at your domain registrar.
    Turn on branch protection in the repository settings.
  `)("%j", (item) => {
    assert.isNotNull(HumanAction.needsHuman(item))
  })

  it.each(list`
    Run the tests. ¦ Update the README. ¦ Fix the parser in src/parser.ts. ¦ Open a pull request. ¦ Add the missing import. ¦ Rename the module.
    Install the dependencies with npm ci.
  `)("%j is the agent's own", (item) => {
    assert.isNull(HumanAction.needsHuman(item))
  })

  it("reads no further than it needs to", () => {
    assert.isNull(HumanAction.needsHuman(`${"a ".repeat(500_000)} api key`))
  })
})

describe("openItems", () => {
  it("are the sentences that say what the agent cannot go on without", () => {
    const items = HumanAction.openItems([
      "I moved the key handling into one module.",
      "I need your API key to run the integration tests.",
      "The tests pass.",
      "You'll need to log in to the registry before publishing."
    ])
    assert.deepStrictEqual(items, [
      "I need your API key to run the integration tests.",
      "You'll need to log in to the registry before publishing."
    ])
  })

  it.each(list`
    The login form now has a password field. ¦ I added two-factor support to the API. ¦ The token is read from the environment. ¦ You need to run the tests.
    It is worth a run with an API key once you're online. ¦ You may want to log in once you have access to the console.
    I recommend that you rotate the token once you've read this. ¦ Optionally, once you have an API key, try it against production.
    Consider adding a service account once you're on the new plan. ¦ Worth checking the billing page once you've signed in.
  `)("%j is none", (sentence) => {
    assert.deepStrictEqual(HumanAction.openItems([sentence]), [])
  })

  it("are bounded", () => {
    const many = Array.from({ length: 50 }, (_, at) => `You need to set the API_KEY number ${at}. ${"x".repeat(1000)}`)
    const items = HumanAction.openItems(many)
    assert.isAtMost(items.length, 8)
    assert.isTrue(items.every((item) => item.length <= 200))
  })
})
