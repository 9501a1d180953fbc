/** What a user sees of reflexion on OpenCode's screen: a nudge, the end of a task and a question. */
import * as Effect from "effect/Effect"
import { type Answer, edit, say } from "../contract/HostContract.ts"
import { green, fixed, runTests, task } from "../contract/HostContractTask.ts"
import type { World } from "../contract/HostContractWorld.ts"
import { script } from "./openCodeMoves.ts"
import * as OpenCodeScreen from "./OpenCodeScreen.ts"
import * as ScriptedChat from "../servers/ScriptedChat.ts"
import { defect } from "../sandbox/ShopProject.ts"

const fix = edit("src/cart.js", defect.before, defect.after)

const question = "Half a cent can go up or down. Which do you prefer: the nearest cent, or always down?"

/**
 * Plays it in a world that has reflexion: the agent is sent on, is done, and asks the user something. `more` are the
 * model's answers to what is asked after that.
 *
 * @category constructors
 */
export const play = Effect.fn("OpenCodeScreens.play")(function* ({ sandbox }: World, more: ReadonlyArray<Answer> = []) {
  // The agent does nothing about the reminder before there is a picture of it.
  const taken = yield* Effect.makeLatch()
  const model = yield* ScriptedChat.make({
    ...script(sandbox.workspace, [[fix], [fixed], [runTests], [green], [say(question)], ...more]),
    before: ({ lastUser }) => (lastUser.startsWith("[reflexion 1/3]") ? taken.await : Effect.void)
  })
  const screen = yield* OpenCodeScreen.open({ sandbox, url: model.url })
  yield* screen.say(task)
  const nudge = yield* screen.tells(/asked the agent to go on \(1 of 3\): the tests were not run\./)
  yield* taken.open
  const complete = yield* screen.tells(/done, after reminding the agent once: the tests pass\./)
  yield* screen.say("How should it round?")
  const asked = yield* screen.tells(/the agent waits for your answer: "Which do you prefer/)
  return { model, screen, pictures: { nudge, complete, question: asked } }
})
