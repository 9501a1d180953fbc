/** The exact bounds of a rate (Clopper and Pearson, Biometrika 26, 1934). A count can be 2.5, for example. */

const slices = 4000

/** The logarithm of one factor of the density, `x ** power`, divided by its value at the mode. */
const logFactor = (power: number, base: number, at: number): number =>
  power === 0 ? 0 : power * (Math.log(base) - Math.log(at))

/** The density of the beta distribution at `x`, divided by its maximum. The maximum cancels out in a ratio of areas. */
const density = (x: number, a: number, b: number): number => {
  const mode = a + b > 2 ? (a - 1) / (a + b - 2) : 0.5
  return Math.exp(logFactor(a - 1, x, Math.max(mode, 1e-12)) + logFactor(b - 1, 1 - x, Math.max(1 - mode, 1e-12)))
}

/** The quantile of the beta distribution for `a` and `b` of at least 1, by Simpson's rule. */
const betaQuantile = (share: number, a: number, b: number): number => {
  const areas: Array<number> = [0]
  for (let slice = 0; slice < slices; slice++) {
    const [from, to] = [slice / slices, (slice + 1) / slices]
    const inner = density((from + to) / 2, a, b)
    areas.push((areas.at(-1) ?? 0) + (density(from, a, b) + 4 * inner + density(to, a, b)) / 6)
  }
  const wanted = share * (areas.at(-1) ?? 1)
  const found = areas.findIndex((area) => area >= wanted)
  const [before, after] = [areas[found - 1] ?? 0, areas[found] ?? 1]
  return Math.max(0, (found - 1 + (wanted - before) / Math.max(after - before, Number.MIN_VALUE)) / slices)
}

/** The one-sided lower bound of the true rate. */
export const lower = (hits: number, trials: number, confidence = 0.9): number =>
  hits < 1 ? 0 : betaQuantile(1 - confidence, hits, trials - hits + 1)

export const upper = (hits: number, trials: number, confidence = 0.9): number =>
  trials - hits < 1 ? 1 : betaQuantile(confidence, hits + 1, trials - hits)
