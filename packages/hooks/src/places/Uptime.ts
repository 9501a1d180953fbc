/** For how many milliseconds this process has run. `performance` knows it as well, and takes each hook 1 ms to load. */
export const uptime = (): number => process.uptime() * 1000
