import { randomUUID } from 'node:crypto'
import { StartError } from '../../errors.ts'
import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { keptSecret } from '../../plugins/secrets.ts'
import { headerNames, type HeaderNames } from '../../services/webhooks/request-headers.ts'
import { SECRET_PREFIX } from '../../services/webhooks/sign.ts'
import type { Command, Invocation } from './command.ts'
import { eventLine } from './listening/event-line.ts'
import { createForward } from './listening/forward.ts'
import type { Arrival } from './listening/listened-event.ts'
import { newestSequence, pullEvents, type ListEvents } from './listening/pull-events.ts'
import { openReceiver } from './listening/receiver.ts'
import { register } from './listening/registration.ts'
import { openStopSignal } from './listening/stop-signal.ts'
import { readWanted, type Wanted } from './listening/wanted.ts'
import { watchWorkers } from './listening/worker-watch.ts'
import { RefusedError, runningServer, type Operator } from './operator.ts'

/** What every part of the command is given; `stopped` resolves when `signal` is given. */
interface Listening extends Pick<Invocation, 'note'> {
  service: Operator
  wanted: Wanted
  /** Deliveries are posted by other processes than the one that answers this command. */
  isApart: boolean
  names: HeaderNames
  signal: AbortSignal
  stopped: Promise<void>
  arrived: (arrival: Arrival, mark: string) => Promise<void>
}

export const webhooksListen: Command = {
  usage: 'webhooks listen [--port N] [--url PUBLIC_URL] [--events a,b] [--account A] [--forward URL]',
  summary:
    'Show events as they happen, until Ctrl-C; --forward posts each of them on to a receiver that is being developed',
  options: {
    port: { type: 'string' },
    url: { type: 'string' },
    events: { type: 'string' },
    account: { type: 'string' },
    forward: { type: 'string' }
  },
  async run({ values, operator, tell, note }) {
    const wanted = readWanted(values)
    const { DATA_DIR, MONGODB_URL, BRAND } = parseConfig(readEnvironment())
    if (MONGODB_URL === undefined && (await runningServer(DATA_DIR)) === null) {
      throw new StartError(`No server is running on ${DATA_DIR}; start it with "npm start" first.`)
    }
    const isApart = MONGODB_URL !== undefined
    const names = headerNames(BRAND)
    const service = await operator()
    const stop = openStopSignal()
    // Made once and kept, so that a receiver that is being developed has to be told it once.
    const secret = wanted.forwardTo === undefined ? '' : `${SECRET_PREFIX}${keptSecret(DATA_DIR, 'webhooks-listen')}`
    const forward =
      wanted.forwardTo === undefined
        ? null
        : createForward({ to: wanted.forwardTo, secret, names, signal: stop.signal })
    if (forward !== null) note(`Forwarding to ${wanted.forwardTo}, signed with the secret ${secret}`)
    const arrived: Listening['arrived'] = async (arrival, mark) => {
      tell(arrival.event, [
        eventLine(arrival.event, arrival.attempt > 1 ? `${mark}, attempt ${arrival.attempt}` : mark)
      ])
      if (forward !== null) note(await forward(arrival))
    }
    const listening = { ...stop, service, wanted, isApart, names, arrived, note }
    try {
      await listened(listening)
    } finally {
      stop.release()
    }
    return 0
  }
}

/** Shows events until it is stopped, by whichever way they can come. */
async function listened(listening: Listening): Promise<void> {
  const { isApart, wanted, note, stopped } = listening
  // That this process may post to this machine says nothing about the workers, so an address of
  // this machine is registered only when it is asked for.
  const mustPull = isApart && wanted.publicUrl === undefined
  if (mustPull) {
    note(
      'Deliveries are posted by the workers, which may not reach this machine: events are pulled every second. To see signed deliveries give --port, and by --url an address that leads the workers to it.'
    )
  }
  if (mustPull || !(await receive(listening))) await Promise.race([pull(listening), stopped])
}

/**
 * Takes deliveries until it is stopped; false at once when the server does not post to this
 * machine.
 */
async function receive({
  service,
  wanted,
  isApart,
  names,
  signal,
  stopped,
  arrived,
  note
}: Listening): Promise<boolean> {
  const secret = Promise.withResolvers<string>()
  const receiver = await openReceiver({
    port: wanted.port,
    names,
    secret: secret.promise,
    onArrival: (arrival) => arrived(arrival, '✓ signature'),
    onRefusal: note
  })
  try {
    const webhook = await register(service, wanted, {
      own: receiver.url,
      pinger: isApart ? 'This machine' : 'The server'
    })
    if (webhook === null) {
      note(
        'The server does not post to this machine. Start it with OUTBOUND_ALLOW=127.0.0.1 to see signed deliveries; until then events are pulled from it every second.'
      )
      return false
    }
    secret.resolve(webhook.secret)
    note(
      `Listening on ${receiver.url}${wanted.publicUrl === undefined ? '' : ` as ${wanted.publicUrl}`} for the account ${wanted.account}; Ctrl-C ends it and deletes the webhook ${webhook.id}.`
    )
    try {
      const watched = async () => {
        if (isApart) await watchWorkers(service, { signal, note })
      }
      await Promise.race([
        webhook
          .ping()
          .then(note)
          .then(watched)
          .then(() => stopped),
        stopped
      ])
    } finally {
      await webhook.remove()
    }
    return true
  } finally {
    receiver.close()
  }
}

/** Asks for new events until it is stopped. */
async function pull({ service, wanted, signal, arrived, note }: Listening): Promise<void> {
  const types = (wanted.events ?? []).map((type) => `&type=${type}`).join('')
  const list =
    (query: string): ListEvents =>
    (after, limit) =>
      service.call('GET', `/api/events?after=${after}&limit=${limit}${query}`, { account: wanted.account })
  const after = await newestSequence(list(''))
  note(`Pulling the events of the account ${wanted.account} that come after number ${after}; Ctrl-C ends it.`)
  const onOutage = (isOver: boolean) => {
    note(isOver ? 'The server answers again.' : 'The server does not answer; it is asked again every second.')
  }
  const passes = (error: unknown) => !(error instanceof RefusedError) || error.problem.status >= 500
  for await (const event of pullEvents(list(types), { after, signal, onOutage, passes })) {
    await arrived({ event, body: Buffer.from(JSON.stringify(event)), deliveryId: randomUUID(), attempt: 1 }, '')
  }
}
