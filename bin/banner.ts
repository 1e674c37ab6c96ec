import { styleText } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { LINK_SECONDS, signInUrl } from '../services/auth/sign-in-links.ts'
import { DEMO_ACCOUNT } from '../services/demo.ts'

/**
 * Prints the address of the started service and, for the embedded profile, the next steps.
 * `demoKey`: the value of the demo key if this start created it.
 */
export async function printBanner(app: FastifyInstance, demoKey: string | null): Promise<void> {
  const { MONGODB_URL, DATA_DIR, ROLE } = app.config
  const isEmbedded = MONGODB_URL === undefined
  const url = isEmbedded ? app.publicUrl : listeningUrl(app)
  const lines = [
    '',
    `  ${styleText('bold', 'Blog and product content service', { stream: process.stdout })}`,
    '',
    `  Address        ${url}`,
    ...(isEmbedded && ROLE !== 'worker' ? await consoleLines(app, url) : []),
    ...(ROLE === 'worker' ? [] : [`  API docs       ${url}/docs   (OpenAPI: ${url}/openapi.json)`]),
    ...(isEmbedded
      ? [`  Data           ${DATA_DIR}`, ...(demoKey === null ? nextSteps() : firstSteps(url, demoKey))]
      : describeDeployment(app)),
    ''
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/**
 * A link that signs in to the console. Only in the embedded profile: the output of servers ends in
 * logs, where a link does not belong.
 */
async function consoleLines({ services }: FastifyInstance, url: string): Promise<string[]> {
  const token = await services.signInLinks.create(DEMO_ACCOUNT)
  if (token === null) return [`  Console        ${url}/console`]
  const minutes = LINK_SECONDS / 60
  return [`  Console        ${signInUrl(url, token)}`, `                 (signs in once, within ${minutes} minutes)`]
}

/** The address of this process, which behind a proxy is not the public one. */
function listeningUrl(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') return app.publicUrl
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

function describeDeployment({ config: { ROLE, WORKERS, REDIS_URL }, publicUrl }: FastifyInstance): string[] {
  const jobs = ROLE === 'api' ? '' : `, jobs: ${WORKERS === '' ? 'all' : WORKERS}`
  return [
    `  Public URL     ${publicUrl}`,
    `  Role           ${ROLE}${jobs}`,
    `  Data           MongoDB; queue and rate limits in ${REDIS_URL === undefined ? 'this process' : 'Redis'}`
  ]
}

const firstSteps = (url: string, key: string): string[] => [
  `  Demo key       ${key}   (shown only once)`,
  `  Session token  npm run --silent svc -- token --account ${DEMO_ACCOUNT}`,
  '',
  '  Try it:',
  '',
  `  curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1/blogs?pageSize=3'`,
  `  curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1/products?q=coffee&pageSize=3'`
]

const nextSteps = (): string[] => [
  `  New link       npm run --silent svc -- console --account ${DEMO_ACCOUNT}`,
  `  New API key    npm run --silent svc -- keys create --account ${DEMO_ACCOUNT} --name 'My key'`,
  `  Session token  npm run --silent svc -- token --account ${DEMO_ACCOUNT}`
]
