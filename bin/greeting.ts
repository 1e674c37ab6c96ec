import type { FastifyInstance } from 'fastify'
import { DEMO_ACCOUNT } from '../services/demo.ts'

const bold = (text: string) => process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text

/** Tells whoever started the embedded service what to do next. `demoKey` is the value of the demo key, on the start that made it. */
export function greet (app: FastifyInstance, demoKey: string | null): void {
  if (app.config.MONGODB_URL !== undefined) return
  const url = app.publicUrl
  const lines = [
    '',
    `  ${bold('Blog and product content service')}`,
    '',
    `  Address        ${url}`,
    `  Interface      ${url}/docs   (OpenAPI: ${url}/openapi.json)`,
    `  Data           ${app.config.DATA_DIR}`,
    ...(demoKey === null ? returning() : first(url, demoKey)),
    ''
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

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
