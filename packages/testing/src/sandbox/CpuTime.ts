/** What work costs this process, however busy the machine is. */

/**
 * The processor time that synchronous work takes, in milliseconds. The threads of the engine count as well.
 *
 * @category measuring
 */
export const of = (work: () => void): number => {
  const begin = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(begin)
  return (user + system) / 1000
}
