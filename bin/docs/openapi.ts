import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buildApp } from '../../app.ts'

/** The OpenAPI document of the API as JSON: the same on every machine for the same sources. */
export async function renderOpenApiDocument(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'openapi-'))
  try {
    const app = await buildApp({
      DATA_DIR: folder,
      DEMO_CONTENT: 'off',
      LOG_LEVEL: 'silent',
      PUBLIC_URL: 'http://127.0.0.1:3000'
    })
    const document = await app.openApiDocument()
    await app.close()
    return `${JSON.stringify(document, null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
