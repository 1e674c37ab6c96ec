import t from 'tap'
import { createStaleClaims } from '../../services/stale-claims.ts'

const STALE_MS = 120_000

t.test('claims that other processes may hold are stale after the time that the work may take', async (t) => {
  const { before } = createStaleClaims({ isRemote: true }, STALE_MS)
  const nowMs = Date.parse('2026-11-29T12:00:00Z')
  t.equal(before(nowMs), '2026-11-29T11:58:00.000Z')
  t.ok(Math.abs(Date.parse(before()) - (Date.now() - STALE_MS)) < 5_000)
})

t.test('claims from before the start of the only process are stale immediately', async (t) => {
  const beforeMs = Date.now()
  const { before } = createStaleClaims({ isRemote: false }, STALE_MS)
  const startedMs = Date.parse(before())
  t.ok(startedMs >= beforeMs && startedMs <= Date.now(), before())
  t.equal(before(startedMs + STALE_MS - 1), before(), 'its own claims are not')
  t.equal(Date.parse(before(startedMs + STALE_MS + 1)), startedMs + 1)
})
