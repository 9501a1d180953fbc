/** Keeps the number of entries small in a process that can run for weeks. */

const most = 512

/** The entry becomes the newest. The oldest entry goes if there are too many. */
export const put = <A>(all: Map<string, A>, key: string, value: A): void => {
  all.delete(key)
  if (all.size >= most) all.delete(all.keys().next().value ?? "")
  all.set(key, value)
}
