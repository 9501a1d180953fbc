/** What promptfoo runs: the questions of a run with a model, put through the judge. Start it by `npm run eval -- --model PROVIDER/MODEL --promptfoo`. */
import { assertion, Provider, tests } from "../dist/model/PromptfooProvider.js"

const provider = new Provider(process.env)

export default {
  description: "reflexion: the judge with a model",
  prompts: ["{{suite}}: {{id}}"],
  providers: [{ id: () => provider.id(), callApi: (prompt, context) => provider.callApi(prompt, context) }],
  defaultTest: { assert: [{ type: "javascript", value: (output) => assertion(output) }] },
  tests: tests(process.env)
}
