/** Files that hold keys, by their names: they are shown to nobody. */

const names =
  /^(?:\.env.*|.+\.env|\.envrc|\.npmrc|\.yarnrc\.yml|\.netrc|_netrc|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|credentials(?:\.\w+)?|secrets?\.\w+|service[-_]?account\w*\.json|id_(?:rsa|dsa|ecdsa|ed25519)\w*|.+\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk|gpg|asc|tfvars|tfstate|ovpn))$/i

const folders = /(?:^|\/)\.(?:ssh|gnupg|aws|kube|docker)\//i

export const isKeyFile = (path: string): boolean => {
  const plain = path.replaceAll("\\", "/").slice(-500)
  return folders.test(plain) || names.test(plain.slice(plain.lastIndexOf("/") + 1))
}
