/** The processor time that synchronous work takes, in milliseconds, however busy the machine is. */
export const cpuTime = (work: () => void): number => {
  const begin = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(begin)
  return (user + system) / 1000
}
