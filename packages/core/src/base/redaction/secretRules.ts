/**
 * Finds secrets by their own form: a vendor's prefix, the text around a secret, or a command with a password argument.
 */
import { lazy } from "../text/Lazy.ts"
import { eachMatch, type SearchWork, type Span } from "./secretRule.ts"
import { isFile, isMasked, isPlaceholder, isTelling, looksDense, looksRandom, looksTyped } from "./secretValues.ts"

interface SecretRule {
  readonly kind: string
  /** Every text with such a secret contains one of these words (here in small letters). Empty if no word is fixed. */
  readonly needles: ReadonlyArray<string>
  /**
   * With groups, group 1 is the text before the secret, and group 2 the secret. Otherwise the whole match is the
   * secret.
   */
  readonly on: () => RegExp
  readonly isNone: (value: string) => boolean
}

/** True for code, a placeholder or a file. Code begins with a sign such as a quotation mark or a bracket. */
const isNoWord = (value: string): boolean =>
  /^(?:["'),.;&|\]}]|\+(?![\w+/]{20}))/.test(value) || isPlaceholder(value) || isFile(value)

/** True if no cookie in the line is a secret. */
const everyCookie =
  (isNone: (value: string) => boolean) =>
  (line: string): boolean =>
    line.split(/;\s{0,3}/, 50).every((pair) => isNone(pair.slice(pair.indexOf("=") + 1)))

const noneOf = {
  masked: isMasked,
  plain: (value: string) => isMasked(value) || !isTelling(value),
  placeholder: isPlaceholder,
  word: isNoWord,
  /** For a position where the value may also be an ordinary word. */
  sentence: (value: string) => isNoWord(value) || !(isTelling(value) || looksTyped(value)),
  random: (value: string) => isPlaceholder(value) || !(looksRandom(value) || isTelling(value)),
  /** Excludes the name of an environment, such as "production". */
  mode: (value: string) =>
    isNoWord(value) || /^(?:prod(?:uction)?|dev(?:elopment)?|staging|preview|test|debug|release)(?:\\n)?$/i.test(value),
  typed: (value: string) =>
    isPlaceholder(value) || /^(?:authorization|AWS4-)|^[a-z_$][\w$]{0,80}(?:\.[a-z_$][\w$]{0,80}){1,10}$/i.test(value),
  cookie: everyCookie(isPlaceholder),
  /** In program code, a cookie counts only if it looks like a key. */
  session: everyCookie(
    (value) => isPlaceholder(value) || !(looksDense(value) || looksRandom(value) || isTelling(value))
  ),
  /** Only the last part of the address is secret. The other parts name a team and a channel. */
  hook: (value: string) => isMasked(value.slice(value.lastIndexOf("/") + 1))
}

const isName = (name: string): name is keyof typeof noneOf => name in noneOf

const rowsOf = (table: string): ReadonlyArray<string> => table.trim().split("\n")

/**
 * Each row has the kind, the prefixes, and the pattern after them. "~" marks prefixes that also occur in names in
 * programs. Then the text after the prefix must not look like a word.
 */
const vendors = String.raw`
aws-key AKIA|ASIA|ABIA|ACCA [A-Z2-7]{16}(?![A-Za-z0-9])
aws-key ABSK [A-Za-z0-9+/]{100,}={0,2}
github-token ghp_|gho_|ghu_|ghs_|ghr_|github_pat_ [A-Za-z0-9_]{22,}
gitlab-token glpat-|glptt-|gldt-|glrt-|glcbt-|glft-|glsoat-|glagent-|gloas-|glimt- [\w-]{20,}(?:\.[\w-]{1,30}){0,3}
slack-token xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxo-|xoxc-|xoxd-|xoxe-|xapp-|xoxe.xoxa-|xoxe.xoxb-|xoxe.xoxp- [\w%-]{10,}
stripe-key sk_live_|rk_live_|sk_test_|rk_test_|whsec_ [A-Za-z0-9+/=]{16,}
anthropic-key sk-ant- [\w-]{20,}
openai-key sk-proj-|sk-svcacct-|sk-admin- [\w-]{20,}
openrouter-key sk-or- [\w-]{20,}
api-key sk- (?=[A-Za-z0-9]{0,60}\d)(?=[A-Za-z0-9]{0,60}[A-Za-z])[A-Za-z0-9]{32,100}
google-key AIza [\w-]{35}
google-token ya29. [\w-]{20,}(?:\.[\w-]{1,500}){0,4}
google-secret GOCSPX- [\w-]{20,60}
npm-token npm_ [A-Za-z0-9]{36}
pypi-token pypi- [\w-]{50,}
sendgrid-key SG. [\w-]{16,32}\.[\w-]{30,64}
twilio-key SK [0-9a-f]{32}(?![A-Za-z0-9])
huggingface-token hf_|api_org_ [A-Za-z0-9]{30,}
digitalocean-token dop_v1_|doo_v1_|dor_v1_ [a-f0-9]{64}
doppler-token dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim. [\w.-]{30,120}
linear-key lin_api_|lin_oauth_ [A-Za-z0-9]{32,}
vercel-token vcp_|vci_|vca_|vcr_|vck_ [A-Za-z0-9]{24,}
supabase-key sbp_|sb_secret_ [\w-]{20,}
databricks-token dapi [a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])
atlassian-token ATATT3|ATCTT3|ATBB [\w=-]{32,}
vault-token hvs.|hvb.|hvr. [\w-]{20,}
shopify-token shpat_|shpca_|shppa_|shpss_|shptka_ [a-fA-F0-9]{32}
grafana-token glsa_|glc_ [\w+/=]{30,}
sentry-token sntrys_|sntryu_ [\w+/=-]{40,}
notion-token ntn_ [A-Za-z0-9]{40,}
notion-token secret_ [A-Za-z0-9]{43}(?![A-Za-z0-9])
docker-token dckr_pat_|dckr_oat_ [\w-]{20,}
airtable-token pat [A-Za-z0-9]{14}\.[a-f0-9]{64}
age-key AGE-SECRET-KEY-1 [A-Z0-9]{50,64}
fly-token fm1_|fm1r_|fm2_|fo1_ [\w+/=,-]{40,}
postman-key PMAK- [a-f0-9]{24}-[a-f0-9]{34}
clickup-token pk_ \d{5,12}_[A-Z0-9]{32}
mapbox-token sk.eyJ|tk.eyJ [\w-]{20,400}\.[\w-]{16,60}
telnyx-key KEY [A-Za-z0-9]{28,36}_[A-Za-z0-9]{18,30}(?![\w-])
brevo-key xkeysib-|xsmtpsib- [a-f0-9]{64}-[A-Za-z0-9]{16}
langsmith-key lsv2_pt_|lsv2_sk_ [a-f0-9]{32}_[a-f0-9]{10}
sourcegraph-token sgp_ (?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}
dynatrace-token dt0c01.|dt0s16. [A-Z0-9]{24}\.[A-Z0-9]{64}
newrelic-key NRAK- [A-Z0-9]{27}
readme-key rdme_|napi_ [a-z0-9]{60,70}
nuget-key oy2 [a-z0-9]{43}(?![\w-])
hubspot-token pat-na1-|pat-eu1- [a-f0-9]{8}-[a-f0-9-]{27}
~dropbox-token sl. [\w.-]{100,}
~facebook-token EAA [A-Z][A-Za-z0-9]{58,}(?![\w+/=-])
api-key key-|fc- [0-9a-f]{32}(?![A-Za-z0-9])
api-key rubygems_|pul-|squ_|sqp_|sqa_|bkua_|e2b_|sk_ [0-9a-f]{40,48}(?![\w-])
api-key gsk_|xai-|r8_|pplx-|nfp_|nfc_|nfo_|nfb_|nfu_|phx_|pnu_|AKCp [A-Za-z0-9]{35,}
api-key tvly-|tvly-dev-|tvly-prod-|rzp_live_|rzp_test_ [A-Za-z0-9]{14,60}
api-key pscale_tkn_|pscale_pw_|pscale_oauth_|figd_|figo_|tskey-|HRKU-|sq0atp-|sq0csp- [\w-]{20,}(?:\.[\w-]{1,80}){0,3}
api-key nvapi-|CCIPAT_|CCIPRJ_|CFPAT-|ops_eyJ [\w-]{40,}
~api-key pa-|jina_|pcsk_|EAAA [\w-]{40,}(?![\w+/=-])
~api-key BSA|re_|fw_|rnd_ [\w-]{24,40}(?![\w-])
`

const ofVendor = (row: string): SecretRule => {
  const [kind = "", prefixes = "", body = ""] = row.replace(/^~/, "").split(" ")
  return {
    kind,
    needles: prefixes.toLowerCase().split("|"),
    // A token may be longer than the vendor's documentation says.
    on: lazy(() => new RegExp(String.raw`(?<![A-Za-z0-9_])(?:${prefixes.replaceAll(".", "\\.")})${body}[\w-]*`, "g")),
    isNone: row.startsWith("~") ? noneOf.plain : noneOf.masked
  }
}

/** Each row has the kind, words (a text must contain one), the test for values that are no secrets, and the pattern. */
const shown = String.raw`
webhook hooks.slack.com/|/api/webhooks/|webhook.office.com/ hook (https://(?:hooks\.slack\.com/(?:services|workflows|triggers)|(?:\w{1,10}\.)?discord(?:app)?\.com/api/webhooks|[\w-]{1,60}\.webhook\.office\.com/webhookb2)/)([\w/@-]{20,})
terraform-token .atlasv1. masked (?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}
azure-secret q~ masked (?<![\w.~-])[\w.~-]{3}[78]Q~[\w.~-]{31,34}(?![\w.~-])
telegram-token :aa|/bot masked (?:(?<!\w)\d{8,10}:AA[\w-]{33}|(?<=/bot)\d{6,12}:[\w-]{35})(?![\w-])
jwt eyj masked (?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{4,}(?:\.[\w-]*)*(?<!\.)
password-hash $apr1$|$1$|$5$|$6$|$y$|$2a$|$2b$|$2y$|$argon2 masked \$(?:apr1|[156y]|2[aby]|argon2(?:id|i|d))\$[\w./$=,+-]{20,300}
discord-token - plain (\.[\w-]{6}\.(?<=(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.))([\w-]{27,45})(?![\w-])
ngrok-token - plain (_)([A-Za-z0-9]{20,24})(?![\w-])(?<=(?<![\w-])[12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,24})
key key plain/i ((?<![a-z0-9])key\\{0,15}["']?(?:[ \t]{0,4}[:=]|[ \t])[ \t]{0,4}\\{0,15}["']?)([a-z0-9+/]{32,200}={1,2}|(?=[a-z0-9/]{0,60}\+)[a-z0-9+/]{32,200})(?![\w+/=.])
azure-key accountkey=|sharedaccesskey= masked ((?:AccountKey|SharedAccessKey|accountkey)=)([A-Za-z0-9+/]{20,120}={0,2})
aws-secret aws_secret_access_key|secretaccesskey masked/i ((?:aws_secret_access_key|secretAccessKey)[\\"'\s:=]{1,8})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])
azure-sas sig= masked ([?&]sig=)([A-Za-z0-9%/+_-]{30,150}(?:%3D|=){0,2})
signed-url x-amz-s|x-goog-s masked (X-(?:Amz-Signature|Goog-Signature|Amz-Security-Token)=)([\w%/+.-]{20,})
signature signature= plain/i (\bsignature=["']?(?:sha\d{1,3}=)?)([\w+/%.~-]{20,500}={0,2})
oauth-code code=|code_verifier=|assertion= plain ([?&](?:code|code_verifier|client_assertion|assertion)=)([\w.~/+%-]{16,2000})
authorization auth plain ((?:(?<![A-Za-z0-9])_auth|["']auth\\{0,15}["'])[ \t]{0,4}[:=][ \t]{0,4}\\{0,15}["']?)([A-Za-z0-9+/]{12,2000}={0,2})(?![\w+/=.(-])
authorization auth plain ((?<![\w-])auth:[ \t]{0,4}["'\x60])([\w+/.-]{16,2000}={0,2})(?=["'\x60])
authorization authorization typed/i (\b(?:proxy-)?authorization\\{0,15}["']?\s{0,3}[:=]\s{0,3}\\{0,15}["'\x60]?(?:(?:bearer|basic|token|apikey|negotiate|bot)\s{1,3})?)([A-Za-z0-9][\w.~+/=:-]{7,})
authorization authorization typed/i (\b(?:proxy-)?authorization\\{0,15}["'\x60]\]?\s{0,3}[,:=]\s{0,3}\\{0,15}["'\x60](?:bearer|basic|token|apikey|bot)\s{1,3})([^\s"'\x60\\<>{}$]{6,4000})
authorization authorization masked/i (\b(?:proxy-)?authorization\\{0,15}["']?\s{0,3}[:=]\s{0,3}\\{0,15}["'\x60]?[A-Za-z][\w-]{2,40}[ \t]{1,3})(\w{1,40}=[^\r\n'\x60]{8,2000})
bearer bearer placeholder/i (\bbearer {1,3})((?=[\w.~+/=-]{0,60}\d)[A-Za-z0-9][\w.~+/=-]{15,})
authorization basic plain/i (\bbasic {1,3})([A-Za-z0-9+/]{16,2000}={0,2})(?![\w+/=.(-])
cookie cookie cookie/i (\b(?:set-)?cookie: {1,3}[\w.-]{1,80}=)([^\s"'\x60\\;[][^\r\n"'\x60\\]{3,})
cookie cookie session/i (\b(?:set-)?cookies?(?:\\{0,15}["'\x60]\]?|(?<=\.cookie))[ \t]{0,4}[:=,][ \t]{0,4}\\{0,15}["'\x60][\w.-]{1,80}=)([^\s"'\x60\\;[][^\r\n"'\x60\\]{3,})
cookie true|false plain (\t(?:TRUE|FALSE)\t/\S{0,200}\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\r\n]{1,80}\t)(\S{8,4000})
url-password :// placeholder/i (\b[a-z][a-z0-9+.-]{1,20}://[^\s:@/'"\x60<>()[\]{}$]{0,100}:)([^\s@/'"\x60<>()[\]{}]{4,300})(?=@[\w[])
url-password jdbc:oracle: placeholder (\bjdbc:oracle:\w{1,10}:[^\s/@"']{1,80}/)([^\s@"']{4,300})(?=@)
url-password @tcp(|@unix(|@tcp6(|@udp( placeholder ((?<![\w.-])[\w.-]{1,80}:)([^\s@/'"\x60<>()[\]{}]{3,300})(?=@(?:tcp6?|unix|udp)\()
url-token :// masked/i (\bhttps?://)((?=[\w-]{0,60}\d)[\w-]{20,300})(?=@[\w[])
url-token :// plain (\bhttps?://[^\s"'\x60<>]{1,200}/(?:reset|verify|confirm|activate|invit|magic|login|unsubscribe)[\w-]{0,20}/)([\w.~-]{20,1000})
mnemonic mnemonic|phrase masked/i ((?:mnemonic|(?:seed|recovery|secret)[ _-]?phrase)\w{0,20}\\{0,15}["']?[ \t]{0,4}(?:=|:|is)[ \t]{0,4}\\{0,15}["']?)((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})
secret ::add-mask::|issecret=true placeholder (::add-mask::|##vso\[[^\]\r\n]{0,200};issecret=true[^\]\r\n]{0,100}\])([^\s"'\x60|\\]{4,4000})
password auth|credential|login|log_in sentence/i ((?:auth|credentials?|log_?in|authentication)=?\(["'][^"'\r\n]{1,80}["'],\s{0,3}["'])([^"'\r\n\s]{6,200})(?=["'])
password - random/i (:(?<=(?<![\w.*:-])(?:[a-z][\w.-]{0,100}|\*|\d{1,3}(?:\.\d{1,3}){3}):)(?:\d{3,5}|\*):(?:[a-z_]\w{0,60}|\*):(?:[a-z_]\w{0,60}|\*):)([^\s:'"\x60,;)]{6,200})(?![\w:])
password identified placeholder (\b(?:[Ii]dentified (?:with [^\s']{1,60} )?(?:by|as) '|IDENTIFIED (?:WITH [^\s']{1,60} )?(?:BY|AS) (?:PASSWORD )?["']))([^\s"']{4,300})(?=["'])
password machine word (\bmachine\s{1,9}\S{1,200}\s{1,9}(?:login\s{1,9}\S{1,200}\s{1,9})?password\s{1,9})([^\s"$<[]{3,300})
password "-p|'-p word (["'](?:mysql|mariadb)[\w-]{0,12}["'],[^\r\n\]]{0,200}?["']-p)(?!ort\d{0,5}["'])([^"'\r\n]{4,200})(?=["'])
password send sentence ((?<!\.)\bsend (?:-- )?["'])([^"'\r\n\\]{4,200})(?=\\r["'])
password <<< word (\b(?:sudo -S|chpasswd|passwd|cryptsetup|-stdin|--with-token|secrets? (?:put|set|create|add))\b[^\r\n|<]{0,200}<<< ?["']?)([^\s"'\x60|$<>[\\]{4,300})
password auth|requirepass sentence ((?<![\w-])(?:AUTH|requirepass) (?:["']|\w{1,40} (?=\S{8}))?)([^\s"'\x60$<[]{4,300})(?=["']?(?:[\r\n]|$))
password echo|printf mode (\b(?:echo|printf) (?:-[a-zA-Z]{1,4} )?(?:["']?%s(?:\\n)?["']? )?["']?(?:[\w.-]{1,40}:(?=[^\r\n|]{1,200}chpasswd))?)((?:[^\s"'\x60|$<>[\\]|\\n){4,300})(?=["']? \|[^\r\n]{0,300}(?:-stdin\b|--with-token\b|sudo -S\b|passwd\b|\bcryptsetup\b|--passphrase-fd\b|--data-file=-|\bsecrets? (?:put|set|create)\b|\benv add\b))
password pass word (\bUSER[ \t]\S{1,80}[^\r\n]{0,40}\r?\n(?:[^\r\n]{0,200}\r?\n){0,2}[^\r\n]{0,20}\bPASS )([^\s"'\x60$<[]{4,300})
password login sentence (\bLOGIN ["']?[^\s"']{1,80}["']? ["']?)([^\s"'\x60$<[]{4,300})
`

const ofShown = (row: string): SecretRule => {
  const [kind = "", needles = "", none = "", ...source] = row.split(" ")
  const [name = "", flag = ""] = none.split("/")
  return {
    kind,
    needles: needles === "-" ? [] : needles.split("|"),
    on: lazy(() => new RegExp(source.join(" "), `g${flag}`)),
    isNone: isName(name) ? noneOf[name] : noneOf.masked
  }
}

/**
 * Each row has the programs and the text before the password; "_" means a space. In rows with "~", an ordinary word may
 * follow instead of a password.
 */
const commands = String.raw`
mysql[\w-]{0,40}_|mariadb[\w-]{0,40}_ -p(?!\d{1,5}(?![^\s"',;)]))
mongo[a-z]{0,20}_ -p_(?!\d{1,5}(?![^\s"',;)]))
docker_login_|podman_login_|helm_registry_login_|az_login_|oras_login_|skopeo_login_|buildah_login_|twine_upload_|sshpass_ -p_?
cqlsh_|useradd_|usermod_|adduser_ (?:-p|--password)[=_]
sqlcmd_|bcp_|mosquitto\x5f[a-z]{1,20}_|zip_|unzip_|ipmitool_ -P_?
7z[az]?_|unrar_|rar_ -h?p
redis-cli_ (?:-a_?|--pass[=_])
openssl_ -(?:passin|passout|pass)_pass:|-[kK]_
ldap[a-z]{1,20}_ -w_
snmp[a-z]{1,20}_ -[AX]_
ssh-keygen_ -[NP]_
xfreerdp[0-9]?_|wlfreerdp[0-9]?_ /p:
lftp_|smbclient_ -[uU]_?[^\s,%]{1,80}[,%]
curl_|etcdctl_ (?:-[a-zA-Z]{0,6}[uU]_?|--(?:proxy-)?user[=_])["']?[^\s:'"$<]{1,100}:
curl_ (?:-b_?|--cookie[=_])["']?[\w.-]{1,80}=
http_|https_|xh_ -a_[^\s:'"$<]{1,100}:
gh_secret_set_ (?:--body[=_]|-b_?)
aws_ --secret-string[=_]
aws_ssm_put-parameter_|az_keyvault_secret_set_ --value[=_]
dotnet_user-secrets_set_ ["']?[\w:.-]{1,80}["']?_
dotnet_nuget_push_|nuget_push_ (?:-k|--api-key|-ApiKey)_
doctl_auth_init_ -t_
netsh_ key(?:Material)?=
keytool_|jarsigner_ -[a-z]{0,6}(?:store|key)pass_
htpasswd_ -[a-zA-Z0-9]{0,8}b[a-zA-Z0-9]{0,8}_\S{1,200}_\S{1,100}_
vault_login_ (?:-[\w=-]{1,40}_){0,3}(?:token=)?
rabbitmqctl_ (?:add\x5fuser|change\x5fpassword|authenticate\x5fuser)_\S{1,80}_
~net_user_ (?!(?:guide|manual|docs?|documentation|interface|account)_)[\w.-]{1,60}_
~net_use_ (?:\\\\\S{1,100}|[A-Za-z]:)_
~cargo_login_|snyk_auth_|ansible-vault_encrypt\x5fstring_ (?:)
~composer_config_|poetry_config_ (?:http-basic\.\S{1,80}_\S{1,80}|[a-z]{3,12}-(?:oauth|token)\.\S{1,80})_
~bundle_config_ [\w.-]{3,100}_[^\s:]{1,80}:
~sqlplus_|expdp_|impdp_|sqlldr_ \w{1,40}/
~netlify_ --auth[=_]
`

/** In quotation marks, the secret ends at the closing mark. Otherwise it ends at the next white space. */
const word = String.raw`(?<=")[^"\r\n$]{3,200}|(?<=')[^'\r\n]{3,200}|(?<!["'])[^\s'"$<[-][^\s'"\\]{2,200}`

const ofCommand = (row: string): SecretRule => {
  const [begin = "", before = ""] = row
    .replace(/^~/, "")
    .split(" ")
    .map((part) => part.replaceAll("_", " "))
  return {
    kind: "password",
    needles: begin.split("|").map((one) => one.slice(0, one.search(/[\\[]|$/)).toLowerCase()),
    on: lazy(
      () => new RegExp(String.raw`(\b(?:${begin})[^\r\n|;&\x60]{0,300}?(?<= )(?:${before})["']?)(${word})`, "g")
    ),
    isNone: row.startsWith("~") ? noneOf.sentence : noneOf.word
  }
}

/** Matches the text after a vendor's prefix. */
const token = /^[\w+/=%.-]{9}/

const tables = lazy(() => [
  { rules: rowsOf(vendors).map(ofVendor), behind: token },
  { rules: rowsOf(shown).map(ofShown), behind: /(?:)/ },
  { rules: rowsOf(commands).map(ofCommand), behind: /(?:)/ }
])

const stands = (needle: string, text: string, behind: RegExp): boolean => {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length
    if (behind.test(text.slice(end, end + 9))) return true
  }
  return false
}

/** Skips rules whose words are not in the text. Most texts contain the words of only a few rules. */
const rulesFor = (text: string): ReadonlyArray<SecretRule> => {
  const small = text.toLowerCase()
  return tables().flatMap(({ behind, rules }) =>
    rules.filter(({ needles }) => needles.length === 0 || needles.some((needle) => stands(needle, small, behind)))
  )
}

export const shownSecrets = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const { isNone, kind, on } of rulesFor(text))
    eachMatch(on(), text, work, (match) => {
      const secret = match[2] ?? match[0]
      const end = match.index + match[0].length
      if (!isNone(secret)) spans.push({ kind, start: end - secret.length, end })
    })
  return spans
}
