/** The commands of the memory: `reflexion memory`, `reflect`, `add`, `recall`, `outcome`, `stats`, `prune` and `verify`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { named, type CommandSpec, type OptionSpec } from "../command/CommandSpec.ts"
import type { Memory } from "./MemoryStore.ts"
import type { Given, Name } from "./model.ts"

const store = {
  name: "store",
  value: "PATH",
  description: "The memory's file, in place of .reflection/reflections.jsonl in the project of the current directory."
} as const satisfies OptionSpec

const format = {
  name: "format",
  value: "FORMAT",
  choices: ["text", "json"],
  description: "text to read (default), or JSON."
} as const satisfies OptionSpec

const ends = (...more: ReadonlyArray<readonly [string, string]>): CommandSpec["notes"][number] => [
  "Exit status",
  [...more, ["2", "nothing was changed: the reason is on standard error"]]
]

const options = {
  memory: {
    analysis: { name: "analysis", value: "TEXT", description: "edit: what went wrong, in your words." },
    suggestion: { name: "suggestion", value: "TEXT", description: "edit: what to do instead, in your words." },
    format: { ...format, description: "show: text to read (default), or JSON." },
    store
  },
  reflect: {
    "dry-run": { name: "dry-run", value: null, description: "Print the reflection and save nothing." },
    model: {
      name: "model",
      value: "MODEL",
      suggestions: ["off", "auto"],
      description:
        "The model that reflects: off for the rules alone, auto or PROVIDER/MODEL; by default what the configuration says."
    },
    store
  },
  add: { store },
  recall: {
    task: { name: "task", value: "ID", description: "Of this task alone." },
    subtask: { name: "subtask", value: "ID", description: "Of this subtask alone." },
    query: { name: "query", value: "TEXT", description: "What fits a text best, such as an error." },
    limit: { name: "limit", value: "N", description: "At most N, 3 by default; 100 in a text." },
    format: {
      ...format,
      description: "text is the section for the next attempt's prompt (default), json the reflections as an array."
    },
    store
  },
  outcome: {
    success: { name: "success", value: null, description: "The attempt that had these reflections succeeded." },
    failure: { name: "failure", value: null, description: "It failed." },
    store
  },
  stats: { format, store },
  prune: {
    "older-than": { name: "older-than", value: "AGE", description: "An age such as 30d, 12h or 8w." },
    "dry-run": { name: "dry-run", value: null, description: "Say how many there are and forget none." },
    store
  },
  verify: {
    format,
    store
  }
} as const satisfies Record<Name, Record<string, OptionSpec>>

const input: CommandSpec["notes"][number] = [
  "Files",
  [
    ["FILE", "A file, or - for standard input."],
    ["(none)", "Standard input."]
  ]
]

export const specs: Readonly<Record<Name, CommandSpec>> = {
  memory: {
    name: "memory",
    usage:
      "reflexion memory show [ID...] [--format FORMAT] | edit ID [--suggestion TEXT] [--analysis TEXT] | resolve ID... | rm ID... [--store PATH]",
    summary:
      "Shows what was learned, lesson by lesson, and lets you edit one, say that it is over, or delete it: what is resolved goes into no prompt.",
    operands: ["show", "edit", "resolve", "rm"],
    options: Object.values(options.memory),
    notes: [
      [
        "How a lesson stands",
        [
          ["open", "its failure stands, as far as is known"],
          ["settled", "its task was completed since; no session is told it, and recall still shows it"],
          ["resolved", "you said that it is over; nobody is told it"]
        ]
      ],
      ends(["0", "shown, or done"])
    ]
  },
  reflect: {
    name: "reflect",
    usage: "reflexion reflect [FAILURE.json|-] [--dry-run] [--model MODEL] [--store PATH]",
    summary:
      "Reflects on an attempt that failed and keeps what was learned; prints the reflection as JSON. No model, no key, no network, unless the configuration or --model says so.",
    operands: "files",
    options: Object.values(options.reflect),
    notes: [
      input,
      [
        "The failure",
        [
          ["taskId, subtaskId", "what was attempted; required, as the next two"],
          [
            "failureType",
            "test_failure, typecheck_failure, build_failure, runtime_error, timeout or verification_failed"
          ],
          ["errorOutput", "what was printed, word for word"],
          ["attemptNumber", "counted from 1; by default the one after the last known"],
          ["", "subtaskDescription, filesModified, sessionId, previousReflections, id and createdAt may be left out."]
        ]
      ],
      ends(["0", "reflected, and saved unless --dry-run was given"])
    ]
  },
  add: {
    name: "add",
    usage: "reflexion add [FILE.jsonl|-] [--store PATH]",
    summary:
      "Adds reflections to the memory, one JSON object a line, and says how many. One line that is wrong, and none is added.",
    operands: "files",
    options: Object.values(options.add),
    notes: [input, ends(["0", "added"])]
  },
  recall: {
    name: "recall",
    usage: "reflexion recall [--task ID] [--subtask ID] [--query TEXT] [--limit N] [--format text|json] [--store PATH]",
    summary:
      "Prints what was learned, as a section for the next attempt's prompt: the newest first, or what fits a text best.",
    operands: [],
    options: Object.values(options.recall),
    notes: [
      [
        "What is left out of the text",
        [
          [
            "",
            "Reflections that say the same as one before them, and such as speak to their reader instead of saying what was learned."
          ],
          [
            "",
            "What others wrote into the project's memory, and all of one that git tracks, until you trust it (reflexion trust). A file that --store names is believed, unless git tracks it."
          ]
        ]
      ],
      ends(["0", "printed, or nothing is known"])
    ]
  },
  outcome: {
    name: "outcome",
    usage: "reflexion outcome ID... --success|--failure [--store PATH]",
    summary:
      "Records how an attempt ended that had these reflections: advice that helps rises, and advice that harms sinks.",
    operands: "ids",
    options: Object.values(options.outcome),
    notes: [ends(["0", "recorded"])]
  },
  stats: {
    name: "stats",
    usage: "reflexion stats [--format text|json] [--store PATH]",
    summary: "Shows what the memory holds and what came of it: by category and by source.",
    operands: [],
    options: Object.values(options.stats),
    notes: [ends(["0", "shown"])]
  },
  prune: {
    name: "prune",
    usage: "reflexion prune --older-than AGE [--dry-run] [--store PATH]",
    summary: "Forgets reflections that are older, and what was recorded of them alone; says how many.",
    operands: [],
    options: Object.values(options.prune),
    notes: [ends(["0", "done, or nothing was that old"])]
  },
  verify: {
    name: "verify",
    usage: "reflexion verify [--format text|json] [--store PATH]",
    summary: "Reads every line of the memory and says how many cannot be read. They do no harm where they are.",
    operands: [],
    options: Object.values(options.verify),
    notes: [ends(["0", "every line can be read"], ["1", "there are lines that cannot be read"])]
  }
}

const make = (name: Name) =>
  Command.make(
    name,
    {
      operands: Args.text({ name: "WORD" }).pipe(Args.repeated),
      values: Options.all(specs[name].options.map(named))
    },
    ({ operands, values }) => {
      const given = new Map(values)
      const load: Promise<Record<Name, (given: Given) => Memory>> = import("./Memory.ts")
      return Effect.flatMap(
        Effect.promise(() => load),
        (programs) => programs[name]({ operands, option: (one) => given.get(one) ?? null })
      )
    }
  ).pipe(Command.withDescription(specs[name].summary))

export const memory = make("memory")

export const reflect = make("reflect")

export const add = make("add")

export const recall = make("recall")

export const outcome = make("outcome")

export const stats = make("stats")

export const prune = make("prune")

export const verify = make("verify")
