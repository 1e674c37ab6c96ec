import t from 'tap'
import { assertAnswer } from '../fixtures/http/assert-answer.ts'
import { portOf } from '../fixtures/http/deployment.ts'
import { openRaw, rawExchange, rawRequest } from '../fixtures/http/raw-connection.ts'
import { temporaryFolder } from '../helper.ts'
import { startServer, createSvc } from '../processes.ts'
import { small } from '../profile.ts'

const MEGABYTE = 'x'.repeat(1_000_000)

// A separate process, so that the client writes while the service responds.
t.test('a client that is still sending a too large body receives 413 before its connection is closed', async (t) => {
  const data = temporaryFolder(t)
  const key = (await createSvc(data)('keys', 'create', '--name', 'Test', '--account', 'acme')).out.trim()
  const server = await startServer(t, data)
  const head = (lines: string) =>
    `POST /api/v1/blogs HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n${lines}\r\n\r\n`
  const chunks = {
    'content-length: 12000000': MEGABYTE,
    'transfer-encoding: chunked': `${MEGABYTE.length.toString(16)}\r\n${MEGABYTE}\r\n`
  }
  for (let time = 0; time < (small ? 2 : 5); time++) {
    for (const [framing, chunk] of Object.entries(chunks)) {
      const connection = openRaw(portOf(server))
      connection.send(head(framing))
      for (let count = 0; count < 12; count++) connection.send(chunk)
      if (framing.includes('chunked')) connection.send('0\r\n\r\n')
      const answer = await connection.answer()
      assertAnswer(t, answer, { status: 413, code: 'payload_too_large', name: framing })
      t.same(answer.headers.connection, ['close'])
      t.equal((await connection.closed).length, 0, 'nothing follows the response')
    }
  }
  const idle = openRaw(portOf(server))
  idle.send(head('content-length: 12000000'))
  assertAnswer(t, await idle.answer(), { status: 413, name: 'before anything of the body was sent' })
  await idle.closed
  t.pass('and who never sends it is not waited for')
  t.equal((await rawExchange(portOf(server), rawRequest('GET', '/health'))).status, 200)
  t.equal(server.err(), '')
})
