import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import fp from 'fastify-plugin'
import { StartError } from '../errors.ts'
import { parseAllowList } from '../lib/address-policy/allow-list.ts'
import { parseTrustedProxies } from '../lib/http/trusted-proxies.ts'
import { Config } from '../schemas/config.ts'
import { formats } from '../schemas/formats.ts'
import { Jobs } from '../schemas/jobs.ts'
import { withoutTrailingSlash } from '../lib/text.ts'
import { parseLimits } from '../workers/limits.ts'
import type { Environment } from './config/environment.ts'
import { validSettings } from './config/valid-settings.ts'

let compiled: ValidateFunction<Config> | undefined

/** Converts the values and adds defaults. Returns what is invalid. Ajv is loaded only for settings that may be. */
function validate(values: Record<string, unknown>): ErrorObject[] {
  if (compiled === undefined) {
    const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv')
    const options = { allErrors: true, coerceTypes: true, useDefaults: true, keywords: ['secret'], formats }
    compiled = new Ajv({ ...options, meta: false, validateSchema: false }).compile<Config>(Config)
  }
  return compiled(values) ? [] : (compiled.errors ?? [])
}

/** The parsed settings. Empty values count as unset. Throws one StartError with all problems. */
export function parseConfig(environment: Environment): Config {
  const known = Object.keys(Config.properties)
  const texts = Object.fromEntries(
    known.map((name) => [name, environment[name]] as const).filter(([, value]) => value !== undefined && value !== '')
  )
  const settings = validSettings(Config.properties, Config.required ?? [], texts)
  const values = settings ?? { ...texts }
  const errors = settings === null ? validate(values) : []
  const invalid = new Set(errors.map(nameOf))
  const config = values as unknown as Config
  const conflicts = CHECKS.filter(({ values }) => !values.some((name) => invalid.has(name))).flatMap(({ find }) =>
    find(config)
  )
  const problems = [...errors.map(describe), ...conflicts]
  if (problems.length > 0) {
    throw new StartError(
      ['Invalid settings:', ...problems.map((problem) => `  ${problem}`), 'See docs/configuration.md.'].join('\n')
    )
  }
  return config
}

const nameOf = ({ instancePath }: ErrorObject): string => instancePath.slice(1)

function describe(error: ErrorObject): string {
  const { message, params } = error
  const allowed = 'allowedValues' in params ? ` (${(params.allowedValues as string[]).join(', ')})` : ''
  return `${nameOf(error)} ${message}${allowed}`
}

/** A check that a schema cannot express. */
interface Check {
  /**
   * The settings whose values the check reads. It is skipped if one of them is invalid by itself.
   * Whether a setting is set may be read of any setting.
   */
  values: (keyof Config)[]
  /** Returns the problems. */
  find: (config: Config) => string[]
}

const OPTIMIZER_SETTINGS = ['OPTIMIZER_URL', 'OPTIMIZER_API_KEY', 'OPTIMIZER_MODEL'] as const

const CHECKS: Check[] = [
  {
    values: ['WORKERS'],
    find({ WORKERS }) {
      const unknown = parseWorkers(WORKERS).filter((name) => !Object.hasOwn(Jobs, name))
      if (unknown.length === 0) return []
      return [`WORKERS contains unknown jobs: ${unknown.join(', ')}. The jobs are ${Object.keys(Jobs).join(', ')}`]
    }
  },
  {
    values: ['WORKER_CONCURRENCY'],
    find: ({ WORKER_CONCURRENCY }) => parseLimits(WORKER_CONCURRENCY).problems
  },
  {
    values: ['ROLE', 'WORKERS'],
    find: ({ ROLE, WORKERS }) =>
      ROLE === 'api' && WORKERS !== '' ? ['WORKERS must not be set with ROLE=api, which runs no jobs'] : []
  },
  {
    values: ['ROLE', 'WORKERS'],
    find({ ROLE, WORKERS, MONGODB_URL, REDIS_URL }) {
      const isSplit = ROLE !== 'all' || WORKERS !== ''
      if (!isSplit || (MONGODB_URL !== undefined && REDIS_URL !== undefined)) return []
      return [
        `${ROLE === 'all' ? 'WORKERS' : `ROLE=${ROLE}`} requires MONGODB_URL and REDIS_URL: ` +
          'processes cannot share an embedded store'
      ]
    }
  },
  {
    values: ['ROLE'],
    find: ({ ROLE, PUBLIC_URL }) =>
      ROLE !== 'all' && PUBLIC_URL === undefined ? [`PUBLIC_URL is required with ROLE=${ROLE}`] : []
  },
  {
    values: [],
    find: ({ MONGODB_URL, SESSION_SECRET, SESSION_JWKS_URL }) =>
      MONGODB_URL !== undefined && SESSION_SECRET === undefined && SESSION_JWKS_URL === undefined
        ? ['SESSION_SECRET or SESSION_JWKS_URL is required with MONGODB_URL']
        : []
  },
  {
    values: [],
    find({ MONGODB_URL, SECRETS_KEY }) {
      return MONGODB_URL !== undefined && SECRETS_KEY === undefined ? ['SECRETS_KEY is required with MONGODB_URL'] : []
    }
  },
  {
    values: [],
    find(config) {
      const missing = OPTIMIZER_SETTINGS.filter((name) => config[name] === undefined)
      if (missing.length === 0 || missing.length === OPTIMIZER_SETTINGS.length) return []
      return [
        `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} required with the other OPTIMIZER settings`
      ]
    }
  },
  {
    values: ['TRUST_PROXY'],
    find: ({ TRUST_PROXY }) => messageOf('TRUST_PROXY', () => parseTrustedProxies(TRUST_PROXY))
  },
  {
    values: ['OUTBOUND_ALLOW'],
    find: ({ OUTBOUND_ALLOW }) => messageOf('OUTBOUND_ALLOW', () => parseAllowList(OUTBOUND_ALLOW))
  }
]

/** The error of a parser as the problem of a setting. */
function messageOf(name: keyof Config, parse: () => unknown): string[] {
  try {
    parse()
    return []
  } catch (error) {
    return [`${name} is invalid. ${(error as Error).message}`]
  }
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
    /** Null until it is final. */
    let publicUrl = config.PUBLIC_URL === undefined ? null : withoutTrailingSlash(config.PUBLIC_URL)
    app.decorate('publicUrl', {
      getter() {
        if (publicUrl !== null) return publicUrl
        // With PORT=0 the port is known once the server listens.
        const address = app.server.address()
        const isListening = address !== null && typeof address === 'object'
        const url = `http://${urlHost(config.HOST)}:${isListening ? address.port : config.PORT}`
        if (isListening) publicUrl = url
        return url
      }
    })
  },
  { name: 'config' }
)

/** The host part of a URL of this machine for an address to listen on. */
function urlHost(address: string): string {
  if (['0.0.0.0', '::'].includes(address)) return 'localhost'
  return address.includes(':') ? `[${address}]` : address
}
