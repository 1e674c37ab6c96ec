import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Ajv, type ErrorObject } from 'ajv'
import fp from 'fastify-plugin'
import { StartError } from '../errors.ts'
import { Config } from '../schemas/config.ts'
import { formats } from '../schemas/formats.ts'
import { Jobs } from '../schemas/jobs.ts'

export type Environment = Record<string, string | undefined>

/** The process's environment over what an `.env` file in the working folder says. */
export function readEnvironment(): Environment {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}

/**
 * The settings in force. An empty value counts as not set.
 * Throws one StartError that names every problem, so that an operator mends them all at once.
 */
export function parseConfig(environment: Environment): Config {
  const known = Object.keys(Config.properties)
  const values = Object.fromEntries(
    known.map((name) => [name, environment[name]]).filter(([, value]) => value !== undefined && value !== '')
  )
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, keywords: ['secret'], formats })
  const validate = ajv.compile<Config>(Config)
  const problems = validate(values) ? impossible(values) : (validate.errors ?? []).map(sentence)
  if (problems.length > 0) {
    throw new StartError(
      `These settings are not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee docs/configuration.md.`
    )
  }
  return values as unknown as Config
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const allowed = 'allowedValues' in params ? ` (${(params.allowedValues as string[]).join(', ')})` : ''
  return `${instancePath.slice(1)} ${message}${allowed}`
}

/** What no single setting can be blamed for. */
function impossible(config: Record<string, unknown>): string[] {
  const unknown = chosenJobs(String(config.WORKERS)).filter((name) => !Object.hasOwn(Jobs, name))
  if (unknown.length > 0) {
    return [
      `WORKERS names no job ${unknown.map((name) => `"${name}"`).join(', ')}: there are ${Object.keys(Jobs).join(', ')}`
    ]
  }
  if (config.ROLE === 'api' && config.WORKERS !== '') {
    return ['WORKERS has no meaning with ROLE=api, which works no jobs']
  }
  const split = config.ROLE !== 'all' || config.WORKERS !== ''
  const embedded = config.MONGODB_URL === undefined || config.REDIS_URL === undefined
  if (split && embedded) {
    return [
      `ROLE=${String(config.ROLE)}${config.WORKERS === '' ? '' : ` WORKERS=${String(config.WORKERS)}`} needs MONGODB_URL and REDIS_URL: no other process can reach what is embedded in this one`
    ]
  }
  if (config.ROLE !== 'all' && config.PUBLIC_URL === undefined) {
    return [
      `PUBLIC_URL is required with ROLE=${String(config.ROLE)}: one process of several cannot know where customers reach the service`
    ]
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

/** The jobs that a WORKERS setting names; none for an empty one, which means all. */
export const chosenJobs = (workers: string): string[] =>
  workers
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

declare module 'fastify' {
  interface FastifyInstance {
    config: Config /** Where customers reach the service; no slash at the end. */
    publicUrl: string
  }
}

export default fp(
  async (app, { config }: { config: Config }) => {
    app.decorate('config', config)
    app.decorate('publicUrl', {
      getter() {
        if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/+$/, '')
        // With PORT=0 the port is known only once it listens.
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
