/** Which field names promise a secret. */

const secretWords = new Set(
  (
    "password passwd pwd passphrase passcode psk mnemonic passwort kennwort secret secrets token apikey apikeys authorization cookie cookies " +
    "credential credentials privatekey accesskey secretkey authtoken accesstoken refreshtoken clientsecret"
  ).split(" ")
)

const secretPairs = new Set(
  (
    "api-key api-keys access-key private-key secret-key encryption-key signing-key account-key master-key shared-key " +
    "auth-key client-key license-key db-pass smtp-pass become-pass user-pass admin-pass root-pass deploy-key session-key auth-token bearer-token connection-string"
  ).split(" ")
)

const noToken = new Set("page next continuation cursor sync resume cancellation cancel start end".split(" "))

const partsOf = (name: string): ReadonlyArray<string> =>
  name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((part, index, parts) => part !== "" && !(part === "data" && parts[index - 1] === "key"))

/** Whether whatever stands under this name is a secret: `dbPassword`, `X-Api-Key`, but not `tokenCount`. */
export const isSecretName = (name: string): boolean => {
  const [before = "", last = ""] = ["", "", ...partsOf(name)].slice(-2)
  if (last === "token" && noToken.has(before)) return false
  return secretWords.has(last) || secretPairs.has(`${before}-${last}`)
}

export const kindOfName = (name: string): string => partsOf(name).at(-1) ?? "secret"

/** Names whose value is a secret even as a number. */
export const isPasswordName = (name: string): boolean =>
  /^(?:passw(?:or[dt]|d)|pwd|pass(?:phrase|code)|kennwort)$/.test(kindOfName(name))
