/** What is kept by session in a process that lives for weeks. */

const most = 512

/** Puts it last; of more than 512 the one that was put longest ago is forgotten. */
export const put = <A>(all: Map<string, A>, key: string, value: A): void => {
  all.delete(key)
  if (all.size >= most) all.delete(all.keys().next().value ?? "")
  all.set(key, value)
}
