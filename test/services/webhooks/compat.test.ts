import { createHmac } from 'node:crypto'
import { verify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import t from 'tap'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'
import { scaled } from '../../profile.ts'
import { startReceiver } from './receiver.ts'
import { ACCOUNT, anEvent, startRig, until } from './rig.ts'

const BODIES = scaled ? 200 : 1000

/** Any text, with half surrogates as JSON writes them. */
function anyText(random: () => number): string {
  const ranges: [number, number][] = [
    [0, 0x80],
    [0x80, 0x800],
    [0x800, 0xd800],
    [0xd800, 0xe000],
    [0xe000, 0x10000],
    [0x10000, 0x110000]
  ]
  return Array.from({ length: Math.floor(random() * 60) }, () => {
    const [from, to] = ranges[Math.floor(random() * ranges.length)]!
    return String.fromCodePoint(from + Math.floor(random() * (to - from)))
  }).join('')
}

t.test('any body is verified by the libraries that receivers use, unchanged', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  const { id, secret } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const random = createSeededRandom(5)
  await rig.happen(
    ...Array.from({ length: BODIES }, () =>
      anEvent({ data: { text: anyText(random), size: 'x'.repeat(Math.floor(random() * 3000)) } })
    )
  )
  await receiver.count(BODIES)
  const standard = new StandardWebhook(secret)
  const wrong: string[] = []
  for (const { body, headers } of receiver.received) {
    const text = body.toString()
    const signature = String(headers['x-svc-signature'])
    const byHand = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    if (
      signature !== byHand ||
      !(await verify(secret, text, signature)) ||
      (await verify(`${secret}x`, text, signature))
    ) {
      wrong.push(text)
    }
    try {
      standard.verify(text, headers as Record<string, string>)
    } catch (error) {
      wrong.push(`${String(error)}: ${text}`)
    }
  }
  t.same(wrong, [])
  t.equal(new Set(receiver.received.map(({ sequence }) => sequence)).size, BODIES)
  await until(async () => (await rig.deliveries(id)).every(({ status }) => status === 'delivered'))
})

t.test('a changed body, id or time is not verified', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  const { secret } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(anEvent())
  await receiver.count(1)
  const { body, headers } = receiver.received[0]!
  const given = headers as Record<string, string>
  const standard = new StandardWebhook(secret)
  t.ok(standard.verify(body, given))
  t.throws(() => standard.verify(`${body.toString()} `, given))
  t.throws(() => standard.verify(body, { ...given, 'webhook-id': '01946f00-0000-7000-8000-000000000000' }))
  t.throws(() =>
    standard.verify(body, { ...given, 'webhook-timestamp': String(Number(given['webhook-timestamp']) + 1) })
  )
})

t.test('the headers carry the brand', async (t) => {
  const rig = await startRig(t, { brand: 'acmeshop' })
  const receiver = await startReceiver(t)
  await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const event = anEvent()
  await rig.happen(event)
  await receiver.count(1)
  const { headers } = receiver.received[0]!
  t.equal(headers['x-acmeshop-event'], event.type)
  t.match(headers['x-acmeshop-signature'], /^sha256=[0-9a-f]{64}$/)
  t.match(headers['x-acmeshop-delivery'], /^[0-9a-f-]{36}$/)
  t.equal(headers['x-acmeshop-attempt'], '1')
  t.equal(headers['webhook-id'], event.id)
  t.equal(headers['content-type'], 'application/json')
})
