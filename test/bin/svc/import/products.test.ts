import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createStallDetector, explainWaiting } from '../../../../bin/svc/import/products.ts'
import { temporaryFolder } from '../../../helper.ts'
import { scaled } from '../../../profile.ts'
import { createSvc, serve, startServer, startSvc } from '../../../processes.ts'

const CSV = 'externalId,title,price\nok,Fine,9.90\na,Anchor,"1.299,00"\nb,,5.10\nc,Cleat,6.00,7\n'
const json = (text: string) => JSON.parse(text)

/** The products of the account as the API returns them. */
async function fetchProducts(url: string, key: string): Promise<string> {
  return await (await fetch(`${url}/api/v1/products?pageSize=100`, { headers: { 'x-api-key': key } })).text()
}

// With workers in other processes, a command runs no jobs itself.
for (const running of scaled ? [true] : [false, true]) {
  t.test(
    `reports failed rows by line; the saved rows can be fixed and imported, ${running ? 'with' : 'without'} a server`,
    async (t) => {
      const data = temporaryFolder(t)
      const svc = createSvc(data)
      const file = path.join(data, 'products.csv')
      const failed = path.join(data, 'failed.csv')
      writeFileSync(file, CSV)
      const server = running ? await serve(t, data) : null
      const first = await svc('import', 'products', file, '--account', 'acme', '--project', 'shop', '--failed', failed)
      t.equal(first.code, 1, first.err)
      t.match(
        first.out,
        `4 rows: 1 created, 0 updated, 0 unchanged, 3 failed. The failed rows were saved to ${failed}.`
      )
      t.match(first.err, /4 rows, CSV, field names as columns, delimiter ",", UTF-8, LF line endings\n/)
      t.match(first.err, /✗ line 3 \(a\) \/price must be a plain decimal number: write 1299\.00/)
      t.match(first.err, /✗ line 4 \(b\) \/title /)
      t.match(first.err, /✗ line 5 \(c\) the row has 4 cells, but the header has 3: check its delimiters and quotes/)
      t.notMatch(first.err, /line 2|\n +at /)

      const rows = readFileSync(failed, 'utf8')
      t.equal(rows.split('\n').length, 5)
      writeFileSync(failed, rows.replace('"1.299,00"', '1299.00').replace(',b,,', ',b,Bow,').replace('6.00,7', '6.00'))
      const second = await svc('import', 'products', failed, '--account', 'acme', '--project', 'shop')
      t.equal(second.code, 0, second.err)
      t.equal(second.out, '3 rows: 3 created, 0 updated, 0 unchanged, 0 failed.\n')

      const { code, out, err } = await svc(
        'import',
        'products',
        file,
        '--account',
        'acme',
        '--project',
        'shop',
        '--json'
      )
      t.equal(code, 1)
      t.match(json(out), {
        status: 'done',
        projectId: 'shop',
        processed: 4,
        created: 0,
        updated: 1,
        unchanged: 1,
        failed: 3,
        errors: [
          { line: 3, externalId: 'a', errors: [{ pointer: '/price', code: 'locale_price' }] },
          { line: 4 },
          { line: 5 }
        ]
      })
      t.notMatch(err, /✗/, 'errors in the JSON are not repeated')

      const key = (await svc('keys', 'create', '--name', 'Reader', '--account', 'acme')).out.trim()
      const { url } = server ?? (await serve(t, data))
      const products = await fetchProducts(url, key)
      t.match(
        json(products).products.map(({ externalId }: { externalId: string }) => externalId),
        ['a', 'b', 'c', 'ok']
      )
      for (const price of ['1299.00', '5.10', '6.00', '9.90']) t.match(products, `"price":${price},`)
    }
  )
}

t.test('imports NDJSON, gzipped files, and files with other columns', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  if (scaled) await serve(t, data)
  const write = (name: string, bytes: string | Buffer) => {
    writeFileSync(path.join(data, name), bytes)
    return path.join(data, name)
  }
  const lines = '{"externalId":"a","title":"A","price":9.90}\n{"externalId":"b","title":"B"}\n'
  t.match(await svc('import', 'products', write('products.ndjson', lines)), {
    code: 0,
    out: '2 rows: 2 created, 0 updated, 0 unchanged, 0 failed.\n'
  })
  t.match(await svc('import', 'products', write('PRODUCTS.JSONL.GZ', gzipSync(lines))), {
    code: 0,
    out: '2 rows: 0 created, 0 updated, 2 unchanged, 0 failed.\n'
  })
  t.match(
    await svc(
      'import',
      'products',
      write('packed.csv.gz', gzipSync('externalId,title\nb,B\nc,C\n')),
      '--project',
      'default'
    ),
    { code: 0, out: '2 rows: 1 created, 0 updated, 1 unchanged, 0 failed.\n' }
  )
  t.match(
    await svc(
      'import',
      'products',
      write('own.tsv', 'Nummer\tName\td\n1\tAnker\tx\n'),
      '--map',
      'Nummer:externalId,Name:title',
      '--json'
    ),
    { code: 0, out: /"ignoredColumns":\["d"\]/ }
  )
})

t.test('proposes the option that assigns columns with other names', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  if (scaled) await serve(t, data)
  const file = path.join(data, 'other.csv')
  const write = (header: string) => {
    writeFileSync(file, `${header}\nMug,1,x,y\n`)
  }
  const proposed = async (...args: string[]) => {
    const { code, out, err } = await svc('import', 'products', file, ...args)
    t.match({ code, out }, { code: 1, out: '' })
    t.notMatch(err, 'query parameter')
    return /^Unknown CSV columns: .*\nOr add this option: (.*)\n$/.exec(err)?.[1] ?? err
  }
  write('Title,Cost,Notes,SKU')
  t.equal(await proposed(), '--map SKU:externalId')
  t.equal(await proposed('--map', 'Cost:price'), '--map Cost:price,SKU:externalId')
  write('Product Name,Cost,Notes,Product ID')
  t.equal(await proposed(), '--map "Product ID:externalId,Product Name:title"')
  write('Name,Cost,Notes,"ID, $"')
  t.equal(await proposed(), '--map COLUMN:externalId,Name:title', 'a comma separates columns')
  write('"The ""name""",Cost,Notes,ID')
  t.equal(await proposed(), `--map 'ID:externalId,The "name":title'`)
  write('Title,Cost,Notes,SKU')
  const asJson = json((await svc('import', 'products', file, '--json')).out)
  t.match(asJson, { error: { code: 'unknown_columns', suggestedMap: ['SKU:externalId'] } })
  const imported = await svc('import', 'products', file, '--map', 'SKU:externalId')
  t.equal(imported.code, 0, imported.err)
  t.match(imported.err, '; ignored columns: Cost, Notes (--map COLUMN:FIELD imports them)\n')
})

t.test('reports usage errors and unreadable files', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  if (scaled) await serve(t, data)
  const write = (name: string, text: string) => {
    writeFileSync(path.join(data, name), text)
    return path.join(data, name)
  }
  const assertError = async (code: number, sentence: RegExp, ...args: string[]) => {
    const ended = await svc('import', 'products', ...args)
    t.equal(ended.code, code, `${args.join(' ')}: ${ended.err}`)
    t.match(ended.err, sentence)
    t.equal(ended.out, '')
    t.notMatch(ended.err, /\n +at /)
  }
  await assertError(2, /must be a \.csv, \.tsv, \.ndjson or \.jsonl file/, write('products.xlsx', CSV))
  await assertError(2, /must be a \.csv/, write('products.gz', CSV))
  await assertError(2, /is not a file/, path.join(data, 'nowhere.csv'))
  await assertError(2, /is not a file/, data)
  await assertError(2, /^FILE is required\.\nUsage: svc import products FILE \[options\]\n/)
  await assertError(2, /^Unexpected argument "b\.csv"\.\nUsage: /, 'a.csv', 'b.csv')
  await assertError(2, /color/, write('products.csv', CSV), '--color', 'red')
  await assertError(1, /Nummer, Name/, write('unknown.csv', 'Nummer,Name\n1,A\n'))
  await assertError(1, /The file is empty/, write('empty.csv', ''))
  await assertError(1, /projectId/, write('products.csv', CSV), '--project', 'no project')
  const failed = path.join(data, 'failed.csv')
  await svc('import', 'products', write('fine.csv', 'externalId,title\na,A\n'), '--failed', failed)
  t.notOk(existsSync(failed), 'no file is written if no row failed')
  for (const where of [path.join(data, 'no-folder', 'failed.csv'), data]) {
    await assertError(2, /Cannot write to .* for --failed/, write('products.csv', CSV), '--failed', where)
  }
  await assertError(
    2,
    /Choose another file/,
    write('products.csv', CSV),
    '--failed',
    path.join(data, '.', 'products.csv')
  )
  t.equal(readFileSync(path.join(data, 'products.csv'), 'utf8'), CSV)
})

t.test('prints the first failed rows, counts the rest, and saves all of them', async (t) => {
  const data = temporaryFolder(t)
  const file = path.join(data, 'products.csv')
  const failed = path.join(data, 'failed.csv')
  if (scaled) await serve(t, data)
  writeFileSync(file, `externalId,title\n${'x,\n'.repeat(75)}`)
  const { code, err } = await createSvc(data)('import', 'products', file, '--failed', failed)
  t.equal(code, 1)
  t.equal(err.match(/✗ line/g)?.length, 50)
  t.match(err, '… and 25 more')
  t.equal(readFileSync(failed, 'utf8').trimEnd().split('\n').length, 76)
})

t.test('says why an import failed', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  if (scaled) await serve(t, data)
  const file = path.join(data, 'products.csv')
  writeFileSync(file, 'externalId,title\na,A\n')
  t.equal((await svc('keys', 'create', '--name', 'Any')).code, 0, 'the account exists')
  t.equal((await svc('account', 'set-limits', 'demo', '--products', '0')).code, 0)
  const { code, out } = await svc('import', 'products', file)
  t.equal(code, 1)
  t.match(out, /^0 rows: .*, 0 failed\. The import failed\. The account may store 0 products .*[^.]\.\n$/)
})

if (scaled) {
  t.test('reports a missing worker, keeps waiting, and finishes when a worker is started', async (t) => {
    const data = temporaryFolder(t)
    const file = path.join(data, 'products.csv')
    writeFileSync(file, 'externalId,title\na,A\n')
    const importing = await startSvc(t, data, ['import', 'products', file])
    await importing.waitForOutput(/^waiting: no worker has started the import; start one with ROLE=worker npm start$/m)
    t.equal(importing.out(), '')
    await startServer(t, data, { ROLE: 'worker', PUBLIC_URL: 'https://content.example' })
    t.equal(await importing.ended, 0, importing.err())
    t.equal(importing.out(), '1 row: 1 created, 0 updated, 0 unchanged, 0 failed.\n')
    t.equal(importing.err().match(/^waiting:/gm)?.length, 1, 'reported once')
  })
}

t.test('an import is reported as stalled after 5 seconds without progress, and then every minute', async (t) => {
  let now = 0
  const isStalled = createStallDetector(() => now)
  const said: number[] = []
  for (; now <= 200_000; now += 500) {
    if (isStalled({ status: now < 2000 ? 'queued' : 'running', processed: now < 100_000 ? 0 : 500 })) said.push(now)
  }
  t.strictSame(said, [7000, 67_000, 105_000, 165_000])
})

t.test('the reason for waiting follows from the state of the queue', async (t) => {
  const none = { waiting: 0, due: 0, running: 0 }
  for (const [status, queue, sentence] of [
    ['queued', null, /the queue does not respond/],
    [
      'queued',
      { ...none, waiting: 1, due: 1 },
      /no worker has started the import; start one with ROLE=worker npm start$/
    ],
    ['queued', { waiting: 3, due: 3, running: 2 }, /busy with other imports \(2 running, 3 due\)/],
    ['queued', { ...none, waiting: 1 }, /an attempt failed and will be retried/],
    ['queued', none, /the import is not in the queue; a worker adds it within a minute/],
    ['running', { ...none, running: 1 }, /makes no progress/],
    ['running', { ...none, waiting: 1, due: 1 }, /no worker has resumed the import/]
  ] as const) {
    t.match(explainWaiting({ status }, queue), sentence)
  }
})
