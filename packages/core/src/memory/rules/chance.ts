/** How likely chance alone has attempts that loaded a thing fail as often as they did. */

const halfOfTwoPi = Math.log(2 * Math.PI) / 2

/** The natural logarithm of n!, by Stirling's series from where it is exact enough. */
const lnFactorial = (n: number): number => {
  let [at, product] = [n + 1, 1]
  for (; at < 50; at += 1) product *= at
  return (at - 0.5) * Math.log(at) - at + halfOfTwoPi + 1 / (12 * at) - Math.log(product)
}

const lnChoose = (n: number, k: number): number => lnFactorial(n) - lnFactorial(k) - lnFactorial(n - k)

/**
 * Of all attempts so many failed, and of those that loaded the thing `failed`, or as many as could. The natural logarithm of
 * how likely as many or more are among those, were it chance which attempts fail: Fisher's exact test (1922), one-sided.
 */
export const lnChance = (
  attempts: number,
  failures: number,
  loaded: number,
  failed = Math.min(failures, loaded)
): number => {
  const passed = attempts - failures
  let [sum, term] = [1, 1]
  for (let k = failed; k < Math.min(failures, loaded) && term > 1e-12; k += 1) {
    term *= ((failures - k) * (loaded - k)) / ((k + 1) * (passed - loaded + k + 1))
    sum += term
  }
  return lnChoose(failures, failed) + lnChoose(passed, loaded - failed) - lnChoose(attempts, loaded) + Math.log(sum)
}
