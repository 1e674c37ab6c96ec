import { ESLint } from 'eslint'
import path from 'node:path'
import t from 'tap'

const ROOT = path.resolve(import.meta.dirname, '../..')
const eslint = new ESLint({ cwd: ROOT })

/** The messages of the import rule for this source text, as if it were the file at this path. */
async function forbidden(file: string, source: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${source}\n`, { filePath: path.join(ROOT, file) })
  return result!.messages.filter(({ ruleId }) => ruleId === 'local/import-zones').map(({ message }) => message)
}

const FORBIDDEN: [file: string, source: string][] = [
  ['schemas/x.ts', "import { ApiError } from '../errors.ts'"],
  ['schemas/x.ts', "import type { Store } from '../ports/store/port.ts'"],
  ['schemas/x.ts', "import { escapeHtml } from '../lib/html.ts'"],
  ['schemas/x.ts', "import { MongoClient } from 'mongodb'"],
  ['schemas/x.ts', "import ajv from 'ajv'"],
  ['errors.ts', "import { Plan } from './schemas/account.ts'"],
  ['lib/x.ts', "import type { ApiError } from '../errors.ts'"],
  ['lib/x.ts', "import type { Plan } from '../schemas/account.ts'"],
  ['lib/http/x.ts', "import { createServices } from '../../services/index.ts'"],
  ['lib/x.ts', "import { Redis } from 'ioredis'"],
  ['ports/store/port.ts', "import type { Db } from 'mongodb'"],
  ['ports/store/port.ts', "import { PLANS } from '../../schemas/account.ts'"],
  ['ports/store/port.ts', "import type { SqliteStore } from './sqlite/index.ts'"],
  ['ports/store/port/blogs.ts', "import type { Queue } from '../../queue/port.ts'"],
  ['ports/store/mongodb/blogs.ts', "import { openDatabase } from '../sqlite/database.ts'"],
  ['ports/store/mongodb/blogs.ts', "import type { Queue } from '../../queue/port.ts'"],
  ['ports/store/mongodb/blogs.ts', "import type { Files } from '../../files/gridfs/index.ts'"],
  ['ports/store/mongodb/blogs.ts', "import type { Services } from '../../../services/index.ts'"],
  ['ports/store/mongodb/blogs.ts', "import type { FastifyRequest } from 'fastify'"],
  ['ports/store/mongodb/blogs.ts', "import { Redis } from 'ioredis'"],
  ['ports/queue/bullmq/index.ts', "import { MongoClient } from 'mongodb'"],
  ['services/x.ts', "import type { Database } from '../ports/store/sqlite/database.ts'"],
  ['services/x.ts', "import { openStore } from '../ports/store/open.ts'"],
  ['services/x.ts', "import { something } from '../ports/store/port.ts'"],
  ['services/x.ts', "import type { FastifyInstance } from 'fastify'"],
  ['services/x.ts', "import type { Db } from 'mongodb'"],
  ['clients/typescript/src/x.ts', "import { createHmac } from 'node:crypto'"],
  ['clients/typescript/src/x.ts', "import type { Blog } from '../../../schemas/blog.ts'"],
  ['services/x.ts', "import { isUnavailable } from '../lib/mongodb.ts'"],
  ['lib/x.ts', "import { MongoClient } from 'mongodb'"],
  ['services/x.ts', "type Opened = import('../ports/store/sqlite/index.ts').Opened"],
  ['services/x.ts', "const store = await import('../ports/store/sqlite/index.ts')"],
  ['services/x.ts', "export type { Opened } from '../ports/store/sqlite/index.ts'"],
  ['services/x.ts', "import { auth } from '../plugins/auth.ts'"],
  ['services/x.ts', "import type { Route } from '../routes/health/index.ts'"],
  ['workers/x.ts', "import { createServices } from '../services/index.ts'"],
  ['workers/x.ts', "import type { Store } from '../ports/store/port.ts'"],
  ['workers/x.ts', "import type { FastifyInstance } from 'fastify'"],
  ['workers/x.ts', "import { Worker } from 'bullmq'"],
  ['routes/x.ts', "import type { Store } from '../ports/store/port.ts'"],
  ['routes/x.ts', "import type { Services } from '../services/index.ts'"],
  ['routes/x.ts', "import auth from '../plugins/auth.ts'"],
  ['routes/x.ts', "import worker from '../workers/sweep.ts'"],
  ['routes/x.ts', "import { Redis } from 'ioredis'"],
  ['plugins/x.ts', "import route from '../routes/health/index.ts'"],
  ['plugins/x.ts', "import type { Command } from '../bin/svc/command.ts'"],
  ['plugins/x.ts', "import { MongoClient } from 'mongodb'"],
  ['examples/receivers/node/x.ts', "import { createServices } from '../../../services/index.ts'"]
]

const ALLOWED: [file: string, source: string][] = [
  ['schemas/x.ts', "import { Type } from '@sinclair/typebox'"],
  ['lib/x.ts', "import { LRUCache } from 'lru-cache'"],
  ['lib/mongodb.ts', "import { MongoClient } from 'mongodb'"],
  ['ports/files/gridfs/index.ts', "import { isUnavailable } from '../../../lib/mongodb.ts'"],
  ['ports/store/port.ts', "import type { Plan } from '../../schemas/account.ts'"],
  ['ports/store/mongodb/blogs.ts', "import { MongoClient } from 'mongodb'"],
  ['ports/store/mongodb/blogs.ts', "import { problem } from '../../../errors.ts'"],
  ['services/x.ts', "import type { Store } from '../ports/store/port.ts'"],
  ['services/x.ts', "import { Plan } from '../schemas/account.ts'"],
  ['workers/x.ts', "import type { Services } from '../services/index.ts'"],
  ['workers/x.ts', "import type { Queue } from '../ports/queue/port.ts'"],
  ['routes/x.ts', "import { escapeHtml } from '../lib/html.ts'"],
  ['plugins/x.ts', "import { openStore } from '../ports/store/open.ts'"],
  ['plugins/x.ts', "import fp from 'fastify-plugin'"]
]

t.test('every forbidden import is an error, also as a type', async (t) => {
  for (const [file, source] of FORBIDDEN) {
    t.equal((await forbidden(file, source)).length, 1, `${file}: ${source}`)
  }
})

t.test('allowed imports are no errors', async (t) => {
  for (const [file, source] of ALLOWED) t.strictSame(await forbidden(file, source), [], `${file}: ${source}`)
})
