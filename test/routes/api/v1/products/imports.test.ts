import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { listen } from '../../../../fixtures/http/listen.ts'
import { productFile } from '../../../../fixtures/products/files.ts'
import { eventually } from '../../../../fixtures/webhooks/receiver.ts'
import { client, startApp, temporaryFolder, type Client } from '../../../../helper.ts'
import type { Chunk, FileDocument } from '../../../../../ports/files/gridfs/blobs.ts'
import { BLOBS, FILES, UNREFERENCED_BLOBS } from '../../../../../ports/files/gridfs/database.ts'
import { openDatabase } from '../../../../../ports/store/mongodb/database.ts'
import { scaled, settingsFor } from '../../../../profile.ts'

const IMPORTS = '/api/v1/products/imports'
const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'
/** Rows of a file that takes a while, and rows of more than one batch. */
const ROWS = scaled ? 900 : 8000
const SOME = scaled ? 200 : 1000
const THREE =
  '{"externalId":"a","title":"A","price":9.90}\n{"externalId":"b","title":"B"}\n{"externalId":"c","title":"C"}\n'

/** Replaces image hosts by a forbidden address, so that no test requests foreign images. */
const withoutPictures = (text: string) => text.replaceAll(/https:\/\/[\w.-]+\//g, 'https://127.0.0.1/')

interface Given {
  type?: string
  query?: string
  headers?: Record<string, string>
}

/** Uploads a file unchanged. */
const upload = async (
  call: Client,
  file: string | Buffer,
  { type = NDJSON, query = 'projectId=shop', headers = {} }: Given = {}
) => await call('POST', `${IMPORTS}?${query}`, file, { 'content-type': type, ...headers })

/** Uploads a file, waits for the end of the import and returns it. */
async function imported(call: Client, file: string | Buffer, given: Given = {}) {
  const answer = await upload(call, file, given)
  if (answer.statusCode !== 202) throw new Error(answer.body)
  return await ended(call, String(answer.headers.location))
}

/** Waits for the end of the import. Follow-up jobs, such as image checks, may still run. */
async function ended(call: Client, where: string) {
  let record
  await eventually(async () => {
    record = (await call('GET', where)).json()
    return !['queued', 'running'].includes(record.status)
  }, 'the end of the import')
  return record as any
}

const externalIds = async (call: Client, query = '') =>
  (await call('GET', `/api/v1/products?pageSize=100${query}`))
    .json()
    .products.map((product: { externalId: string }) => product.externalId)

/** Incomplete uploads: all that were started, and those with stored bytes. */
interface HalfWritten {
  begun: string[]
  left: string[]
}

async function halfWrittenIn(t: Test, data: string): Promise<() => Promise<HalfWritten>> {
  const { MONGODB_URL } = await settingsFor(data)
  if (MONGODB_URL === undefined) {
    return async () => {
      const names = readdirSync(path.join(data, 'files', '+incoming'))
      return { begun: names, left: names }
    }
  }
  const database = await openDatabase(MONGODB_URL)
  t.teardown(() => database.close())
  return async () => {
    // Reads the chunks first, because an upload may complete during these reads.
    const chunks = await database
      .collection<Chunk>(`${BLOBS}.chunks`)
      .find({}, { projection: { files_id: 1 } })
      .toArray()
    const unreferenced = await database.collection(UNREFERENCED_BLOBS).find().toArray()
    const files = await database.collection<FileDocument>(FILES).find().toArray()
    // Replaced and deleted files stay for an hour, because they may be in use. An interrupted upload
    // leaves a record for a day, but no bytes.
    const referenced = new Set([
      ...files.map(({ blob }) => String(blob)),
      ...unreferenced.filter(({ uploading }) => uploading !== true).map(({ _id }) => String(_id))
    ])
    const left = new Set(chunks.map(({ files_id: blob }) => String(blob)))
    return {
      begun: unreferenced.filter(({ uploading }) => uploading === true).map(({ _id }) => String(_id)),
      left: [...left].filter((blob) => !referenced.has(blob))
    }
  }
}

/**
 * The app, its files of imports and incomplete uploads, and whether an upload was started.
 */
async function startOnFolder(t: Test) {
  const data = temporaryFolder(t)
  const app = await startApp(t, { DATA_DIR: data })
  const halfWritten = await halfWrittenIn(t, data)
  const storedFiles = async () => [
    ...(await app.files.list({ prefix: 'imports', afterKey: null, limit: 100 })).map(({ key }) => key),
    ...(await halfWritten()).left
  ]
  return { app, storedFiles, isBegun: async () => (await halfWritten()).begun.length > 0 }
}

t.test('a file is accepted at once and processed in the background', async (t) => {
  const { app, storedFiles } = await startOnFolder(t)
  const call = await client(app)
  const answer = await upload(call, THREE)
  t.equal(answer.statusCode, 202, answer.body)
  const { id, ...record } = answer.json()
  t.match(record, {
    projectId: 'shop',
    status: 'queued',
    total: 3,
    processed: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    repeated: 0,
    reason: null,
    startedAt: null,
    finishedAt: null,
    etaSeconds: null
  })
  t.same(record.file, {
    format: 'ndjson',
    bytes: THREE.length,
    encoding: 'utf-8',
    lineEnd: 'lf',
    delimiter: null,
    dialect: null,
    ignoredColumns: [],
    ignoredColumnCount: 0
  })
  t.equal(answer.headers.location, `${IMPORTS}/${id}`)
  const done = await ended(call, `${IMPORTS}/${id}`)
  t.match(done, { status: 'done', total: 3, processed: 3, created: 3, updated: 0, failed: 0, etaSeconds: null })
  t.ok(record.createdAt <= done.startedAt && done.startedAt <= done.finishedAt)
  t.same(await externalIds(call), ['a', 'b', 'c'])
  t.match((await call('GET', '/api/v1/products?externalId=a')).body, '"price":9.90,')
  t.match(
    await imported(call, THREE),
    { created: 0, updated: 3, unchanged: 3, failed: 0 },
    'importing the same file again changes nothing'
  )
  await eventually(
    async () => !(await storedFiles()).some((key) => key.endsWith('/upload')),
    'the upload is deleted after processing'
  )
})

t.test('NDJSON and CSV, gzipped or not, are recognized by headers or first bytes', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const csv = 'externalId,title,price\na,A,9.90\nb,B,\nc,C,\n'
  const ways: [string, string | Buffer, Given][] = [
    ['NDJSON', THREE, {}],
    ['NDJSON by its other names', THREE, { type: 'application/jsonl; charset=utf-8' }],
    ['CSV', csv, { type: CSV }],
    ['CSV with tabs', csv.replaceAll(',', '\t'), { type: 'text/tab-separated-values' }],
    ['packed, with the header', gzipSync(THREE), { headers: { 'content-encoding': 'gzip' } }],
    ['packed, without it', gzipSync(csv), { type: CSV }],
    ['packed in two parts', Buffer.concat([gzipSync(csv.slice(0, 30)), gzipSync(csv.slice(30))]), { type: CSV }],
    ['not packed, though the header says so', THREE, { headers: { 'content-encoding': 'gzip' } }]
  ]
  for (const [n, [what, file, given]] of ways.entries()) {
    const record = await imported(call, file, { ...given, query: `projectId=shop-${n}` })
    t.match(record, { status: 'done', total: 3, created: 3, failed: 0 }, what)
    t.equal(
      record.file.bytes,
      given.type === CSV || given.type === 'text/tab-separated-values' ? csv.length : THREE.length,
      `${what}: bytes are of the unpacked file`
    )
    t.match((await call('GET', `/api/v1/products?projectId=shop-${n}&externalId=a`)).body, '"price":9.90,', what)
  }
})

t.test('a gzipped file is recognized even if its first byte arrives alone', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const port = await listen(app)
  const file = gzipSync(THREE)
  const status = await new Promise<number>((resolve, reject) => {
    const request = http.request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `${IMPORTS}?projectId=shop`,
        headers: { 'x-api-key': call.key, 'content-type': NDJSON }
      },
      (response) => {
        response.resume()
        resolve(response.statusCode!)
      }
    )
    request.on('error', reject)
    request.write(file.subarray(0, 1))
    setTimeout(() => {
      request.end(file.subarray(1))
    }, 200)
  })
  t.equal(status, 202)
  await ended(call, `${IMPORTS}/${(await call('GET', IMPORTS)).json().imports[0].id}`)
  t.same(await externalIds(call), ['a', 'b', 'c'])
})

t.test('a file without products is rejected, and nothing of it is stored', async (t) => {
  const { app, storedFiles } = await startOnFolder(t)
  const call = await client(app)
  const packed = gzipSync(THREE)
  const broken = Buffer.from(packed)
  broken[packed.length - 6]! ^= 0xff
  const wrong: [string, string | Buffer, Given, number, string][] = [
    ['another type', THREE, { type: 'application/json' }, 415, 'unsupported_media_type'],
    ['a form', THREE, { type: 'multipart/form-data; boundary=x' }, 415, 'unsupported_media_type'],
    ['another packing', THREE, { headers: { 'content-encoding': 'br' } }, 415, 'unsupported_media_type'],
    ['an empty file', '', {}, 400, 'malformed_import'],
    ['blanks alone', ' \n\n', {}, 400, 'malformed_import'],
    ['an empty packed file', gzipSync(''), {}, 400, 'malformed_import'],
    ['a header alone', 'externalId,title\n', { type: CSV }, 400, 'malformed_import'],
    ['gzip that is cut off', packed.subarray(0, packed.length - 10), {}, 400, 'malformed_import'],
    ['gzip with a wrong sum', broken, {}, 400, 'malformed_import'],
    [
      'gzip that is none',
      Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('no gzip at all')]),
      {},
      400,
      'malformed_import'
    ],
    ['one JSON array', `[${THREE.trim().replaceAll('\n', ',')}]`, {}, 400, 'malformed_import'],
    ['CSV that is called NDJSON', 'externalId,title\na,A\n', {}, 400, 'malformed_import'],
    ['columns that nobody knows', 'Nummer,Name\n1,A\n', { type: CSV }, 400, 'unknown_columns'],
    [
      'a map of a column that is not there',
      'Nummer,Name\n1,A\n',
      { type: CSV, query: 'projectId=shop&map=Artikel:externalId&map=Name:title' },
      400,
      'unknown_columns'
    ],
    [
      'a map of a field that is not there',
      'Nummer,Name\n1,A\n',
      { type: CSV, query: 'projectId=shop&map=Nummer:externalId&map=Name:title&map=Name2:color' },
      400,
      'unknown_columns'
    ],
    [
      'a column that is mapped twice',
      'Nummer,Name\n1,A\n',
      { type: CSV, query: 'projectId=shop&map=Nummer:externalId&map=Nummer:title' },
      400,
      'invalid_request'
    ],
    ['a map for NDJSON', THREE, { query: 'projectId=shop&map=a:externalId' }, 400, 'unknown_columns'],
    ['no project', THREE, { query: '' }, 400, 'invalid_request'],
    ['an unknown parameter', THREE, { query: 'projectId=shop&color=red' }, 400, 'invalid_request']
  ]
  for (const [what, file, given, status, code] of wrong) {
    const answer = await upload(call, file, given)
    t.match(answer.json(), { status, code }, `${what}: ${answer.body}`)
  }
  const unknown = (await upload(call, 'Nummer,Name\n1,A\n', { type: CSV })).json()
  t.match(unknown.detail, /Nummer.*Name|externalId/, 'the error names the known columns or the missing fields')
  t.same((await call('GET', IMPORTS)).json().imports, [])
  await eventually(async () => (await storedFiles()).length === 0, 'no file is stored')
  t.same(await app.store.projects.list('acme'), [], 'no project is created either')
})

t.test('a caller can map columns to fields', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const file = 'Artikel:Nr;Bezeichnung;Farbe;Preis;Lager\n1;Anker;blau;9.90;7\n2;Boje;rot;0.50;1\n'
  const record = await imported(call, file, {
    type: CSV,
    query: 'projectId=shop&map=Artikel:Nr:externalId&map=Bezeichnung:title&map=Farbe:attributes.Farbe&map=Preis:price'
  })
  t.match(record, {
    status: 'done',
    created: 2,
    failed: 0,
    file: { dialect: 'mapped', delimiter: ';', ignoredColumns: ['Lager'] }
  })
  t.match((await call('GET', '/api/v1/products?externalId=1')).json().products, [
    { title: 'Anker', attributes: { Farbe: 'blau' }, price: 9.9 }
  ])
})

t.test('failed rows can be downloaded, fixed and imported again', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const csv =
    'externalId,title,price,gtin\nok,Fine,1,\na,Anchor,"1.299,00",\nb,,5.10,\n,Cleat,6.0,\nd,Rope,7,12A\ne,Buoy,8\n'
  const first = await imported(call, csv, { type: CSV })
  t.match(first, { status: 'done', processed: 6, created: 1, failed: 5 })
  const rows = await call('GET', `${IMPORTS}/${first.id}/errors`)
  t.equal(rows.headers['content-type'], 'text/csv; charset=utf-8')
  t.match(rows.headers['content-disposition'], `attachment; filename="failed-rows-${first.id}.csv"`)
  t.equal(rows.headers['cache-control'], 'no-store')
  t.equal(rows.body.split('\n')[0], 'import_error,externalId,title,price,gtin')
  t.match(
    await imported(call, rows.body, { type: CSV }),
    { created: 0, updated: 0, failed: 5 },
    'unchanged rows fail again'
  )
  const fixed = rows.body
    .replace('"1.299,00"', '1299.00')
    .replace(',b,,', ',b,Bow,')
    .replace(',,Cleat', ',c,Cleat')
    .replace('12A', '40063813')
    .replace('Buoy,8', 'Buoy,8,')
  t.match(await imported(call, fixed, { type: CSV }), { status: 'done', created: 5, failed: 0 })
  t.same(await externalIds(call), ['a', 'b', 'c', 'd', 'e', 'ok'])
  t.match((await call('GET', '/api/v1/products?externalId=a')).body, '"price":1299.00,')

  const lines =
    '{"externalId":"f","title":"F","price":1.10}\n{"externalId":"g","title":"G","price":"2.20"}\n' +
    '{"externalId":"h","title":\n'
  const second = await imported(call, lines)
  t.match(second, { created: 1, failed: 2 })
  const failed = await call('GET', `${IMPORTS}/${second.id}/errors`)
  t.equal(failed.headers['content-type'], 'application/x-ndjson')
  t.match(
    failed.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { externalId: 'g', _error: { line: 2, errors: [{ pointer: '/price', code: 'type' }] } },
      { _raw: '{"externalId":"h","title":', _error: { line: 3 } }
    ]
  )
  const again = failed.body.replace('"2.20"', '2.20').split('\n')
  again[1] = '{"externalId":"h","title":"H"}'
  t.match(await imported(call, again.join('\n')), { created: 2, failed: 0 })
  t.match((await call('GET', '/api/v1/products?externalId=g')).body, '"price":2.20,')
})

t.test('inherited cells are filled in to a limit, beyond which rows are stored as they were', async (t) => {
  const call = await client(await startApp(t))
  const body = 'b'.repeat(200_000)
  const variants = Array.from({ length: 60 }, (_, i) => `mug,,,M-${i}\n`).join('')
  const file = `Handle,Title,Body (HTML),Variant SKU\nmug,Mug,${body},M\n${variants}`
  const record = await imported(call, file, { type: CSV })
  t.match(record, { created: 0, failed: 61 })
  const failed = (await call('GET', `${IMPORTS}/${record.id}/errors`)).body
  t.ok(failed.length > 1_000_000 && failed.length < 2_000_000, `${failed.length} characters`)
  const fixed = failed.replaceAll(body, 'A short description').replace(/^"[^"]*",/gm, ',')
  t.match(await imported(call, fixed, { type: CSV }), { created: 61, failed: 0 })
  for (const sku of ['M', 'M-0', 'M-59']) {
    const [product] = (await call('GET', `/api/v1/products?externalId=${sku}`)).json().products
    t.match(product, { title: 'Mug', description: 'A short description', groupId: 'mug' }, sku)
  }
})

t.test('the report has the line and the errors of each failed row', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { text, broken, good } = productFile('csv', scaled ? 300 : 1300)
  const record = await imported(call, withoutPictures(text), { type: CSV })
  t.match(record, { created: good, failed: broken.length })
  const report = await call('GET', `${IMPORTS}/${record.id}/errors?as=report`)
  t.equal(report.headers['content-type'], 'application/x-ndjson')
  const reported = report.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.same(
    reported.map(({ line }) => line),
    broken.map(({ line }) => line)
  )
  t.ok(reported.every(({ errors }, i) => errors.some(({ code }: { code: string }) => code === broken[i]!.code)))
  t.same(Object.keys(reported[0]), ['line', 'externalId', 'errors'])
  t.equal((await call('GET', `${IMPORTS}/${record.id}/errors?as=poem`)).statusCode, 400)
  const clean = await imported(call, THREE)
  t.equal(
    (await call('GET', `${IMPORTS}/${clean.id}/errors?as=report`)).body,
    '',
    'without failed rows the file is empty'
  )
})

t.test('a running import reports progress and remaining time; a canceled one keeps its changes', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const text = withoutPictures(productFile('ndjson', ROWS).text)
  const read = async (where: string) => (await call('GET', where)).json()
  const places = [
    await upload(call, text),
    await upload(call, text, { query: 'projectId=other' }),
    await upload(call, text, { query: 'projectId=third' })
  ].map((answer) => String(answer.headers.location))
  const [first = '', second = '', third = ''] = places
  const stopped = await call('POST', `${third}/cancel`)
  t.equal(stopped.statusCode, 200, 'a third import waits, because two are running')
  const seen: { processed: number; created: number; failed: number; etaSeconds: number | null }[] = []
  await eventually(async () => {
    const record = await read(first)
    if (record.status === 'running') seen.push(record)
    return record.processed > SOME
  }, 'progress')
  t.equal((await call('POST', `${first}/cancel`)).statusCode, 200)
  t.equal((await call('POST', `${first}/cancel`)).statusCode, 200, 'canceling again is harmless')
  await eventually(async () => (await read(first)).status === 'cancelled', 'the end of the first')
  await eventually(async () => (await read(second)).status === 'done', 'the end of the second')
  await eventually(async () => (await read(third)).status === 'cancelled', 'the end of the third')
  const [one, two, three] = [await read(first), await read(second), await read(third)]
  t.ok(
    seen.every(
      ({ processed, created, failed }, i) =>
        processed === created + failed && processed >= (seen[i - 1]?.processed ?? 0)
    ),
    'counts increase and add up'
  )
  t.ok(seen.some(({ etaSeconds }) => Number.isInteger(etaSeconds) && etaSeconds! > 0))
  t.ok(one.processed > SOME && one.processed < ROWS, `${one.processed} were processed`)
  t.equal(
    (await call('GET', '/api/v1/products?projectId=shop&pageSize=1')).json().totalCount,
    one.created,
    'written products stay'
  )
  t.equal(one.total, ROWS)
  t.match(two, { processed: ROWS, total: ROWS, etaSeconds: null })
  t.match(three, { processed: 0, created: 0, etaSeconds: null })
  t.match((await call('POST', `${second}/cancel`)).json(), { status: 409, code: 'import_finished' })
  t.equal((await call('POST', `${third}/cancel`)).statusCode, 200, 'a canceled import stays canceled')
})

t.test('imports are listed newest first, by project and page', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const made: string[] = []
  for (let n = 0; n < 5; n++) {
    made.unshift((await imported(call, THREE, { query: `projectId=${n % 2 === 0 ? 'even' : 'odd'}` })).id)
  }
  const ids = async (query: string) =>
    (await call('GET', `${IMPORTS}?${query}`)).json().imports.map(({ id }: { id: string }) => id)
  t.same(await ids(''), made)
  const page = await call('GET', `${IMPORTS}?page=2&pageSize=2`)
  t.match(page.json(), { totalCount: 5, page: 2, totalPages: 3 })
  t.match(page.headers.link, /rel="next"/)
  t.same(await ids('page=2&pageSize=2'), made.slice(2, 4))
  t.same(await ids('projectId=odd'), [made[1], made[3]])
  t.match((await call('GET', `${IMPORTS}?page=9`)).json(), { imports: [], totalCount: 5 })
  for (const query of ['page=0', 'pageSize=101', 'color=red']) {
    t.equal((await call('GET', `${IMPORTS}?${query}`)).statusCode, 400, query)
  }
  t.same((await call('GET', `${IMPORTS}/${made[0]}`)).json(), (await call('GET', IMPORTS)).json().imports[0])
})

t.test('imports of other accounts are not found, and imports require scope and project access', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await imported(call, THREE)
  const unknown = '019a0000-0000-7000-8000-000000000000'
  const callers = {
    'a stranger': await client(app, 'stranger'),
    'a confined key': await client(app, 'acme', { projectIds: ['other'] })
  }
  for (const [who, caller] of Object.entries(callers)) {
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/errors'],
      ['GET', '/errors?as=report'],
      ['POST', '/cancel']
    ] as const) {
      const [theirs, none] = [
        await caller(method, `${IMPORTS}/${id}${rest}`),
        await caller(method, `${IMPORTS}/${unknown}${rest}`)
      ]
      t.match(theirs.json(), { status: 404, code: 'import_not_found' }, `${who} ${rest}`)
      t.equal(theirs.json().title, none.json().title, 'like an unknown one')
    }
    t.match((await caller('GET', IMPORTS)).json(), { imports: [], totalCount: 0 }, who)
  }
  t.match((await upload(callers['a confined key'], THREE)).json(), { status: 403, code: 'project_not_allowed' })
  t.match((await callers['a confined key']('GET', `${IMPORTS}?projectId=shop`)).json(), {
    status: 403,
    code: 'project_not_allowed'
  })
  t.equal((await upload(callers['a confined key'], THREE, { query: 'projectId=other' })).statusCode, 202)
  const reader = await client(app, 'acme', { scopes: ['products:read'] })
  t.match((await upload(reader, THREE)).json(), { status: 403, code: 'scope_missing' })
  t.equal((await call('GET', `${IMPORTS}/no-id`)).statusCode, 400)
  await app.services.accounts.update('acme', { knownProjectsOnly: true })
  t.match((await upload(call, THREE, { query: 'projectId=unheard-of' })).json(), {
    status: 404,
    code: 'project_not_found'
  })
})

t.test('a row of another project fails; a row that names the same project succeeds', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const record = await imported(
    call,
    '{"projectId":"shop","externalId":"a","title":"A"}\n{"projectId":"other","externalId":"b","title":"B"}\n'
  )
  t.match(record, { created: 1, failed: 1 })
  t.match((await call('GET', `${IMPORTS}/${record.id}/errors?as=report`)).json(), {
    line: 2,
    externalId: 'b',
    errors: [{ pointer: '/projectId', code: 'other_project' }]
  })
})

/** Sends the beginning of an upload, then closes the connection. */
async function breakOff(
  port: number,
  { key, file, headers = {} }: { key: string; file: Buffer; headers?: Record<string, string> }
): Promise<void> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `${IMPORTS}?projectId=shop`,
    headers: { 'x-api-key': key, 'content-type': NDJSON, 'content-length': file.length, ...headers }
  })
  request.on('error', () => {})
  await new Promise<void>((resolve) => {
    request.write(file.subarray(0, Math.floor(file.length / 2)), () => {
      resolve()
    })
  })
  // Long enough for a part of the file to arrive.
  await new Promise((resolve) => {
    setTimeout(resolve, 300)
  })
  request.destroy()
}

t.test('an interrupted upload leaves nothing, and can be repeated with the same Idempotency-Key', async (t) => {
  const { app, storedFiles } = await startOnFolder(t)
  const call = await client(app)
  const port = await listen(app)
  const text = withoutPictures(productFile('ndjson', 3000).text)
  const headers = { 'idempotency-key': 'upload-of-the-21st-november' }
  for (const file of [Buffer.from(text), gzipSync(text)]) {
    await breakOff(port, { key: call.key, file })
    await breakOff(port, { key: call.key, file, headers })
    await eventually(async () => (await storedFiles()).length === 0, 'no file is left')
    t.same((await call('GET', IMPORTS)).json().imports, [])
    t.same(await app.store.projects.list('acme'), [])
  }
  const file = gzipSync(text)
  const send = async () =>
    await fetch(`http://127.0.0.1:${port}${IMPORTS}?projectId=shop`, {
      method: 'POST',
      headers: { 'x-api-key': call.key, 'content-type': NDJSON, ...headers },
      body: file
    })
  await eventually(async () => (await send()).status === 202, 'the upload that is whole', 20_000)
  t.equal((await call('GET', IMPORTS)).json().totalCount, 1)
})

t.test('a file whose project was disallowed during the upload is rejected and not stored', async (t) => {
  const { app, storedFiles, isBegun } = await startOnFolder(t)
  const call = await client(app)
  const port = await listen(app)
  const status = await new Promise<number>((resolve, reject) => {
    const request = http.request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `${IMPORTS}?projectId=shop`,
        headers: { 'x-api-key': call.key, 'content-type': NDJSON }
      },
      (response) => {
        response.resume()
        resolve(response.statusCode!)
      }
    )
    request.on('error', reject)
    request.write(THREE.slice(0, 60))
    eventually(isBegun, 'the start of the upload')
      .then(async () => {
        await app.services.accounts.update('acme', { knownProjectsOnly: true })
        request.end(THREE.slice(60))
      })
      .catch(reject)
  })
  t.equal(status, 404)
  await eventually(async () => (await storedFiles()).length === 0, 'no file is stored')
  t.same((await call('GET', IMPORTS)).json().imports, [])
})

t.test('an upload with an Idempotency-Key is executed once', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const headers = { 'idempotency-key': 'upload-number-0001' }
  const first = await upload(call, THREE, { headers })
  const second = await upload(call, THREE, { headers })
  t.equal(first.statusCode, 202)
  t.equal(second.statusCode, 202)
  t.equal(second.headers['idempotent-replayed'], 'true')
  t.equal(second.json().id, first.json().id)
  t.equal(second.headers.location, first.headers.location)
  t.match((await upload(call, THREE, { headers, query: 'projectId=other' })).json(), {
    status: 422,
    code: 'idempotency_key_reused'
  })
  t.equal((await call('GET', IMPORTS)).json().totalCount, 1)
})

t.test('a long file rejected by its first lines gets a response and does not delay shutdown', async (t) => {
  const { app, storedFiles } = await startOnFolder(t)
  const call = await client(app)
  const port = await listen(app)
  const file = Buffer.from(
    `Nummer,Name\n${Array.from({ length: 300_000 }, () => `1,${Math.random().toString(36).repeat(4)}\n`).join('')}`
  )
  for (const body of [file, gzipSync(file, { level: 1 })]) {
    const answer = await fetch(`http://127.0.0.1:${port}${IMPORTS}?projectId=shop`, {
      method: 'POST',
      headers: { 'x-api-key': call.key, 'content-type': CSV },
      body
    })
    t.match(await answer.json(), { status: 400, code: 'unknown_columns' })
  }
  await eventually(async () => (await storedFiles()).length === 0, 'no file is stored')
  await app.close()
  t.pass('it ends')
})

t.test('an import into a deleted project fails with a reason if the account allows known projects only', async (t) => {
  const { app, storedFiles } = await startOnFolder(t)
  const call = await client(app)
  await app.services.projects.create('acme', { id: 'shop' })
  await app.services.accounts.update('acme', { knownProjectsOnly: true })
  const { location } = (await upload(call, productFile('ndjson', ROWS).text)).headers
  await app.store.projects.delete('acme', 'shop')
  t.match(await ended(call, String(location)), { status: 'failed', reason: /project/ })
  await eventually(async () => !(await storedFiles()).some((name) => name.includes('upload')), 'the upload is deleted')
})

t.test('the error about unknown columns has a value for the parameter map', async (t) => {
  const call = await client(await startApp(t))
  const send = async (query: string) =>
    await call('POST', `/api/v1/products/imports?projectId=shop${query}`, 'Nummer,Bezeichnung\n1,Chair\n', {
      'content-type': 'text/csv'
    })
  const [hint] = (await send('')).json().errors
  t.equal(hint.pointer, '/externalId')
  const map = /such as (\S+)$/.exec(hint.message)?.[1]
  t.equal(map, 'Nummer:externalId')
  t.equal((await send(`&map=${map}&map=Bezeichnung:title`)).statusCode, 202)
})

t.test('damaged files of clients that disconnect end nothing', async (t) => {
  const app = await startApp(t)
  const port = await listen(app)
  const { key } = await client(app)
  const damaged = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(800_000, 7)])
  const statuses = new Set<string>()
  /** Sends a file in two parts, the second one after the response or some milliseconds, and resets the connection. */
  const send = async (index: number) => {
    const socket = net.connect({ host: '127.0.0.1', port }).on('error', () => {})
    const closed = once(socket, 'close')
    socket.on('data', (bytes) => {
      statuses.add(String(bytes).slice(9, 12))
      socket.resetAndDestroy()
    })
    socket.write(
      `POST ${IMPORTS}?projectId=shop HTTP/1.1\r\nHost: test\r\nX-API-Key: ${key}\r\nContent-Type: ${CSV}\r\n` +
        (index % 2 === 0 ? `Idempotency-Key: key-${index}-0123456789\r\n` : '') +
        `Content-Length: ${damaged.length}\r\n\r\n`
    )
    socket.write(damaged.subarray(0, damaged.length / 2))
    await wait(index % 7)
    if (!socket.destroyed) socket.write(damaged.subarray(damaged.length / 2))
    await closed
  }
  for (let round = 0; round < 6; round++) {
    await Promise.all(Array.from({ length: 16 }, async (_, index) => await send(16 * round + index)))
  }
  t.ok(statuses.has('400'), [...statuses].join())
  t.ok(statuses.isSubsetOf(new Set(['400', '503'])), [...statuses].join())
  t.equal((await app.inject('/health/live')).statusCode, 200)
})
