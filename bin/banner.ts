import { styleText } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { DEMO } from '../schemas/examples/demo.ts'
import { LINK_SECONDS, signInUrl } from '../services/auth/sign-in-links.ts'
import { DEMO_ACCOUNT } from '../services/demo/index.ts'

const LINK_MINUTES = LINK_SECONDS / 60

/**
 * Prints the address of the started service and, for the embedded profile, the next steps.
 * `demoKey`: the value of the demo key if this start created it.
 */
export async function printBanner(app: FastifyInstance, demoKey: string | null): Promise<void> {
  const isEmbedded = app.config.MONGODB_URL === undefined
  const url = isEmbedded ? app.publicUrl : listeningUrl(app)
  const lines = [
    '',
    `  ${styleText('bold', 'Blog and product content service', { stream: process.stdout })}`,
    '',
    `  Address        ${url}`,
    ...(isEmbedded && servesRequests(app) ? [...(await consoleLines(app, url)), ...(await demoLines(app, url))] : []),
    ...(servesRequests(app) ? documentationLines(url) : []),
    ...(isEmbedded ? [`  Data           ${app.config.DATA_DIR}`, '', ...commandLines()] : describeDeployment(app)),
    ...(demoKey === null ? [] : ['', ...keyLines(url, demoKey)]),
    ''
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const servesRequests = ({ config }: FastifyInstance): boolean => config.ROLE !== 'worker'

/**
 * The address of the console, or a link that signs in. Only in the embedded profile: the output of servers ends in
 * logs, where a link does not belong.
 */
async function consoleLines({ services }: FastifyInstance, url: string): Promise<string[]> {
  const token = await services.signInLinks.create(DEMO_ACCOUNT)
  if (token === null) return [`  Console        ${url}/console`]
  return [
    `  Console        ${signInUrl(url, token)}`,
    `                 (signs in once, within ${LINK_MINUTES} minutes)`
  ]
}

async function demoLines({ hasDemoSites, services }: FastifyInstance, url: string): Promise<string[]> {
  const isCreated = hasDemoSites && (await services.demo.sites.project(DEMO.projectId)) !== null
  return isCreated ? [`  Demo websites  ${url}/demo`] : []
}

const documentationLines = (url: string): string[] => [
  `  Documentation  ${url}/docs`,
  `  API reference  ${url}/docs/api   (OpenAPI: /openapi.json)`
]

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

/** Without `--account`: its default is the account of the demo. */
const commandLines = (): string[] => [
  '  New link       npm run --silent svc -- console',
  "  New API key    npm run --silent svc -- keys create --name 'My key'",
  '  Session token  npm run --silent svc -- token',
  '  All commands   npm run --silent svc -- help'
]

/** With the variables that all examples of the documentation use. */
const keyLines = (url: string, demoKey: string): string[] => [
  '  The demo API key is shown only this once. To use it, run in a second terminal:',
  '',
  `  export SVC_URL=${url}`,
  `  export SVC_KEY=${demoKey}`,
  '  curl -H "X-Api-Key: $SVC_KEY" "$SVC_URL/api/v1/blogs?pageSize=3"'
]
