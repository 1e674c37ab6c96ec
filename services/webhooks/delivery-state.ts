import type { ClaimedDelivery } from '../../ports/store/port.ts'
import type { CircuitState } from './health.ts'

/** Concurrent requests to a webhook. */
export const MAX_IN_FLIGHT = 10
/** Deliveries that a run holds: ready, in flight, or not saved yet. */
export const MAX_HELD = 1_000
/**
 * A run holds the bodies of fewer large deliveries, to bound the memory that one webhook uses, and claims no more at
 * once. A delivery that is being saved has no body any more.
 */
export const MAX_HELD_BYTES = 1024 * 1024
/** More deliveries are claimed when fewer than this are ready. */
const LOW_WATERMARK = 100
/**
 * Deliveries of one claim: those that wait for long survive collections of garbage, which copy them. A larger claim
 * takes as long for each delivery.
 */
export const MAX_CLAIM = 200
/**
 * A run sends nothing while so many characters of responses are not saved yet: 1,000 attempts with the largest
 * responses would have 32 million.
 */
export const MAX_UNSAVED_LENGTH = 1_000_000
/** Deliveries that a run claims first, because it does not know how large they are. */
export const FIRST_CLAIM = 2 * MAX_IN_FLIGHT
/**
 * A claim that returned so many characters may have been cut at MAX_HELD_BYTES: a character has up to three bytes,
 * and the next body a quarter of the limit.
 */
const CUT_LENGTH = Math.floor(MAX_HELD_BYTES / 4)
/** Deliveries that are removed from `ready` together. */
const MAX_TAKEN = 16
/** Time reserved for saving the result of an attempt before the claim expires. */
export const SAVE_MARGIN_MS = 2000

export interface HeldDelivery {
  claimed: ClaimedDelivery
  leaseEndMs: number
}

/** The state of a delivery run. */
export interface DeliveryState {
  /** Claimed, waiting for a free slot. */
  ready: readonly HeldDelivery[]
  /** The first so many of `ready` are no longer ready. They are removed together, because the list is copied. */
  taken: number
  /** Ids of deliveries whose claims are to be released. */
  toRelease: readonly string[]
  inFlight: number
  /** Attempted; the result is not saved yet. */
  unsaved: number
  /** Characters of responses in these. */
  unsavedLength: number
  /** Size of the largest delivery of the last batch. */
  maxBytes: number
  /** False when the last claim returned everything that was due. */
  mayHaveMore: boolean
  claimedAny: boolean
  /** Nothing is sent any more: time is up, or the process shuts down. */
  isStopping: boolean
}

export const INITIAL_STATE: DeliveryState = {
  ready: [],
  taken: 0,
  toRelease: [],
  inFlight: 0,
  unsaved: 0,
  unsavedLength: 0,
  maxBytes: 1,
  mayHaveMore: true,
  claimedAny: false,
  isStopping: false
}

/** What the state depends on besides the events. */
export interface DeliveryContext {
  circuit: CircuitState
  nowMs: number
  /** The longest time that an attempt can take. */
  attemptMs: number
}

/**
 * A claim to make. `first`: only a run that holds no delivery makes it, and it succeeds only while
 * no other run holds deliveries of the webhook. `more`: only a run that holds some makes it.
 */
export interface Claim {
  kind: 'first' | 'more'
  limit: number
}

export type DeliveryEvent =
  | { type: 'turn-started' }
  | { type: 'claimed'; claim: Claim; deliveries: HeldDelivery[] }
  | { type: 'claims-done' }
  /** `length`: the result is being saved, with so many characters of responses. */
  | { type: 'attempt-ended'; id: string; result: 'saving'; length: number }
  /** `aborted`: no result. `failed`: the attempt threw. */
  | { type: 'attempt-ended'; id: string; result: 'aborted' | 'failed' }
  /** So many results were saved. `length`: the characters of their responses. */
  | { type: 'saved'; results: number; length: number }
  | { type: 'released' }
  | { type: 'more-arrived' }
  | { type: 'stop' }

export type DeliveryEffect =
  | { type: 'claim'; claim: Claim }
  | { type: 'send'; claimed: ClaimedDelivery; isProbe: boolean }
  | { type: 'wake' }

/** The next state of a delivery run, and what to do because of the event, in order. */
export function transition(
  state: DeliveryState,
  event: DeliveryEvent,
  context: DeliveryContext
): [DeliveryState, DeliveryEffect[]] {
  switch (event.type) {
    case 'turn-started':
      return [state, firstClaim(state, context)]
    case 'claimed':
      return claimed(state, event, context)
    case 'claims-done':
      return dispatch(state, context)
    case 'attempt-ended':
      return attemptEnded(state, event, context)
    case 'saved': {
      const unsavedLength = state.unsavedLength - event.length
      return [{ ...state, unsaved: state.unsaved - event.results, unsavedLength }, [{ type: 'wake' }]]
    }
    case 'released':
      return [{ ...state, toRelease: [] }, []]
    case 'more-arrived':
      return [{ ...state, mayHaveMore: true }, []]
    case 'stop':
      return [{ ...state, isStopping: true }, []]
  }
}

/** Deliveries that the run holds; those to be released are not counted. */
export const countHeld = (state: DeliveryState): number => countReady(state) + state.inFlight + state.unsaved

const countReady = ({ ready, taken }: DeliveryState): number => ready.length - taken

/** Whether the run is over: it holds nothing, and nothing may be claimed. */
export function isFinished(state: DeliveryState, { circuit }: Pick<DeliveryContext, 'circuit'>): boolean {
  return countHeld(state) === 0 && (effectiveCircuit(state, circuit) === 'open' || !state.mayHaveMore)
}

/** Whether there is nothing to do before the next wake-up. */
export function isWaiting(state: DeliveryState): boolean {
  return countHeld(state) > 0 && state.toRelease.length === 0
}

const effectiveCircuit = ({ isStopping }: DeliveryState, circuit: CircuitState): CircuitState =>
  isStopping ? 'open' : circuit

const maxBodies = ({ maxBytes }: DeliveryState): number =>
  Math.max(MAX_IN_FLIGHT, Math.min(MAX_HELD, Math.floor(MAX_HELD_BYTES / maxBytes)))

/** How many deliveries may be claimed. */
const room = (state: DeliveryState): number =>
  Math.min(maxBodies(state) - countReady(state) - state.inFlight, MAX_HELD - countHeld(state), MAX_CLAIM)

/** Whether a claim is worthwhile: few deliveries are ready, and many can be claimed at once. */
function isLow(state: DeliveryState): boolean {
  const enough = Math.min(maxBodies(state) / 3, MAX_CLAIM)
  return state.mayHaveMore && countReady(state) < LOW_WATERMARK && room(state) >= enough
}

/**
 * A run that holds nothing claims deliveries only if no other run holds one: so the limit of requests
 * in flight holds for all processes together. After a pause, it claims a single one as a probe.
 */
function firstClaim(state: DeliveryState, { circuit }: DeliveryContext): DeliveryEffect[] {
  const effective = effectiveCircuit(state, circuit)
  if (effective === 'open' || !isLow(state)) return []
  if (countHeld(state) > 0) return effective === 'half-open' ? [] : moreClaim(state)
  return [{ type: 'claim', claim: { kind: 'first', limit: effective === 'half-open' ? 1 : FIRST_CLAIM } }]
}

function moreClaim(state: DeliveryState): DeliveryEffect[] {
  const limit = room(state)
  return limit > 0 ? [{ type: 'claim', claim: { kind: 'more', limit } }] : []
}

function claimed(
  state: DeliveryState,
  { claim, deliveries }: Extract<DeliveryEvent, { type: 'claimed' }>,
  { circuit }: DeliveryContext
): [DeliveryState, DeliveryEffect[]] {
  const sizes = deliveries.map(({ claimed: { head, tail } }) => head.length + tail.length)
  const isCut = sizes.reduce((sum, size) => sum + size, 0) >= CUT_LENGTH
  const next: DeliveryState = {
    ...state,
    ready: [...state.ready.slice(state.taken), ...deliveries],
    taken: 0,
    maxBytes: sizes.length > 0 ? Math.max(...sizes) : state.maxBytes,
    claimedAny: state.claimedAny || deliveries.length > 0,
    mayHaveMore: deliveries.length === claim.limit || isCut
  }
  const isMoreAllowed = effectiveCircuit(next, circuit) === 'closed' && next.mayHaveMore
  return [next, claim.kind === 'first' && deliveries.length > 0 && isMoreAllowed ? moreClaim(next) : []]
}

/** Fills the free slots. Deliveries whose claims expire too soon are released instead of sent. */
function dispatch(
  state: DeliveryState,
  { circuit, nowMs, attemptMs }: DeliveryContext
): [DeliveryState, DeliveryEffect[]] {
  const effective = effectiveCircuit(state, circuit)
  if (effective === 'open') {
    const released = state.ready.slice(state.taken).map(({ claimed }) => claimed.delivery.id)
    return [{ ...state, ready: [], taken: 0, toRelease: [...state.toRelease, ...released] }, []]
  }
  if (state.unsavedLength >= MAX_UNSAVED_LENGTH) return [state, []]
  const isProbe = effective === 'half-open'
  const slots = (isProbe ? 1 : MAX_IN_FLIGHT) - state.inFlight
  const effects: DeliveryEffect[] = []
  const released: string[] = []
  let taken = state.taken
  while (effects.length < slots && taken < state.ready.length) {
    const { claimed, leaseEndMs } = state.ready[taken++]!
    if (leaseEndMs - nowMs < attemptMs + SAVE_MARGIN_MS) released.push(claimed.delivery.id)
    else effects.push({ type: 'send', claimed, isProbe })
  }
  if (taken === state.taken) return [state, []]
  const isCopied = taken >= MAX_TAKEN || taken === state.ready.length
  return [
    {
      ...state,
      ready: isCopied ? state.ready.slice(taken) : state.ready,
      taken: isCopied ? 0 : taken,
      toRelease: [...state.toRelease, ...released],
      inFlight: state.inFlight + effects.length
    },
    effects
  ]
}

function attemptEnded(
  state: DeliveryState,
  event: Extract<DeliveryEvent, { type: 'attempt-ended' }>,
  context: DeliveryContext
): [DeliveryState, DeliveryEffect[]] {
  const ended: DeliveryState = {
    ...state,
    inFlight: state.inFlight - 1,
    unsaved: state.unsaved + (event.result === 'saving' ? 1 : 0),
    unsavedLength: state.unsavedLength + (event.result === 'saving' ? event.length : 0),
    toRelease: event.result === 'aborted' ? [...state.toRelease, event.id] : state.toRelease
  }
  const [next, effects] = dispatch(ended, context)
  return [next, next.toRelease.length > 0 || isLow(next) ? [...effects, { type: 'wake' }] : effects]
}
