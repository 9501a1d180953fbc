/** Secrets that show themselves: by a vendor's prefix, a scheme, or the command that takes them. */
import { lazy } from "../text/Lazy.ts"
import { commandRules } from "./secretCommands.ts"
import type { SecretRule } from "./secretRule.ts"
import { isMasked, isPlaceholder, isTelling, looksDense, looksRandom, looksTyped } from "./secretValues.ts"
import { vendorRules } from "./secretVendors.ts"

const isPlain = (value: string): boolean => isMasked(value) || !isTelling(value)

/** Every cookie of a header's line. */
const areNoCookies = (value: string): boolean =>
  value.split(/;\s{0,3}/, 50).every((pair) => isPlaceholder(pair.slice(pair.indexOf("=") + 1)))

/** In a program's own text a cookie may be of any value: one of them has to look like a key. */
const areNoSessions = (value: string): boolean =>
  !value.split(/;\s{0,3}/, 50).some((pair) => {
    const one = pair.slice(pair.indexOf("=") + 1)
    return !isPlaceholder(one) && (looksDense(one) || looksRandom(one) || isTelling(one))
  })

const isTyped = (value: string): boolean =>
  isPlaceholder(value) ||
  /^(?:authorization|AWS4-)/i.test(value) ||
  /^[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80}){1,10}$/.test(value)

const keys = (): ReadonlyArray<SecretRule> => [
  {
    kind: "azure-key",
    needles: ["AccountKey=", "SharedAccessKey=", "accountkey="],
    on: /((?:AccountKey|SharedAccessKey|accountkey)=)([A-Za-z0-9+/]{20,120}={0,2})/g
  },
  {
    kind: "aws-secret",
    needles: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "ecretAccessKey"],
    on: /((?:aws_secret_access_key|secretAccessKey)[\\"'\s:=]{1,8})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi
  },
  { kind: "azure-sas", needles: ["sig="], on: /([?&]sig=)([A-Za-z0-9%/+_-]{30,150}(?:%3D|=){0,2})/g },
  {
    kind: "signed-url",
    needles: ["X-Amz-Signature=", "X-Goog-Signature=", "X-Amz-Security-Token="],
    on: /(X-(?:Amz-Signature|Goog-Signature|Amz-Security-Token)=)([\w%/+.-]{20,2000})/g,
    more: /[\w%/+.-]/
  },
  {
    kind: "signature",
    needles: ["ignature=", "IGNATURE="],
    on: /(\bsignature=["']?(?:sha\d{1,3}=)?)([\w+/%.~-]{20,500}={0,2})/gi,
    isNone: isPlain
  },
  {
    kind: "oauth-code",
    needles: ["code=", "code_verifier=", "assertion="],
    on: /([?&](?:code|code_verifier|client_assertion|assertion)=)([\w.~/+%-]{16,2000})/g,
    isNone: isPlain
  },
  {
    // npm's and docker's: a name and a password in base64.
    kind: "authorization",
    needles: ["_auth", '"auth', "'auth"],
    on: /((?:(?<![A-Za-z0-9])_auth|["']auth\\{0,15}["'])[ \t]{0,4}[:=][ \t]{0,4}\\{0,15}["']?)([A-Za-z0-9+/]{12,2000}={0,2})(?![\w+/=.(-])/g,
    isNone: isPlain
  },
  {
    // A client's only option.
    kind: "authorization",
    needles: ["auth:"],
    on: /((?<![\w-])auth:[ \t]{0,4}["'`])([\w+/.-]{16,2000}={0,2})(?=["'`])/g,
    isNone: isPlain
  },
  {
    // A user and a password as a call's two words.
    kind: "password",
    needles: ["uth(", "UTH(", "auth=(", "redentials(", "ogin(", "uthentication("],
    on: /((?:auth|credentials?|log_?in|authentication)=?\(["'][^"'\r\n]{1,80}["'],\s{0,3}["'])([^"'\r\n\s]{6,200})(?=["'])/gi,
    isNone: (value) => isPlaceholder(value) || !(looksTyped(value) || isTelling(value))
  },
  {
    // What the logs of GitHub's and Azure's builds are told to hide.
    kind: "secret",
    needles: ["::add-mask::", "issecret=true"],
    on: /(::add-mask::|##vso\[[^\]\r\n]{0,200};issecret=true[^\]\r\n]{0,100}\])([^\s"'`|\\]{4,4000})/g,
    isNone: isPlaceholder
  },
  {
    kind: "mnemonic",
    needles: ["nemonic", "NEMONIC", "phrase", "PHRASE"],
    on: /((?:mnemonic|(?:seed|recovery|secret)[ _-]?phrase)\w{0,20}\\{0,15}["']?[ \t]{0,4}(?:=|:|is)[ \t]{0,4}\\{0,15}["']?)((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/gi,
    isNone: isMasked
  }
]

const headers = (): ReadonlyArray<SecretRule> => [
  {
    kind: "authorization",
    needles: ["uthorization", "UTHORIZATION"],
    on: /(\b(?:proxy-)?authorization\\{0,15}["']{0,1}\s{0,3}[:=]\s{0,3}\\{0,15}["'`]?(?:(?:bearer|basic|token|apikey|negotiate|bot)\s{1,3})?)([A-Za-z0-9][\w.~+/=:-]{7,4000})/gi,
    more: /[\w.~+/=-]/,
    isNone: isTyped
  },
  {
    // In quotation marks, where a key may have any sign.
    kind: "authorization",
    needles: ["uthorization", "UTHORIZATION"],
    on: /(\b(?:proxy-)?authorization\\{0,15}["'`]\]?\s{0,3}[,:=]\s{0,3}\\{0,15}["'`](?:bearer|basic|token|apikey|bot)\s{1,3})([^\s"'`\\<>{}$]{6,4000})/gi,
    isNone: isTyped
  },
  {
    // A scheme with parameters, such as Digest and Amazon's.
    kind: "authorization",
    needles: ["uthorization", "UTHORIZATION"],
    on: /(\b(?:proxy-)?authorization\\{0,15}["']?\s{0,3}[:=]\s{0,3}\\{0,15}["'`]?[A-Za-z][\w-]{2,40}[ \t]{1,3})(\w{1,40}=[^\r\n'`]{8,2000})/gi,
    isNone: isMasked
  },
  {
    kind: "bearer",
    needles: ["earer ", "EARER "],
    on: /(\bbearer {1,3})((?=[\w.~+/=-]{0,60}\d)[A-Za-z0-9][\w.~+/=-]{15,4000})/gi,
    more: /[\w.~+/=-]/,
    isNone: isPlaceholder
  },
  {
    kind: "authorization",
    needles: ["asic ", "ASIC "],
    on: /(\bbasic {1,3})([A-Za-z0-9+/]{16,2000}={0,2})(?![\w+/=.(-])/gi,
    isNone: isPlain
  },
  {
    kind: "cookie",
    needles: ["ookie: ", "OOKIE: "],
    on: /(\b(?:set-)?cookie: {1,3}[\w.-]{1,80}=)([^\s"'`\\;[][^\r\n"'`\\]{3,4000})/gi,
    more: /[^\r\n"'`\\]/,
    isNone: areNoCookies
  },
  {
    // The first cookie may be a plain one: the header's line goes on.
    kind: "cookie",
    needles: ["ookie", "OOKIE"],
    on: /(\b(?:set-)?cookies?(?:\\{0,15}["'`]\]?|(?<=\.cookie))[ \t]{0,4}[:=,][ \t]{0,4}\\{0,15}["'`][\w.-]{1,80}=)([^\s"'`\\;[][^\r\n"'`\\]{3,4000})/gi,
    more: /[^\r\n"'`\\]/,
    isNone: areNoSessions
  }
]

const jars = (): ReadonlyArray<SecretRule> => [
  {
    // A line of the file in which curl and wget keep cookies.
    kind: "cookie",
    needles: ["\tTRUE\t", "\tFALSE\t"],
    on: /(\t(?:TRUE|FALSE)\t\/\S{0,200}\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\r\n]{1,80}\t)([^\s]{8,4000})/g,
    isNone: isPlain
  }
]

const addresses = (): ReadonlyArray<SecretRule> => [
  {
    kind: "url-password",
    needles: ["://"],
    on: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>()[\]{}$]{0,100}:)([^\s@/'"`<>()[\]{}]{4,300})(?=@[\w[])/gi,
    isNone: isPlaceholder
  },
  {
    kind: "url-token",
    needles: ["://"],
    on: /(\bhttps?:\/\/)((?=[\w-]{0,60}\d)[\w-]{20,300})(?=@[\w[])/gi
  },
  {
    // A link that lets in whoever has it.
    kind: "url-token",
    needles: ["/reset", "/verify", "/confirm", "/activate", "/invit", "/magic", "/login/", "/unsubscribe"],
    on: /(\bhttps?:\/\/[^\s"'`<>]{1,200}\/(?:reset|verify|confirm|activate|invit|magic|login|unsubscribe)[\w-]{0,20}\/)([\w.~-]{20,1000})/g,
    isNone: isPlain
  },
  {
    // Oracle's addresses have the password behind a slash.
    kind: "url-password",
    needles: ["jdbc:oracle:"],
    on: /(\bjdbc:oracle:\w{1,10}:[^\s/@"']{1,80}\/)([^\s@"']{4,300})(?=@)/g,
    isNone: isPlaceholder
  },
  {
    // Go's data source names.
    kind: "url-password",
    needles: ["@tcp(", "@unix(", "@tcp6(", "@udp("],
    on: /((?<![\w.-])[\w.-]{1,80}:)([^\s@/'"`<>()[\]{}]{3,300})(?=@(?:tcp6?|unix|udp)\()/g,
    isNone: isPlaceholder
  },
  {
    // A line of PostgreSQL's password file.
    kind: "password",
    needles: [],
    on: /(:(?<=(?<![\w.*:-])(?:[a-zA-Z][\w.-]{0,100}|\*|\d{1,3}(?:\.\d{1,3}){3}):)(?:\d{3,5}|\*):(?:[A-Za-z_]\w{0,60}|\*):(?:[A-Za-z_]\w{0,60}|\*):)([^\s:'"`,;)]{6,200})(?![\w:])/g,
    isNone: (value) => isPlaceholder(value) || !(looksRandom(value) || isTelling(value))
  },
  {
    kind: "password",
    needles: ["dentified ", "DENTIFIED "],
    on: /(\b(?:[Ii]dentified (?:with [^\s']{1,60} )?(?:by|as) '|IDENTIFIED (?:WITH [^\s']{1,60} )?(?:BY|AS) (?:PASSWORD )?["']))([^\s"']{4,300})(?=["'])/g,
    isNone: isPlaceholder
  }
]

export const secretRules: () => ReadonlyArray<SecretRule> = lazy(() => [
  ...vendorRules(),
  ...keys(),
  ...headers(),
  ...jars(),
  ...addresses(),
  ...commandRules()
])
