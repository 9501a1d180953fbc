/**
 * Loaded into promptfoo's process before anything of it: even with its telemetry switched off, it tells its makers so, with
 * an id of the user. Their hosts' names are not looked up; the model's are.
 */
import dns from "node:dns"
import { syncBuiltinESMExports } from "node:module"

const makers = /(?:^|\.)promptfoo\.(?:app|dev)$/iu

const { lookup } = dns

const refused = (host) =>
  Object.assign(new Error(`${host} is not asked: a run with a model reaches nobody else`), {
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    hostname: host
  })

dns.lookup = (host, options, callback = options) =>
  makers.test(host) ? process.nextTick(callback, refused(host)) : lookup(host, options, callback)

syncBuiltinESMExports()
