/** Passwords that are a word of a command line, by the programs that take them. */
import { lazy } from "../text/Lazy.ts"
import type { SecretRule } from "./secretRule.ts"
import { isPlaceholder } from "./secretValues.ts"

/** The rest of the command up to the flag. */
const between = "[^\\r\\n|;&`]{0,300}?"

/** Up to the quotation mark that stood before it, or the next white space. */
const value = `(?<=")[^"\\r\\n$]{3,200}|(?<=')[^'\\r\\n]{3,200}|(?<!["'])[^\\s'"$<[-][^\\s'"\\\\]{2,200}`

/** In a program's own text the quotation mark ends a string, and what follows joins it with others. */
const isNone = (one: string): boolean => /^["'+),.;&|\]}]/.test(one) || isPlaceholder(one)

/**
 * Of rows like `sshpass -p[ ]?`: the programs, by the words that their command begins with, and what stands right before
 * the password, "_" for a space.
 */
const commands = (...rows: ReadonlyArray<string>): ReadonlyArray<SecretRule> =>
  rows.map((row) => {
    const [programs = "", flag = ""] = row.split(" ")
    const begin = programs.replaceAll("_", " ")
    const source = `(\\b(?:${begin})${between}(?<= )(?:${flag.replaceAll("_", " ")})["']?)(${value})`
    const on = lazy(() => new RegExp(source, "g"))
    return {
      kind: "password",
      needles: begin.split("|").map((one) => one.replace(/\\w.*$|\[.*$/, "")),
      get on() {
        return on()
      },
      isNone
    }
  })

export const commandRules = (): ReadonlyArray<SecretRule> => [
  ...commands(
    "mysql[\\w-]*_|mariadb[\\w-]*_ -p",
    "sshpass_ -p_?",
    "docker_login_|podman_login_|helm_registry_login_|az_login_|oras_login_|skopeo_login_|buildah_login_ -p_?",
    "twine_upload_ -p_",
    "redis-cli_ -a_?",
    "openssl_ -(?:passin|passout|pass)_pass:|-k_",
    "ldap[a-z]+_ -w_",
    "mosquitto_[a-z]+_ -P_",
    "sqlcmd_|bcp_ -P_?",
    "mongo[a-z]*_ -p_",
    "zip_|unzip_ -P_",
    "7z[az]?_ -p",
    "smbclient_ -U_?[^\\s%]{1,80}%",
    "keytool_|jarsigner_ -[a-z]{0,6}(?:store|key)pass_",
    "htpasswd_ -[a-zA-Z0-9]*b[a-zA-Z0-9]*_\\S{1,200}_\\S{1,100}_",
    "vault_login_ (?:-[\\w=-]{1,40}_){0,3}(?:token=)?",
    "curl_ (?:-[a-zA-Z]{0,6}[uU]_?|--(?:proxy-)?user[=_])[\"']?[^\\s:'\"$<]{1,100}:",
    "curl_ (?:-b_?|--cookie[=_])[\"']?[\\w.-]{1,80}=",
    "http_|https_|xh_ -a_[^\\s:'\"$<]{1,100}:"
  ),
  {
    kind: "password",
    needles: ["machine "],
    on: /(\bmachine\s{1,9}\S{1,200}\s{1,9}(?:login\s{1,9}\S{1,200}\s{1,9})?password\s{1,9})([^\s"$<[]{3,300})/g,
    isNone
  },
  {
    // What is told to a program that reads it from its input.
    kind: "password",
    needles: ["echo ", "printf "],
    on: /(\b(?:echo|printf) (?:-[a-zA-Z]{1,4} )?(?:["']?%s(?:\\n)?["']? )?["']?(?:[\w.-]{1,40}:(?=[^\r\n|]{1,200}chpasswd))?)([^\s"'`|$<>[\\]{4,300})(?=["']? \|[^\r\n]{0,300}(?:-stdin\b|--with-token\b|sudo -S\b|chpasswd\b|--passphrase-fd\b))/g,
    isNone
  }
]
