import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { CheckError } from "./problems.mjs"

const execute = promisify(execFile)

/** Makes npm quiet. npm first uses its cache, and retries a failed request to the registry once. */
const npmEnvironment = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  npm_config_prefer_offline: "true",
  npm_config_fetch_retries: "1",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_update_notifier: "false"
}

export const run = async (cwd, command, ...args) => {
  const env = { ...process.env, ...npmEnvironment }
  const shell = process.platform === "win32" && !command.endsWith(".exe")
  try {
    const { stdout } = await execute(command, args, { cwd, env, shell, maxBuffer: 256 * 1024 * 1024 })
    return stdout
  } catch (error) {
    const { code, signal, stderr = "", stdout = "" } = error
    const lines = `${stdout}\n${stderr}`.trim().split("\n").slice(0, 40)
    const shown = lines.map((line) => `    ${line.slice(0, 400)}`).join("\n")
    throw new CheckError(`\`${command} ${args.join(" ")}\` ended with ${code ?? signal}\n${shown}`, stdout)
  }
}
