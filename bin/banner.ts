import type { FastifyInstance } from 'fastify'
import { DEMO_ACCOUNT } from '../services/demo.ts'

const bold = (text: string) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text)

/**
 * Tells whoever started the service what it is and, on a laptop, what to do next. `demoKey` is the
 * value of the demo key, on the start that made it.
 */
export function printBanner(app: FastifyInstance, demoKey: string | null): void {
  const { MONGODB_URL, DATA_DIR, ROLE } = app.config
  const url = MONGODB_URL === undefined ? app.publicUrl : ownAddress(app)
  const lines = [
    '',
    `  ${bold('Blog and product content service')}`,
    '',
    `  Address        ${url}`,
    ...(ROLE === 'worker' ? [] : [`  Interface      ${url}/docs   (OpenAPI: ${url}/openapi.json)`]),
    ...(MONGODB_URL === undefined
      ? [`  Data           ${DATA_DIR}`, ...(demoKey === null ? returning() : first(url, demoKey))]
      : shared(app)),
    ''
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/**
 * Where this very process answers, which behind a proxy is not where customers reach the service.
 */
function ownAddress(app: FastifyInstance): string {
  const address = app.server.address()
  return address === null || typeof address === 'string'
    ? app.publicUrl
    : `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

const shared = ({ config: { ROLE, WORKERS, REDIS_URL }, publicUrl }: FastifyInstance) => [
  `  Public         ${publicUrl}`,
  `  Role           ${ROLE}${ROLE === 'api' ? '' : `, working ${WORKERS === '' ? 'all jobs' : WORKERS}`}`,
  `  Data           MongoDB; queue and limits ${REDIS_URL === undefined ? 'in this process' : 'in Redis'}`
]

const first = (url: string, key: string) => [
  `  Demo key       ${key}   (shown this once)`,
  `  Session token  npm run --silent svc -- token --account ${DEMO_ACCOUNT}`,
  '',
  '  Try it:',
  '',
  `  curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1/blogs?pageSize=3'`,
  `  curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1/products?q=coffee&pageSize=3'`
]

const returning = () => [
  '',
  `  A new key      npm run --silent svc -- keys create --account ${DEMO_ACCOUNT} --name 'My key'`,
  `  Session token  npm run --silent svc -- token --account ${DEMO_ACCOUNT}`
]
