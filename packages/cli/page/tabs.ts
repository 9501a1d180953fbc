/** The parts of the report as tabs: arrows move between them, and the address names the one that is shown. */

const isTab = (target: EventTarget | null): target is HTMLButtonElement =>
  target instanceof HTMLButtonElement && target.role === "tab"

const show = (list: HTMLElement, chosen: HTMLButtonElement): void => {
  for (const tab of list.querySelectorAll<HTMLButtonElement>("[role=tab]")) {
    const isChosen = tab === chosen
    tab.ariaSelected = String(isChosen)
    tab.tabIndex = isChosen ? 0 : -1
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "")
    if (panel !== null) panel.hidden = !isChosen
  }
}

const step = (key: string, index: number, count: number): number | null => {
  if (key === "ArrowRight") return (index + 1) % count
  if (key === "ArrowLeft") return (index + count - 1) % count
  if (key === "Home") return 0
  return key === "End" ? count - 1 : null
}

/** What the address names: a part, or something in one. */
const target = (): HTMLElement | null => document.getElementById(location.hash.slice(1))

/** `shown` is called when another part comes into view. */
export const tabs = (shown: () => void): void => {
  const list = document.querySelector<HTMLElement>("[role=tablist]")
  if (list === null) return
  const all = [...list.querySelectorAll<HTMLButtonElement>("[role=tab]")]
  const named = () => {
    const panel = target()?.closest(".panel") ?? null
    return panel === null ? undefined : all.find((tab) => tab.getAttribute("aria-controls") === panel.id)
  }
  const choose = (tab: HTMLButtonElement | undefined): void => {
    if (tab === undefined) return
    show(list, tab)
    shown()
  }
  /** What a link names within a part can be gone to only when that part is shown. */
  const follow = (): void => {
    choose(named())
    const within = target()
    if (within === null || within.matches(".panel")) return
    const folded = within.closest("details")
    if (folded !== null) folded.open = true
    within.scrollIntoView()
    within.focus({ preventScroll: true })
  }
  for (const panel of document.querySelectorAll<HTMLElement>(".panel")) panel.role = "tabpanel"
  list.hidden = false
  list.addEventListener("click", ({ target }) => {
    const tab = target instanceof Element ? target.closest("[role=tab]") : null
    if (!isTab(tab)) return
    history.replaceState(null, "", `#${tab.getAttribute("aria-controls") ?? ""}`)
    choose(tab)
  })
  list.addEventListener("keydown", (event) => {
    if (!isTab(event.target)) return
    const next = step(event.key, all.indexOf(event.target), all.length)
    if (next === null) return
    event.preventDefault()
    all[next]?.click()
    all[next]?.focus()
  })
  addEventListener("hashchange", follow)
  choose(all[0])
  follow()
}
