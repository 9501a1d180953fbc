/** The filter over the sessions. */

const textOf = (session: Element): string => session.textContent.toLowerCase()

export const filter = (): void => {
  const bar = document.querySelector<HTMLElement>(".filter")
  const find = document.querySelector<HTMLInputElement>("#find")
  const ended = document.querySelector<HTMLSelectElement>("#ended")
  const found = document.getElementById("found")
  if (bar === null || find === null || ended === null || found === null) return
  const sessions = [...document.querySelectorAll<HTMLElement>(".session")]
  const apply = (): void => {
    const words = find.value.toLowerCase().trim()
    let shown = 0
    for (const session of sessions) {
      const fits = ended.value === "" || session.dataset["ended"] === ended.value
      session.hidden = !(fits && textOf(session).includes(words))
      shown += session.hidden ? 0 : 1
    }
    found.textContent = `${shown} of ${sessions.length}`
  }
  bar.hidden = false
  find.addEventListener("input", apply)
  ended.addEventListener("input", apply)
  apply()
}
