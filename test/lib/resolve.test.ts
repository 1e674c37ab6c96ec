import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createResolver } from '../../lib/address-policy/resolve.ts'
import { temporaryFolder } from '../helper.ts'

const [A, AAAA] = [1, 28]
type Addresses = Record<string, { [A]?: number[][] | null; [AAAA]?: number[][] | null }>

/** A name server. It responds with NXDOMAIN to unknown names, and not at all where the value is null. */
async function startNameServer(t: Test, addresses: Addresses): Promise<{ server: string; queries: string[] }> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (; query[at]! > 0; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    const name = labels.join('.')
    const type = query.readUInt16BE(at + 1) as 1 | 28
    queries.push(`${name} ${type}`)
    const known = addresses[name]
    const found = known?.[type]
    if (found === null) return
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(found?.length ?? 0, 6)
    head.writeUInt32BE(0, 8)
    const records = (found ?? []).map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 9, 0, bytes.length, ...bytes])
    )
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, queries }
}

const PUBLIC = { isAllowListed: false }
const IPV6 = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]

t.test('names with a silent name server do not delay others', async (t) => {
  const silent = Array.from({ length: 100 }, (_, index) => `silent${index}.example`)
  const { server } = await startNameServer(t, {
    'shop.example': { [A]: [[192, 0, 2, 1]] },
    ...Object.fromEntries(silent.map((name) => [name, { [A]: null, [AAAA]: null }]))
  })
  const resolve = createResolver({ servers: [server], hostsFile: '/none' })
  let ended = 0
  const waiting = silent.map((name) =>
    resolve(name, PUBLIC).catch((error: Error) => {
      ended += 1
      return error
    })
  )
  for (let time = 0; time < 10; time++) {
    t.same(await resolve('shop.example', PUBLIC), [{ address: '192.0.2.1', family: 4 }])
  }
  t.equal(ended, 0, 'all others still wait')
  const codes = new Set((await Promise.all(waiting)).map((error) => (error as NodeJS.ErrnoException).code))
  t.same([...codes], ['ETIMEOUT'], 'they end by themselves')
})

t.test('the addresses of both families are returned in turn', async (t) => {
  const two = [
    [192, 0, 2, 1],
    [192, 0, 2, 2]
  ]
  const { server } = await startNameServer(t, {
    'both.example': { [A]: two, [AAAA]: [IPV6] },
    'six.example': { [AAAA]: [IPV6] },
    'half.example': { [A]: two, [AAAA]: null },
    'empty.example': {}
  })
  const resolve = createResolver({ servers: [server], hostsFile: '/none' })
  const addressesOf = async (name: string) => (await resolve(name, PUBLIC)).map(({ address }) => address)
  t.same((await addressesOf('both.example')).toSorted(), ['192.0.2.1', '192.0.2.2', '2001:db8::7'])
  t.equal((await addressesOf('both.example'))[1], '2001:db8::7')
  t.same(await resolve('six.example', PUBLIC), [{ address: '2001:db8::7', family: 6 }])
  t.same((await addressesOf('half.example')).length, 2, 'a family that is not answered is left out')
  await t.rejects(resolve('empty.example', PUBLIC), { code: 'ENODATA' })
  await t.rejects(resolve('unknown.example', PUBLIC), { code: 'ENOTFOUND' })
})

t.test('the hosts file precedes name servers', async (t) => {
  const { server, queries } = await startNameServer(t, {})
  const hostsFile = path.join(temporaryFolder(t), 'hosts')
  writeFileSync(
    hostsFile,
    '# names\n192.0.2.9\tShop.example  www.example # comment other.example\n\n2001:db8::9 shop.example\nx y\n'
  )
  const resolve = createResolver({ servers: [server], hostsFile })
  t.same(await resolve('shop.example', PUBLIC), [
    { address: '192.0.2.9', family: 4 },
    { address: '2001:db8::9', family: 6 }
  ])
  t.same(await resolve('www.example', PUBLIC), [{ address: '192.0.2.9', family: 4 }])
  t.same(queries, [])
  await t.rejects(resolve('other.example', PUBLIC), { code: 'ENOTFOUND' })
})

t.test('names that the operator allowed are resolved as the machine does', async (t) => {
  const { server, queries } = await startNameServer(t, {})
  const resolve = createResolver({ servers: [server], hostsFile: '/none' })
  const found = await resolve('localhost', { isAllowListed: true })
  t.ok(found.some(({ address }) => address === '127.0.0.1' || address === '::1'))
  t.same(queries, [])
})
