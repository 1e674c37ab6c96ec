import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

/** The environment of the process. It overrides the `.env` file in the working directory. */
export function readEnvironment(): Environment {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}

/**
 * The variables that a child process gets: what programs need to find files, fonts, certificates
 * and the time zone. No settings of the service, since the processes read untrusted pages and images.
 */
const CHILD_VARIABLES = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'LD_LIBRARY_PATH'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'PLAYWRIGHT_BROWSERS_PATH'],
  ...['SystemRoot', 'windir', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA']
]

/** The environment of browser and image processes. */
export function readChildEnvironment(): Record<string, string> {
  const values = CHILD_VARIABLES.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(values.filter((entry): entry is readonly [string, string] => entry[1] !== undefined))
}
