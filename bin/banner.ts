import { styleText } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { LINK_SECONDS, signInUrl } from '../services/auth/sign-in-links.ts'
import { DEMO_ACCOUNT } from '../services/demo/index.ts'

const LINK_MINUTES = LINK_SECONDS / 60

/**
 * Prints the address of the started service and, for the embedded profile, the next steps.
 * `demoKey`: the value of the demo key if this start created it.
 */
export async function printBanner(app: FastifyInstance, demoKey: string | null): Promise<void> {
  const url = app.config.MONGODB_URL === undefined ? app.publicUrl : listeningUrl(app)
  const lines = [
    '',
    `  ${styleText('bold', 'Blog and product content service', { stream: process.stdout })}`,
    '',
    ...(demoKey === null ? await startLines(app, url) : await firstStartLines(app, { url, demoKey })),
    ''
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function startLines(app: FastifyInstance, url: string): Promise<string[]> {
  const { MONGODB_URL, DATA_DIR, ROLE } = app.config
  const isEmbedded = MONGODB_URL === undefined
  return [
    `  Address        ${url}`,
    ...(isEmbedded && ROLE !== 'worker' ? await consoleLines(app, url) : []),
    ...(ROLE === 'worker' ? [] : [`  API docs       ${url}/docs   (OpenAPI: ${url}/openapi.json)`]),
    ...(isEmbedded ? [`  Data           ${DATA_DIR}`, ...nextSteps()] : describeDeployment(app))
  ]
}

/** Where to go after the start that created the demo. */
async function firstStartLines(
  app: FastifyInstance,
  { url, demoKey }: { url: string; demoKey: string }
): Promise<string[]> {
  const [consoleUrl, isLink] = await findConsole(app, url)
  return [
    `  Console        ${consoleUrl}${isLink ? `   (signs in once, within ${LINK_MINUTES} minutes)` : ''}`,
    `  Demo websites  ${url}/demo`,
    `  API docs       ${url}/docs`,
    `  Demo API key   ${demoKey}   (shown only once)`,
    `  Try it         curl -s -H 'X-Api-Key: ${demoKey}' '${url}/api/v1/blogs?pageSize=3'`
  ]
}

async function consoleLines(app: FastifyInstance, url: string): Promise<string[]> {
  const [consoleUrl, isLink] = await findConsole(app, url)
  return [
    `  Console        ${consoleUrl}`,
    ...(isLink ? [`                 (signs in once, within ${LINK_MINUTES} minutes)`] : [])
  ]
}

/**
 * The address of the console, and whether it is a link that signs in. Only in the embedded profile: the
 * output of servers ends in logs, where a link does not belong.
 */
async function findConsole({ services }: FastifyInstance, url: string): Promise<[url: string, isLink: boolean]> {
  const token = await services.signInLinks.create(DEMO_ACCOUNT)
  return token === null ? [`${url}/console`, false] : [signInUrl(url, token), true]
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

const nextSteps = (): string[] => [
  `  New link       npm run --silent svc -- console --account ${DEMO_ACCOUNT}`,
  `  New API key    npm run --silent svc -- keys create --account ${DEMO_ACCOUNT} --name 'My key'`,
  `  Session token  npm run --silent svc -- token --account ${DEMO_ACCOUNT}`
]
