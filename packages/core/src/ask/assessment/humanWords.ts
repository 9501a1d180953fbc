/** What a model leaves to the user, by its kind and in our words: its own may send them anywhere. */
import { type HumanAct, needsHuman } from "../../session/stop/HumanAction.ts"

const acts: Readonly<Record<HumanAct, string>> = {
  login: "to log in",
  device: "to do something at a device",
  credentials: "to provide a key, a token or a password",
  payment: "to see to a payment or a plan",
  access: "to grant an access or to change a setting outside of the project",
  approval: "to approve something"
}

/** An item as it is shown; null where it is nothing that only a person can do. */
export const forUser = (item: string): string | null => {
  const kind = needsHuman(item)
  return kind === null ? null : acts[kind]
}
