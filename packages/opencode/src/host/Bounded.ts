/** Keeps the number of entries small in a process that can run for weeks. */

const most = 512

/** Adds an entry as the newest. If there are more than 512, the oldest is removed. */
export const put = <A>(all: Map<string, A>, key: string, value: A): void => {
  all.delete(key)
  if (all.size >= most) all.delete(all.keys().next().value ?? "")
  all.set(key, value)
}
