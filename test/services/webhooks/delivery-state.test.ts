import t from 'tap'
import type { DeliveryRecord } from '../../../ports/store/port.ts'
import {
  type Claim,
  type DeliveryContext,
  type DeliveryEffect,
  type DeliveryEvent,
  type DeliveryState,
  FIRST_CLAIM,
  type HeldDelivery,
  INITIAL_STATE,
  isFinished,
  isWaiting,
  MAX_CLAIM,
  MAX_HELD_BYTES,
  MAX_IN_FLIGHT,
  MAX_UNSAVED_LENGTH,
  SAVE_MARGIN_MS,
  transition
} from '../../../services/webhooks/delivery-state.ts'

const NOW_MS = 1_000_000
const CLOSED: DeliveryContext = { circuit: 'closed', nowMs: NOW_MS, attemptMs: 15_000 }
const HALF_OPEN: DeliveryContext = { ...CLOSED, circuit: 'half-open' }
const OPEN: DeliveryContext = { ...CLOSED, circuit: 'open' }

const FIRST: Claim = { kind: 'first', limit: FIRST_CLAIM }
const PROBE: Claim = { kind: 'first', limit: 1 }
const more = (limit: number): Claim => ({ kind: 'more', limit })

/** Held deliveries d1, d2, ... of two bytes each. */
function held(count: number, { leaseEndMs = NOW_MS + 25_000, from = 1, bytes = 2 } = {}): HeldDelivery[] {
  return Array.from({ length: count }, (_, index) => ({
    claimed: {
      delivery: { id: `d${from + index}` } as DeliveryRecord,
      head: 'h'.repeat(bytes - 1),
      tail: 't',
      projectId: 'site'
    },
    leaseEndMs
  }))
}

const ids = (count: number): string[] => held(count).map(({ claimed }) => claimed.delivery.id)
const sends = (count: number, isProbe = false): DeliveryEffect[] =>
  held(count).map(({ claimed }) => ({ type: 'send', claimed, isProbe }))
const WAKE: DeliveryEffect = { type: 'wake' }

interface Case {
  title: string
  state?: Partial<DeliveryState>
  event: DeliveryEvent
  context?: DeliveryContext
  /** The fields that the event changes. Default: none. */
  changes?: Partial<DeliveryState>
  /** Default: none. */
  effects?: DeliveryEffect[]
}

const cases: Case[] = [
  {
    title: 'a run that holds nothing claims some deliveries, only if no other run holds one',
    event: { type: 'turn-started' },
    effects: [{ type: 'claim', claim: FIRST }]
  },
  {
    title: 'a run that holds few deliveries claims as many as it may hold',
    state: { ready: held(2), inFlight: 10, unsaved: 3 },
    event: { type: 'turn-started' },
    effects: [{ type: 'claim', claim: more(MAX_CLAIM) }]
  },
  {
    title: 'a run that holds few large deliveries claims fewer',
    state: { inFlight: 10, maxBytes: MAX_HELD_BYTES / 20 },
    event: { type: 'turn-started' },
    effects: [{ type: 'claim', claim: more(10) }]
  },
  {
    title: 'large deliveries that are being saved do not delay the next claim',
    state: { inFlight: 10, unsaved: 15, maxBytes: MAX_HELD_BYTES / 20 },
    event: { type: 'turn-started' },
    effects: [{ type: 'claim', claim: more(10) }]
  },
  {
    title: 'a run with enough ready deliveries claims none',
    state: { ready: held(100) },
    event: { type: 'turn-started' }
  },
  {
    title: 'a run that holds almost as much as it may claims none',
    state: { ready: held(2), unsaved: 850 },
    event: { type: 'turn-started' }
  },
  {
    title: 'a run that has claimed everything that was due claims none',
    state: { mayHaveMore: false },
    event: { type: 'turn-started' }
  },
  { title: 'while the circuit is open, nothing is claimed', event: { type: 'turn-started' }, context: OPEN },
  { title: 'a run that is stopping claims nothing', state: { isStopping: true }, event: { type: 'turn-started' } },
  {
    title: 'a half-open circuit claims one delivery',
    event: { type: 'turn-started' },
    context: HALF_OPEN,
    effects: [{ type: 'claim', claim: PROBE }]
  },
  {
    title: 'a half-open circuit claims no more while a delivery is held',
    state: { inFlight: 1 },
    event: { type: 'turn-started' },
    context: HALF_OPEN
  },
  {
    title: 'after the first claimed deliveries, more are claimed',
    event: { type: 'claimed', claim: FIRST, deliveries: held(FIRST_CLAIM) },
    changes: { ready: held(FIRST_CLAIM), maxBytes: 2, claimedAny: true },
    effects: [{ type: 'claim', claim: more(MAX_CLAIM) }]
  },
  {
    title: 'after a first claim that returned everything that was due, no more are claimed',
    event: { type: 'claimed', claim: FIRST, deliveries: held(3) },
    changes: { ready: held(3), maxBytes: 2, claimedAny: true, mayHaveMore: false }
  },
  {
    title: 'first deliveries that fill the memory limit are not followed by more than the free slots',
    event: { type: 'claimed', claim: PROBE, deliveries: held(1, { bytes: MAX_HELD_BYTES }) },
    changes: { ready: held(1, { bytes: MAX_HELD_BYTES }), maxBytes: MAX_HELD_BYTES, claimedAny: true },
    effects: [{ type: 'claim', claim: more(MAX_IN_FLIGHT - 1) }]
  },
  {
    title: 'after the probe is claimed, no more are claimed',
    event: { type: 'claimed', claim: PROBE, deliveries: held(1) },
    context: HALF_OPEN,
    changes: { ready: held(1), maxBytes: 2, claimedAny: true }
  },
  {
    title: 'after a stop during the first claim, no more are claimed',
    state: { isStopping: true },
    event: { type: 'claimed', claim: PROBE, deliveries: held(1) },
    changes: { ready: held(1), maxBytes: 2, claimedAny: true }
  },
  {
    title: 'a first claim that returns nothing ends the claims: nothing is due, or another run holds some',
    event: { type: 'claimed', claim: FIRST, deliveries: [] },
    changes: { mayHaveMore: false }
  },
  {
    title: 'a claim that returns less than its limit has returned everything that was due',
    state: { ready: held(1), claimedAny: true },
    event: { type: 'claimed', claim: more(599), deliveries: held(2, { from: 2 }) },
    changes: { ready: held(3), maxBytes: 2, mayHaveMore: false }
  },
  {
    title: 'a claim that returns its limit may be followed by another in the next turn',
    state: { ready: held(1), claimedAny: true },
    event: { type: 'claimed', claim: more(2), deliveries: held(2, { from: 2 }) },
    changes: { ready: held(3), maxBytes: 2 }
  },
  {
    title: 'at most ten deliveries are in flight',
    state: { ready: held(12) },
    event: { type: 'claims-done' },
    changes: { ready: held(2, { from: 11 }), inFlight: MAX_IN_FLIGHT },
    effects: sends(MAX_IN_FLIGHT)
  },
  {
    title: 'free slots are filled',
    state: { ready: held(3), inFlight: 8 },
    event: { type: 'claims-done' },
    changes: { ready: held(1, { from: 3 }), inFlight: 10 },
    effects: sends(2)
  },
  {
    title: 'a half-open circuit sends one delivery as a probe',
    state: { ready: held(3) },
    event: { type: 'claims-done' },
    context: HALF_OPEN,
    changes: { ready: held(2, { from: 2 }), inFlight: 1 },
    effects: sends(1, true)
  },
  {
    title: 'a half-open circuit sends nothing while deliveries are in flight',
    state: { ready: held(1), inFlight: 4 },
    event: { type: 'claims-done' },
    context: HALF_OPEN
  },
  {
    title: 'while the circuit is open, ready deliveries are released',
    state: { ready: held(2), toRelease: ['d0'], inFlight: 1 },
    event: { type: 'claims-done' },
    context: OPEN,
    changes: { ready: [], toRelease: ['d0', ...ids(2)] }
  },
  {
    title: 'a run that is stopping releases ready deliveries',
    state: { ready: held(2), isStopping: true },
    event: { type: 'claims-done' },
    changes: { ready: [], toRelease: ids(2) }
  },
  {
    title: 'a delivery whose claim would expire during the attempt is released, and the next one is sent',
    state: {
      ready: [
        ...held(1, { from: 7, leaseEndMs: NOW_MS + 15_000 + SAVE_MARGIN_MS - 1 }),
        ...held(1, { leaseEndMs: NOW_MS + 15_000 + SAVE_MARGIN_MS })
      ]
    },
    event: { type: 'claims-done' },
    changes: { ready: [], toRelease: ['d7'], inFlight: 1 },
    effects: [{ type: 'send', claimed: held(1)[0]!.claimed, isProbe: false }]
  },
  {
    title: 'after an attempt, the next delivery is sent while the result is being saved',
    state: { ready: held(100), inFlight: 10 },
    event: { type: 'attempt-ended', id: 'd0', result: 'saving', length: 300 },
    changes: { ready: held(99, { from: 2 }), inFlight: 10, unsaved: 1, unsavedLength: 300 },
    effects: [...sends(1), WAKE]
  },
  {
    title: 'after an attempt with many ready deliveries, the run is not woken',
    state: { ready: held(102), inFlight: 10 },
    event: { type: 'attempt-ended', id: 'd0', result: 'saving', length: 300 },
    changes: { ready: held(101, { from: 2 }), inFlight: 10, unsaved: 1, unsavedLength: 300 },
    effects: sends(1)
  },
  {
    title: 'after an attempt with a large response, nothing is sent before results are saved',
    state: { ready: held(110), inFlight: 10, unsaved: 40, unsavedLength: MAX_UNSAVED_LENGTH - 300 },
    event: { type: 'attempt-ended', id: 'd0', result: 'saving', length: 300 },
    changes: { inFlight: 9, unsaved: 41, unsavedLength: MAX_UNSAVED_LENGTH }
  },
  {
    title: 'when results have been saved, the free slots are filled',
    state: { ready: held(3), inFlight: 8, unsaved: 40, unsavedLength: MAX_UNSAVED_LENGTH - 1 },
    event: { type: 'claims-done' },
    changes: { ready: held(1, { from: 3 }), inFlight: 10 },
    effects: sends(2)
  },
  {
    title: 'after the last attempt, with nothing more due, the run waits for the result to be saved',
    state: { inFlight: 1, mayHaveMore: false },
    event: { type: 'attempt-ended', id: 'd0', result: 'saving', length: 300 },
    changes: { inFlight: 0, unsaved: 1, unsavedLength: 300 }
  },
  {
    title: 'after an attempt that opened the circuit, ready deliveries are released',
    state: { ready: held(2), inFlight: 1, mayHaveMore: false },
    event: { type: 'attempt-ended', id: 'd0', result: 'saving', length: 300 },
    context: OPEN,
    changes: { ready: [], toRelease: ids(2), inFlight: 0, unsaved: 1, unsavedLength: 300 },
    effects: [WAKE]
  },
  {
    title: 'an aborted attempt releases its delivery',
    state: { inFlight: 1, mayHaveMore: false, isStopping: true },
    event: { type: 'attempt-ended', id: 'd0', result: 'aborted' },
    changes: { toRelease: ['d0'], inFlight: 0 },
    effects: [WAKE]
  },
  {
    title: 'a failed attempt keeps its claim until it expires',
    state: { inFlight: 1, mayHaveMore: false },
    event: { type: 'attempt-ended', id: 'd0', result: 'failed' },
    changes: { inFlight: 0 }
  },
  {
    title: 'a saved result wakes the run',
    state: { unsaved: 2, unsavedLength: 500 },
    event: { type: 'saved', results: 1, length: 300 },
    changes: { unsaved: 1, unsavedLength: 200 },
    effects: [WAKE]
  },
  {
    title: 'released deliveries are forgotten',
    state: { toRelease: ['d1', 'd2'] },
    event: { type: 'released' },
    changes: { toRelease: [] }
  },
  {
    title: 'after new deliveries arrived, the run claims again',
    state: { mayHaveMore: false },
    event: { type: 'more-arrived' },
    changes: { mayHaveMore: true }
  },
  { title: 'a stop is remembered', event: { type: 'stop' }, changes: { isStopping: true } }
]

for (const { title, state, event, context = CLOSED, changes = {}, effects = [] } of cases) {
  t.test(title, async (t) => {
    const before: DeliveryState = Object.freeze({ ...INITIAL_STATE, ...state })
    const [after, caused] = transition(before, event, context)
    const ready = after.ready.slice(after.taken)
    t.strictSame({ ...after, ready, taken: 0 }, { ...before, ...changes }, 'the next state')
    t.strictSame(caused, effects, 'the effects')
  })
}

t.test('a run is finished when it holds nothing and may claim nothing', async (t) => {
  const finished = (state: Partial<DeliveryState>, context = CLOSED) =>
    isFinished({ ...INITIAL_STATE, ...state }, context)
  t.equal(finished({}), false, 'there may be more')
  t.equal(finished({ mayHaveMore: false }), true, 'nothing is due')
  t.equal(finished({}, OPEN), true, 'the circuit is open')
  t.equal(finished({ isStopping: true }), true, 'the run is stopping')
  t.equal(finished({ mayHaveMore: false, ready: held(1) }), false, 'a delivery is ready')
  t.equal(finished({ mayHaveMore: false, inFlight: 1 }, OPEN), false, 'a delivery is in flight')
  t.equal(finished({ mayHaveMore: false, unsaved: 1 }), false, 'a result is not saved')
})

t.test('a run waits while it holds deliveries and has none to release', async (t) => {
  const waiting = (state: Partial<DeliveryState>) => isWaiting({ ...INITIAL_STATE, ...state })
  t.equal(waiting({}), false)
  t.equal(waiting({ inFlight: 1 }), true)
  t.equal(waiting({ unsaved: 1 }), true)
  t.equal(waiting({ inFlight: 1, toRelease: ['d1'] }), false)
})
