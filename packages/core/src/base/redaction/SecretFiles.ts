/** Recognises key files by their names. The content of such a file is never shown. */

const names = [
  /^(?:\.env.*|.+\.env|\.npmrc|\.yarnrc\.yml|[._]netrc|\.pypirc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg)$/i,
  /^(?:credentials(?:\.\w+)?|secrets?\.\w+|service[-_]?account\w*\.json|id_(?:rsa|dsa|ecdsa|ed25519)\w*)$/i,
  /\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk|gpg|asc|tfvars|tfstate|ovpn)$/i
]

const folders = /(?:^|\/)\.(?:ssh|gnupg|aws|kube|docker)\//i

export const isKeyFile = (path: string): boolean => {
  const plain = path.replaceAll("\\", "/").slice(-500)
  const name = plain.slice(plain.lastIndexOf("/") + 1)
  return folders.test(plain) || names.some((one) => one.test(name))
}
