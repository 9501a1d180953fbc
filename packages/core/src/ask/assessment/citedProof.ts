/**
 * Whether what a model calls missing is borne out by the line of the record that it cites. Words of other languages than
 * English for steps to come and work left are here: evidence alone reads only English.
 */
import type { RemainingWork } from "./model.ts"
import type { Severity } from "../../judge/verdict/Verdict.ts"
import type { ToolCall, UserMessage } from "../../session/transcript/Transcript.ts"
import { isOrder } from "../../session/task/Intent.ts"
import { isEnglish } from "../../ground/text/AgentSentences.ts"
import { speaksOfFailure } from "../../judge/stuck/StuckText.ts"
import { clean, type Entry, find, hasFailed, lastResponse, targetOf, type Turn } from "./TurnRecord.ts"
import { contentWords, oneLine, tail } from "../../ground/text/Text.ts"
import { fileEdits, shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

/** What is missing as the record shows it, in our words and the record's: a model's never reach the agent as an order. */
export interface Verified {
  readonly missing: string
  readonly fact: string
  readonly action: string
  readonly severity: Severity
}

const folded = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase()

const least = 8

/** The words of a text, where they are long enough to be found in it by no accident. */
const quoted = (text: string, quote: string): string | null => {
  const wanted = folded(clean(quote.slice(0, 2000)))
  return wanted.length >= least && folded(text).includes(wanted) ? oneLine(clean(quote.slice(0, 2000)), 200) : null
}

/** Everything that the agent did and said, as far as words of a request could be in it. */
const doings = ({ entries, known }: Turn): string => {
  const calls = entries.flatMap(({ event }) =>
    event.type === "tool_call" ? [shellCommand(event) ?? JSON.stringify(event.input ?? null)] : []
  )
  const edits = known.evidence.edits.map(({ path }) => path)
  return [known.stop.text, ...edits, ...calls.map((call) => call.slice(0, 20_000))]
    .join("\n")
    .replaceAll(/[_/.-]/g, " ")
}

/** With fewer, it is as likely to have been done in other words. */
const tellingWords = 3

/** "Implement the following plan:" asks for what comes after it. */
const introduces = (message: string, quote: string): boolean => {
  const said = folded(message)
  const wanted = folded(quote)
  return wanted.endsWith(":") || said.charAt(said.indexOf(wanted) + wanted.length) === ":"
}

/** Whether not one word that carries the request's meaning is anywhere in what was done. */
const isUntouched = (turn: Turn, request: string): boolean => {
  const wanted = contentWords(request)
  if (wanted.size < tellingWords) return false
  const done = doings(turn).toLowerCase()
  return [...wanted].every((word) => !done.includes(word))
}

const makes: ReadonlySet<string> = new Set(["coding", "docs"])

/**
 * Whether what was done speaks of the rest of what was asked: where it has none of those words either, it was done in
 * others, and that they are missing shows nothing.
 */
const sharesRest = (turn: Turn, quote: string): boolean => {
  const asked = turn.entries.flatMap(({ event }) =>
    event.type === "user_message" && !event.synthetic ? [folded(clean(event.text))] : []
  )
  const rest = contentWords(asked.join("\n").replaceAll(folded(quote), "\n"))
  const done = doings(turn).toLowerCase()
  return [...rest].some((word) => done.includes(word))
}

/** A part of an order that nothing on record has to do with. A subagent's work, and that of opaque tools, is not on it. */
const request = (turn: Turn, message: UserMessage, item: RemainingWork): Verified | null => {
  const { doneWhen, evidence, reading, task, taskType } = turn.known
  const text = clean(message.text)
  const quote = quoted(text, item.quote)
  if (
    message.synthetic ||
    quote === null ||
    introduces(text, quote) ||
    task.intent !== "act" ||
    !makes.has(taskType) ||
    !(isOrder(quote) || doneWhen.some((one) => one.text === message.text))
  )
    return null
  if (evidence.opaque || evidence.delegated > 0 || evidence.actions === 0) return null
  if (!reading.english || !isEnglish(message.text) || !isUntouched(turn, quote) || !sharesRest(turn, quote)) return null
  return {
    missing: `what was asked for: "${quote}"`,
    fact: `You were asked: "${quote}". Nothing that you did has to do with it.`,
    action: `Do what was asked, or say why it is left out: "${quote}".`,
    severity: "LOW"
  }
}

/** Whether anything on record made up for the edit: another of the same file, or one that cannot be told. */
const isMended = ({ entries, known }: Turn, failed: ToolCall): boolean => {
  const paths = new Set(fileEdits(failed).map(({ path }) => path))
  const at = entries.findIndex(({ event }) => event === failed)
  return (
    paths.size === 0 ||
    known.evidence.opaque ||
    known.evidence.delegated > 0 ||
    known.evidence.edits.some(({ path }) => path === "*" || paths.has(path)) ||
    entries.slice(at + 1).some(({ event }) => event.type === "tool_call" && shellCommand(event) !== null)
  )
}

/** An edit that failed and was left so without a word. */
const failedEdit = (turn: Turn, { current, event }: Entry): Verified | null => {
  if (event.type !== "tool_call" || !current || !hasFailed(event) || toolKind(event.tool) !== "edit") return null
  if (isMended(turn, event) || !turn.known.reading.english) return null
  if (speaksOfFailure(turn.known.reading.prose)) return null
  const target = targetOf(event, 120)
  return {
    missing: `the edit of ${target}, which failed`,
    fact: `Your edit of ${target} failed, and you neither made up for it nor said so.`,
    action: `Make the edit of ${target}, or say why it is not needed.`,
    severity: "MEDIUM"
  }
}

/** Words for what is still to come, in the languages that the rules of tier 1 do not read. */
const unfinished =
  /(?:\b(?:todo|als nächstes|nächster? schritt|noch nicht|noch offen|jetzt werde|werde ich|ich werde|fehlt noch|steht noch aus|prochaine étape|pas encore|reste à|il reste|je vais|siguiente paso|todavía no|aún no|falta|voy a|queda por|prossimo passo|non ancora|resta da|manca|próximo passo|ainda não|vou|volgende stap|nog niet|ik ga)\b|ora (?:passo|procedo|scrivo)|接下来|下一步|尚未|还没|还需要|これから|まだ|다음으로|아직|следующ|ещё не|осталось|теперь я)/iu

/** Words by which nothing is left, or the next step is the reader's. */
const leftOrTheirs =
  /(?<!\p{L})(?:nichts|kein(?:e[mnrs]?)?|rien|nada|nulla|niente|niets|geen|nenhuma?|ничего|du|dir|können sie|sie (?:können|sollten|müssen)|vous|tu|usted(?:es)?|puedes?|puoi|può|você|pode|u kunt|je kunt|вы|вам|можете)(?!\p{L})|没有|您|你|なし|ありません|ください|없/iu

/** A quotation with the rest of its sentence. */
const sentenceAt = (text: string, quote: string): string => {
  const whole = folded(text)
  const at = whole.indexOf(folded(quote))
  const after = whole.slice(at + folded(quote).length)
  return whole.slice(at, at + folded(quote).length) + (/^[^.!。！]{0,80}/u.exec(after)?.[0] ?? "")
}

/** A step that the last words announce, in a language that only a reader reads. */
const announced = (turn: Turn, entry: Entry, item: RemainingWork): Verified | null => {
  const { reading, stop } = turn.known
  if (reading.english || reading.closing !== "undecided" || lastResponse(turn) !== entry) return null
  const end = tail(clean(stop.text), 400)
  const quote = quoted(end, item.quote)
  if (quote === null || !unfinished.test(quote) || /[?？]/.test(end)) return null
  if (leftOrTheirs.test(sentenceAt(end, quote))) return null
  return {
    missing: `the step that the final text announces: "${quote}"`,
    fact: `You wrote "${quote}" and stopped there.`,
    action: "Take the step that you announced, or say what keeps you from it.",
    severity: "LOW"
  }
}

/** How often in a row the same has to fail before going on alike is going round in circles. */
const rounds = 3

const maxOutput = 20_000

/** A foreign text that is longer may well be a report of what fails. */
const maxUnread = 200

/** Whether the last words may tell the user what fails, or ask about it. */
const mayReport = ({ known: { reading, stop } }: Turn): boolean =>
  /[?？]/.test(stop.text) || speaksOfFailure(reading.prose) || (!reading.english && stop.text.trim().length > maxUnread)

/** A command that failed again and again with the same words, to the end of the turn, and is left so without a word. */
const failedAlike = (turn: Turn, { current, event }: Entry, item: RemainingWork): Verified | null => {
  if (event.type !== "tool_call" || !current || !hasFailed(event) || toolKind(event.tool) !== "shell") return null
  const { evidence, task } = turn.known
  if (task.wantsFailure || evidence.delegated > 0 || mayReport(turn)) return null
  const quote = quoted(clean((event.output ?? "").slice(-maxOutput)), item.quote)
  if (quote === null) return null
  const calls = turn.entries.flatMap((entry) =>
    entry.current && entry.event.type === "tool_call" && toolKind(entry.event.tool) === "shell" ? [entry.event] : []
  )
  const last = calls.slice(-rounds)
  const alike = last.every(
    (call) => hasFailed(call) && quoted(clean((call.output ?? "").slice(-maxOutput)), quote) !== null
  )
  if (last.length < rounds || !alike || !last.includes(event)) return null
  const target = targetOf(event, 120)
  return {
    missing: `\`${target}\`, which fails as it did before`,
    fact: `Your last ${rounds} commands, \`${target}\` among them, failed alike: "${quote}".`,
    action: "Find out what causes this before you run it again.",
    severity: "MEDIUM"
  }
}

/**
 * What the cited line bears out of an item; null for one that cites nothing, or something else. A command that fails
 * shows nothing but that an agent is `stuck`: what has to pass is for evidence to say.
 */
export const verify = (turn: Turn, item: RemainingWork, stuck = false): Verified | null => {
  const entry = find(turn, item.event)
  switch (entry?.event.type) {
    case "user_message":
      return request(turn, entry.event, item)
    case "tool_call":
      return failedEdit(turn, entry) ?? (stuck ? failedAlike(turn, entry, item) : null)
    case "assistant_message":
      return announced(turn, entry, item)
    case undefined:
      return null
  }
}
