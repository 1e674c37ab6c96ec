import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Ajv, type ErrorObject } from 'ajv'
import fp from 'fastify-plugin'
import { StartError } from '../errors.ts'
import { Config } from '../schemas/config.ts'
import { formats } from '../schemas/formats.ts'
import { Jobs } from '../schemas/jobs.ts'
import { withoutTrailingSlash } from '../lib/text.ts'

export type Environment = Record<string, string | undefined>

/** The environment of the process. It overrides the `.env` file in the working directory. */
export function readEnvironment(): Environment {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}

/**
 * The variables that a browser process gets: what programs need to find files, fonts, certificates
 * and the time zone. No settings of the service, since the process runs untrusted pages.
 */
const BROWSER_VARIABLES = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'LD_LIBRARY_PATH'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'PLAYWRIGHT_BROWSERS_PATH'],
  ...['SystemRoot', 'windir', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA']
]

/** The environment of browser processes. */
export function readBrowserEnvironment(): Record<string, string> {
  const values = BROWSER_VARIABLES.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(values.filter((entry): entry is readonly [string, string] => entry[1] !== undefined))
}

/** The parsed settings. Empty values count as unset. Throws one StartError with all problems. */
export function parseConfig(environment: Environment): Config {
  const known = Object.keys(Config.properties)
  const values = Object.fromEntries(
    known.map((name) => [name, environment[name]]).filter(([, value]) => value !== undefined && value !== '')
  )
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, keywords: ['secret'], formats })
  const validate = ajv.compile<Config>(Config)
  const problems = validate(values) ? findConflicts(values) : (validate.errors ?? []).map(describe)
  if (problems.length > 0) {
    throw new StartError(
      ['Invalid settings:', ...problems.map((problem) => `  ${problem}`), 'See docs/configuration.md.'].join('\n')
    )
  }
  return values as unknown as Config
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const allowed = 'allowedValues' in params ? ` (${(params.allowedValues as string[]).join(', ')})` : ''
  return `${instancePath.slice(1)} ${message}${allowed}`
}

/** Problems that concern more than one setting. */
function findConflicts(config: Record<string, unknown>): string[] {
  const unknown = parseWorkers(String(config.WORKERS)).filter((name) => !Object.hasOwn(Jobs, name))
  if (unknown.length > 0) {
    return [`WORKERS contains unknown jobs: ${unknown.join(', ')}. The jobs are ${Object.keys(Jobs).join(', ')}`]
  }
  if (config.ROLE === 'api' && config.WORKERS !== '') {
    return ['WORKERS must not be set with ROLE=api, which runs no jobs']
  }
  const split = config.ROLE !== 'all' || config.WORKERS !== ''
  const embedded = config.MONGODB_URL === undefined || config.REDIS_URL === undefined
  if (split && embedded) {
    return [
      `${config.ROLE === 'all' ? 'WORKERS' : `ROLE=${String(config.ROLE)}`} requires MONGODB_URL and REDIS_URL: ` +
        'processes cannot share an embedded store'
    ]
  }
  if (config.ROLE !== 'all' && config.PUBLIC_URL === undefined) {
    return [`PUBLIC_URL is required with ROLE=${String(config.ROLE)}`]
  }
  if (
    config.MONGODB_URL !== undefined &&
    config.SESSION_SECRET === undefined &&
    config.SESSION_JWKS_URL === undefined
  ) {
    return ['SESSION_SECRET or SESSION_JWKS_URL is required with MONGODB_URL']
  }
  const optimizer = ['OPTIMIZER_URL', 'OPTIMIZER_API_KEY', 'OPTIMIZER_MODEL'].filter(
    (name) => config[name] === undefined
  )
  if (optimizer.length > 0 && optimizer.length < 3) {
    return [
      `${optimizer.join(' and ')} ${optimizer.length === 1 ? 'is' : 'are'} required with the other OPTIMIZER settings`
    ]
  }
  if (config.MONGODB_URL !== undefined && config.SECRETS_KEY === undefined) {
    return ['SECRETS_KEY is required with MONGODB_URL']
  }
  return []
}

/** The jobs listed in WORKERS. An empty list means all jobs. */
export const parseWorkers = (workers: string): string[] =>
  workers
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
    /** The public base URL, without a trailing slash. */
    publicUrl: string
  }
}

export default fp(
  async (app, { config }: { config: Config }) => {
    app.decorate('config', config)
    app.decorate('publicUrl', {
      getter() {
        if (config.PUBLIC_URL !== undefined) return withoutTrailingSlash(config.PUBLIC_URL)
        // With PORT=0 the port is known once the server listens.
        const address = app.server.address()
        const port = address !== null && typeof address === 'object' ? address.port : config.PORT
        const host = ['0.0.0.0', '::'].includes(config.HOST)
          ? 'localhost'
          : config.HOST.includes(':')
            ? `[${config.HOST}]`
            : config.HOST
        return `http://${host}:${port}`
      }
    })
  },
  { name: 'config' }
)
