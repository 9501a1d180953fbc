/** What each key of the configuration does, apart from the schemas so that no bundle which decodes them has to carry it. */

/** `unit`: of a number; `otherwise`: what goes where the key is left out and no default value says it. */
export interface Words {
  readonly what: string
  readonly unit?: string
  readonly otherwise?: string
}

const own = "the session's own"

/** By path: `[]` stands for an item of a list, `*` for a name of the user's. */
export const words: Readonly<Record<string, Words>> = {
  profile: { what: "which gates a task must pass, and whether the agent is pushed at all" },
  attended: {
    what: "whether a person is there to answer the agent. Where nobody is, a question with an obvious answer, a step that was only announced and work that nobody ran are pushed for, and what only a person can give ends as `needs_human`. `auto` goes by `/reflection away` or `here`, then by the session's record; what says neither is attended. A workspace's file can only set `true`, and only where you leave `auto`"
  },
  gates: { what: "the project's own gates, beside those that every project has" },
  "gates[].name": { what: "what the gate is called in a verdict" },
  "gates[].command": {
    what: "the command that runs it. `*` stands for any text; the pattern must fit the whole of one simple command, without the parts of a pipe or of `&&` around it"
  },
  "gates[].paths": {
    what: "the files that it covers, relative to the session's directory; `*` stays within a folder, `**` does not, a folder covers what is in it",
    otherwise: "every source file"
  },
  "gates[].required": { what: "whether a task that edits a covered file must run it" },
  rules: {
    what: "how far rules of the judge go, by name: `off` names nothing, `tell` has you read a line a task, `ask` has a model decide, `push` sends the agent on. A workspace's file can only lower it",
    otherwise: "as far as each goes by itself (`reflexion rules`)"
  },
  maxAttempts: { what: "how often one message of the user may lead to a push" },
  stuck: { what: "when silence counts" },
  "stuck.silence": {
    unit: "seconds",
    what: "a session that has been silent for less is never nudged for its silence; an agent that stops is judged at once"
  },
  "stuck.stall": {
    unit: "seconds",
    what: "how long an agent at work may go without any output before it is looked at. A tool that runs is output, however long it may take"
  },
  model: { what: "the model that is asked where evidence does not decide" },
  models: { what: "providers, fallbacks and limits" },
  "models.fallback": { what: "tried in this order where the model before fails; under `auto` the first is the model" },
  "models.fast": {
    what: "for each provider a list of its models for small questions, the best first",
    otherwise: "for `anthropic`, `openai`, `google` and `github-copilot`"
  },
  "models.reflection": {
    what: "the model that the reflection cycle asks what to do about its findings",
    otherwise: "the fast one of the provider whose model judges, which is asked as well where this one does not answer"
  },
  "models.weak": {
    what: "models that never judge: words of their names (`mini` is in `gpt-5-mini` and not in `gemini`), or whole names with `*` for any text",
    otherwise: "`haiku`, `mini`, `nano`, `flash`, `lite`, `small`, `tiny`, `micro`, `instant`, `fast`, `1b` to `9b`"
  },
  "models.providers": {
    what: "servers, by the name that models have before the slash",
    otherwise: "those that are known"
  },
  "models.providers.*.api": {
    what: "what it speaks: Anthropic's Messages, OpenAI's Responses, or the chat completions that many servers know"
  },
  "models.providers.*.url": {
    what: "where it is, up to what the paths of the API follow",
    otherwise: "that of a known provider of its name"
  },
  "models.providers.*.keyEnv": {
    what: "the environment variable that has the key",
    otherwise: "that of a known provider of its name, if any"
  },
  "models.timeout": {
    unit: "seconds",
    what: "for all that is asked to judge a stop, and again for the reviewers; a hook ends it all after 9 minutes"
  },
  "models.tokensPerReview": { unit: "tokens", what: "how many one review may take" },
  "models.tokensPerDay": { unit: "tokens", what: "how many all of them may take in a day (UTC)" },
  "models.callsPerDay": {
    unit: "number of questions",
    what: "at how many stops of a day (UTC) a model may be asked where somebody is there, over all sessions"
  },
  crossReview: { what: "which models review what was judged complete" },
  "crossReview.reviewer": { what: "reviews the work", otherwise: "nobody" },
  "crossReview.auditor": { what: "reviews its security", otherwise: "nobody" },
  routing: { what: "which model works on what the agent is told to go on with, by the task's kind" },
  "routing.backend": { what: "for tasks in what a server does", otherwise: "as `default` says" },
  "routing.architecture": { what: "for tasks in how a system is put together", otherwise: "as `default` says" },
  "routing.frontend": { what: "for tasks in what a user sees", otherwise: "as `default` says" },
  "routing.default": { what: "for all others", otherwise: own },
  verify: {
    what: "the commands that may be run where a required gate has no result; where nobody is there, also where the agent claims one or has tried nothing"
  },
  "verify.checks": { what: "the checks" },
  "verify.checks[].gate": { what: "the gate that it decides, one check for each" },
  "verify.checks[].command": { what: "run by a shell in the session's project" },
  "verify.checks[].timeout": { unit: "seconds", what: "after which it is ended, and decides nothing" },
  "verify.unsandboxed": {
    what: "whether a hook may run them where its host's sandbox does not hold; only the user's own file can say so"
  },
  doneWhen: {
    what: "when a task is done, in your own words. A condition that names a command in backticks, as in \"`npm test` passes\", or begins with `$ `, must have passed; the others are put to the model. A workspace's file that you don't trust has no commands run"
  },
  "doneWhen[].text": { what: "the condition in your own words" },
  "doneWhen[].command": { what: "what proves it by exit status 0", otherwise: "none" },
  memory: { what: "what is learned from attempts that fail, and given to the next" },
  "memory.enabled": { what: "whether anything is learned and given" },
  "memory.maxReflectionsPerRetry": { unit: "lessons", what: "how many a prompt has at most" },
  "memory.generationTimeoutMs": { unit: "milliseconds", what: "how long a model may take to reflect" },
  "memory.retentionDays": { unit: "days", what: "after these a reflection is forgotten" },
  "memory.crossTask": {
    what: "how similar a lesson of another task must be to be given too; `false` for none"
  },
  todos: { what: "what agents are told of their todo lists" },
  "todos.enabled": { what: "whether anybody is told anything" },
  "todos.agents": {
    what: "the coordinators; in Claude Code the agent that you speak to is `main`, unless you chose one with `--agent`",
    otherwise: "nobody"
  },
  "todos.delegates": {
    what: 'who can be given work: a todo that begins with such a name, or says "by" or "to" it, is delegated'
  },
  "todos.limits": {
    what: "how often each pattern is told in the life of a list; 0 never"
  },
  "todos.limits.implementation": { unit: "times", what: "a coordinator means to write code itself", otherwise: "1" },
  "todos.limits.no-delegation": { unit: "times", what: "nothing of a list is given to anybody", otherwise: "1" },
  "todos.limits.parallel": { unit: "times", what: "two or more that are given to agents wait", otherwise: "1" },
  "todos.limits.large-list": { unit: "times", what: "the list is long", otherwise: "1" },
  "todos.limits.completed": { unit: "times", what: "all is done or cancelled; for any agent", otherwise: "1" },
  "todos.resetOn": { what: "what ends the life of a list" },
  "todos.delegateFrom": { unit: "todos", what: "from how many on `no-delegation` holds" },
  "todos.largeFrom": { unit: "todos", what: "from how many on `large-list` holds" },
  "todos.required": { what: "whether a coordinator is told once to make a list before it works" },
  cycle: { what: "what is looked for in how many attempts ended" },
  "cycle.enabled": { what: "whether anything is looked for; without it no fiber exists" },
  "cycle.batch_threshold": {
    unit: "attempts",
    what: "after so many that completed the rules look at them; at one that fails they do at once"
  },
  "cycle.consecutive_failure_limit": { unit: "failures", what: "after so many in a row a task is paused" },
  "cycle.lookback_seconds": { unit: "seconds", what: "how far back the rules look" },
  "cycle.min_result_length": {
    unit: "characters",
    what: "a task whose results all have fewer is stale; 0 for none"
  },
  $schema: { what: "for editors; it is not read" }
}
