/** Reads when a usage limit ends, from the words of the service or the host. Only a stated time counts. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The longest wait for the end of a limit, in ms. A weekly limit ends within this time. */
export const longest = 7 * day

const maxText = 2000

const cues =
  /\b(?:resets?|renews?|refreshe[sd]|retry(?:[- ]after)?|(?:try|available) again|wait|until)\b:?(?: (?:at|in|on|after|by|for))? /gi

const units: Readonly<Record<string, number>> = { d: day, h: hour, m: minute, s: second }

const part =
  /^(?:,? (?:and )?)?(\d{1,5}(?:\.\d{1,9})?) ?(days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])/i

/** Services leave out smaller units, so one more of the smallest stated unit is added: "2h 13m" means 2h 14m. */
const afterDuration = (text: string, base: number): number | null => {
  let rest = text
  let end = base
  let smallest = 0
  for (let found = part.exec(rest); found !== null; found = part.exec(rest)) {
    const [all, amount, unit = ""] = found
    smallest = units[unit.slice(0, 1).toLowerCase()] ?? 0
    end += Number(amount) * smallest
    rest = rest.slice(all.length)
  }
  return smallest === 0 ? null : end + smallest
}

const absolute = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC(?![+-])|[+-]\d\d:?\d\d)/

/** A date and time without a zone does not count, because it may be in the zone of the service. */
const atInstant = (text: string): number | null => {
  const [, date, time, zone = ""] = absolute.exec(text) ?? []
  return date === undefined ? null : Date.parse(`${date}T${time}${zone === "UTC" ? "Z" : zone}`)
}

const clock =
  /^(?:([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?:,| at)? )?(\d{1,2})(?::(\d\d)(?::\d\d)?)?(?: ?([apAP])[mM])?\b(?: \(([\w+/-]{1,40})\)| ((?:UTC|GMT)(?:[+-]\d{1,2})?|[A-Z]{2,5})\b)?(?=$|[.,;)](?:\s|$)| [·|])(?!, (?:UTC|GMT|[A-Z][a-z]{2,8} \d))/

/** After these words a number is a duration, not a time of day. */
const beforeDuration = /\b(?:wait|in|after|for):? $/i

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")

/** In zone names such as `Etc/GMT-2`, the sign is reversed: this zone is UTC+2. */
const zoneOf = (named: string | undefined, short: string | undefined): string | undefined => {
  const [, sign, hours] = /^(?:UTC|GMT)([+-])(\d{1,2})$/.exec(short ?? "") ?? []
  return sign === undefined ? (named ?? short) : `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`
}

/** Returns the time that a clock in the zone shows, as if it were UTC. Without a zone, uses the zone of the machine. */
const shownIn = (zone: string | undefined, instant: number): number => {
  const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const
  const format = new Intl.DateTimeFormat("en-US", { ...numeric, hourCycle: "h23", ...(zone && { timeZone: zone }) })
  const of = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(of["year"] ?? 0, (of["month"] ?? 1) - 1, of["day"], of["hour"], of["minute"])
}

const instantOf = (zone: string | undefined, shown: number): number => {
  const near = shown - (shownIn(zone, shown) - shown)
  return near - (shownIn(zone, near) - shown)
}

/** Returns the end of the stated minute. Without a stated date, uses the next time that a clock shows this minute. */
const atClock = (text: string, base: number): number | null => {
  const [all, month, date, year, hours, minutes, half, named, short] = clock.exec(text) ?? []
  if (all === undefined || (minutes === undefined && half === undefined) || Number(hours) > 23) return null
  const zone = zoneOf(named, short)
  const noon = half === undefined ? 0 : half.toLowerCase() === "p" ? 12 : 0
  const time = (half === undefined ? Number(hours) : (Number(hours) % 12) + noon) * hour + Number(minutes ?? 0) * minute
  const today = new Date(shownIn(zone, base))
  const at = (y: number, m: number, d: number) => instantOf(zone, Date.UTC(y, m, d) + time) + minute
  const [y, m, d] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  const stated = months.indexOf((month ?? "").toLowerCase())
  if (month !== undefined && stated < 0) return null
  const found =
    month === undefined
      ? [at(y, m, d), at(y, m, d + 1)]
      : (year === undefined ? [y, y + 1] : [Number(year)]).map((one) => at(one, stated, Number(date)))
  return found.find((one) => one > base) ?? null
}

const timeIn = (cue: string, text: string, base: number): number | null => {
  try {
    return atInstant(text) ?? afterDuration(text, base) ?? (beforeDuration.test(cue) ? null : atClock(text, base))
  } catch {
    // There is no such time zone.
    return null
  }
}

/** Claude Code once wrote "limit reached|1735689600". */
const epoch = /\blimit reached\|(\d{10})\b/gi

/** The latest stated time in the seven days after the message (`at`), in ISO 8601. Null if there is no such time. */
export const of = (text: string, at: string | null): string | null => {
  const base = Date.parse(at ?? "")
  const said = text.slice(0, maxText)
  const times = [
    ...[...said.matchAll(cues)].map(({ 0: cue, index }) => timeIn(cue, said.slice(index + cue.length), base)),
    ...[...said.matchAll(epoch)].map(([, seconds]) => Number(seconds) * second)
  ].filter((time) => time !== null && time > base && time <= base + longest)
  return times.length === 0 ? null : new Date(Math.max(...times.map(Number))).toISOString()
}
