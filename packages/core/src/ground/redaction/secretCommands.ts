/** Passwords that are a word of a command line, by the programs that take them. */
import { lazy } from "../text/Lazy.ts"
import type { SecretRule } from "./secretRule.ts"
import { isFile, isPlaceholder, isTelling, looksTyped } from "./secretValues.ts"

/** The rest of the command up to the flag. */
const between = "[^\\r\\n|;&`]{0,300}?"

/** Up to the quotation mark that stood before it, or the next white space. */
const value = `(?<=")[^"\\r\\n$]{3,200}|(?<=')[^'\\r\\n]{3,200}|(?<!["'])[^\\s'"$<[-][^\\s'"\\\\]{2,200}`

/** In a program's own text the quotation mark ends a string, and what follows joins it with others. */
const isNone = (one: string): boolean =>
  /^(?:["'),.;&|\]}]|\+(?![\w+/]{20}))/.test(one) || isPlaceholder(one) || isFile(one)

/** What a variable of a surrounding says, and no secret. */
const isMode = (one: string): boolean =>
  /^(?:prod(?:uction)?|dev(?:elopment)?|staging|preview|test|debug|release)(?:\\n)?$/i.test(one)

/** Where the same place may hold a word of a sentence. */
const isWord = (one: string): boolean => isNone(one) || !(isTelling(one) || looksTyped(one))

/**
 * Of rows like `sshpass -p[ ]?`: the programs, by the words that their command begins with, and what stands right before
 * the password, "_" for a space. Behind a "~" it is one only where it is no word.
 */
const commands = (...rows: ReadonlyArray<string>): ReadonlyArray<SecretRule> =>
  rows.map((row) => {
    const [programs = "", flag = ""] = row.split(" ")
    const begin = programs.replace(/^~/, "").replaceAll("_", " ")
    const source = `(\\b(?:${begin})${between}(?<= )(?:${flag.replaceAll("_", " ")})["']?)(${value})`
    const on = lazy(() => new RegExp(source, "g"))
    return {
      kind: "password",
      needles: begin.split("|").map((one) => one.slice(0, one.search(/[\\[]|$/))),
      get on() {
        return on()
      },
      isNone: row.startsWith("~") ? isWord : isNone
    }
  })

export const commandRules = (): ReadonlyArray<SecretRule> => [
  ...commands(
    "mysql[\\w-]{0,40}_|mariadb[\\w-]{0,40}_ -p(?!\\d{1,5}(?![^\\s\"',;)]))",
    "sshpass_ -p_?",
    "docker_login_|podman_login_|helm_registry_login_|az_login_|oras_login_|skopeo_login_|buildah_login_ -p_?",
    "twine_upload_ -p_",
    "redis-cli_ (?:-a_?|--pass[=_])",
    "openssl_ -(?:passin|passout|pass)_pass:|-[kK]_",
    "ldap[a-z]{1,20}_ -w_",
    "mosquitto\\x5f[a-z]{1,20}_ -P_",
    "sqlcmd_|bcp_ -P_?",
    "mongo[a-z]{0,20}_ -p_(?!\\d{1,5}(?![^\\s\"',;)]))",
    "zip_|unzip_ -P_",
    "7z[az]?_ -p",
    "unrar_|rar_ -(?:hp|p)",
    "xfreerdp[0-9]?_|wlfreerdp[0-9]?_ /p:",
    "snmp[a-z]{1,20}_ -[AX]_",
    "ipmitool_ -P_",
    "lftp_ -u_[^\\s,]{1,80},",
    "gh_secret_set_ (?:--body[=_]|-b_?)",
    "aws_ --secret-string[=_]",
    "aws_ssm_put-parameter_ --value[=_]",
    "az_keyvault_secret_set_ --value[=_]",
    "dotnet_user-secrets_set_ [\"']?[\\w:.-]{1,80}[\"']?_",
    "dotnet_nuget_push_|nuget_push_ (?:-k|--api-key|-ApiKey)_",
    "doctl_auth_init_ -t_",
    "netsh_ key(?:Material)?=",
    "~net_user_ (?!(?:guide|manual|docs?|documentation|interface|account)_)[\\w.-]{1,60}_",
    "~cargo_login_|snyk_auth_ (?:)",
    "~composer_config_|poetry_config_ http-basic\\.\\S{1,80}_\\S{1,80}_",
    "~composer_config_ [a-z]{3,12}-(?:oauth|token)\\.\\S{1,80}_",
    "~poetry_config_ pypi-token\\.\\S{1,80}_",
    "~bundle_config_ [\\w.-]{3,100}_[^\\s:]{1,80}:",
    "~sqlplus_|expdp_|impdp_|sqlldr_ \\w{1,40}/",
    "etcdctl_ --user[=_][^\\s:]{1,60}:",
    "cqlsh_ (?:-p|--password)[=_]",
    "ssh-keygen_ -[NP]_",
    "useradd_|usermod_|adduser_ (?:-p|--password)[=_]",
    "rabbitmqctl_ (?:add\\x5fuser|change\\x5fpassword|authenticate\\x5fuser)_\\S{1,80}_",
    "~net_use_ (?:\\\\\\\\\\S{1,100}|[A-Za-z]:)_",
    "~ansible-vault_encrypt\\x5fstring_ (?:)",
    "~netlify_ --auth[=_]",
    "smbclient_ -U_?[^\\s%]{1,80}%",
    "keytool_|jarsigner_ -[a-z]{0,6}(?:store|key)pass_",
    "htpasswd_ -[a-zA-Z0-9]{0,8}b[a-zA-Z0-9]{0,8}_\\S{1,200}_\\S{1,100}_",
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
    // A list of words, as a program starts another.
    kind: "password",
    needles: ['"-p', "'-p"],
    on: /(["'](?:mysql|mariadb)[\w-]{0,12}["'],[^\r\n\]]{0,200}?["']-p)(?!ort\d{0,5}["'])([^"'\r\n]{4,200})(?=["'])/g,
    isNone
  },
  {
    // What Expect types.
    kind: "password",
    needles: ["send "],
    on: /((?<!\.)\bsend (?:-- )?["'])([^"'\r\n\\]{4,200})(?=\\r["'])/g,
    isNone: isWord
  },
  {
    kind: "password",
    needles: ["<<<"],
    on: /(\b(?:sudo -S|chpasswd|passwd|cryptsetup|-stdin|--with-token|secrets? (?:put|set|create|add))\b[^\r\n|<]{0,200}<<< ?["']?)([^\s"'`|$<>[\\]{4,300})/g,
    isNone
  },
  {
    // Redis's own words.
    kind: "password",
    needles: ["AUTH ", "requirepass "],
    on: /((?<![\w-])(?:AUTH|requirepass) (?:["']|\w{1,40} (?=\S{8}))?)([^\s"'`$<[]{4,300})(?=["']?(?:[\r\n]|$))/g,
    isNone: isWord
  },
  {
    // What is told to a program that reads it from its input.
    kind: "password",
    needles: ["echo ", "printf "],
    on: /(\b(?:echo|printf) (?:-[a-zA-Z]{1,4} )?(?:["']?%s(?:\\n)?["']? )?["']?(?:[\w.-]{1,40}:(?=[^\r\n|]{1,200}chpasswd))?)((?:[^\s"'`|$<>[\\]|\\n){4,300})(?=["']? \|[^\r\n]{0,300}(?:-stdin\b|--with-token\b|sudo -S\b|passwd\b|\bcryptsetup\b|--passphrase-fd\b|--data-file=-|\bsecrets? (?:put|set|create)\b|\benv add\b))/g,
    isNone: (one) => isNone(one) || isMode(one)
  },
  {
    // What a client says to a server of files or mail.
    kind: "password",
    needles: ["PASS "],
    on: /(\bUSER[ \t]\S{1,80}[^\r\n]{0,40}\r?\n(?:[^\r\n]{0,200}\r?\n){0,2}[^\r\n]{0,20}\bPASS )([^\s"'`$<[]{4,300})/g,
    isNone
  },
  {
    kind: "password",
    needles: ["LOGIN "],
    on: /(\bLOGIN ["']?[^\s"']{1,80}["']? ["']?)([^\s"'`$<[]{4,300})/g,
    isNone: isWord
  }
]
