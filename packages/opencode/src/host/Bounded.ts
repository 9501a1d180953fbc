/** Keeps the number of entries small in a process that can run for weeks. */

const most = 512

/** Makes the entry the newest. Removes the oldest entry if there are too many. */
export const put = <A>(all: Map<string, A>, key: string, value: A): void => {
  all.delete(key)
  if (all.size >= most) all.delete(all.keys().next().value ?? "")
  all.set(key, value)
}
