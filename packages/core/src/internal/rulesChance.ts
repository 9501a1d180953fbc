/** How likely chance alone has attempts that loaded a thing fail as often as they did. */

const halfOfTwoPi = Math.log(2 * Math.PI) / 2

/** The natural logarithm of n!, by Stirling's series from where it is exact enough. */
const lnFactorial = (n: number): number => {
  let [at, product] = [n + 1, 1]
  for (; at < 50; at += 1) product *= at
  return (at - 0.5) * Math.log(at) - at + halfOfTwoPi + 1 / (12 * at) - Math.log(product)
}

const lnChoose = (n: number, k: number): number => lnFactorial(n) - lnFactorial(k) - lnFactorial(n - k)

/** Of all attempts so many failed; of those with the thing, `loaded` in all, so many did: as many as could, if not said. */
export interface Table {
  readonly attempts: number
  readonly failures: number
  readonly loaded: number
  readonly failed?: number
}

/**
 * The natural logarithm of how likely as many failures or more are among those that loaded it, were it chance which
 * attempts fail: Fisher's exact test (1922), one-sided. Of as many as could be it is the least that there is.
 */
export const lnChance = ({ attempts, failures, loaded, failed = Math.min(failures, loaded) }: Table): number => {
  const most = Math.min(failures, loaded)
  const passed = attempts - failures
  let [sum, term] = [1, 1]
  for (let k = failed; k < most && term > sum * 1e-12; k += 1) {
    term *= ((failures - k) * (loaded - k)) / ((k + 1) * (passed - loaded + k + 1))
    sum += term
  }
  const first = lnChoose(failures, failed) + lnChoose(passed, loaded - failed) - lnChoose(attempts, loaded)
  return Math.min(0, first + Math.log(sum))
}
