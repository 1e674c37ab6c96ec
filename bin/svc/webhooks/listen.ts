import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'
import { loadSecret } from '../../../plugins/secrets.ts'
import { EVENT_TYPES, type EventType } from '../../../schemas/event.ts'
import { headerNames, type HeaderNames } from '../../../services/webhooks/signing.ts'
import { SECRET_PREFIX } from '../../../services/webhooks/signing.ts'
import { findRunningServer, type AdminClient } from '../admin-client.ts'
import { RequestError } from '../command.ts'
import {
  listOption,
  stringOption,
  UsageError,
  type RunCommand,
  type CommandContext,
  type OptionValues
} from '../command.ts'
import { getQueueState, START_A_WORKER } from '../queues.ts'
import { findNewestSequence, formatEvent, pollEvents, type Arrival, type ListEvents } from './events.ts'
import { createForwarder, openReceiver } from './receiver.ts'
import { register } from './registration.ts'

const WORKER_CHECK_MS = 5_000

interface ListenOptions {
  account: string
  /** 0: any free port. */
  port: number
  publicUrl: string | undefined
  /** Null: all types. */
  events: EventType[] | null
  forwardTo: string | undefined
}

interface Listener extends Pick<CommandContext, 'log'> {
  client: AdminClient
  options: ListenOptions
  /** Whether other processes than the one that serves this command post the deliveries. */
  hasRemoteWorkers: boolean
  names: HeaderNames
  /** Aborted when the command must stop; `stopped` resolves then. */
  signal: AbortSignal
  stopped: Promise<void>
  onArrival: (arrival: Arrival, mark: string) => Promise<void>
}

export const webhooksListen: RunCommand = async (context) => {
  const { config, adminClient, print, log } = context
  const options = parseListenOptions(context.options)
  const { DATA_DIR, MONGODB_URL, BRAND } = config()
  if (MONGODB_URL === undefined && (await findRunningServer(DATA_DIR)) === null) {
    throw new StartError(`No server is running on ${DATA_DIR}. Start one with "npm start" first.`)
  }
  const names = headerNames(BRAND)
  const client = await adminClient()
  const stop = createStopSignal(context)
  let forward: ((arrival: Arrival) => Promise<string>) | null = null
  if (options.forwardTo !== undefined) {
    // The secret is stored, so that a receiver under development is configured only once.
    const secret = `${SECRET_PREFIX}${loadSecret(DATA_DIR, 'webhooks-listen')}`
    forward = createForwarder({ to: options.forwardTo, secret, names, signal: stop.signal })
    log(`Forwarding to ${options.forwardTo}, signed with the secret ${secret}`)
  }
  const onArrival: Listener['onArrival'] = async (arrival, mark) => {
    const { event, attempt } = arrival
    print(event, [formatEvent(event, attempt > 1 ? `${mark}, attempt ${attempt}` : mark)])
    if (forward !== null) log(await forward(arrival))
  }
  const { signal, stopped } = stop
  try {
    await listen({
      client,
      options,
      hasRemoteWorkers: MONGODB_URL !== undefined,
      names,
      signal,
      stopped,
      onArrival,
      log
    })
  } finally {
    stop.release()
  }
  return 0
}

/** Throws a UsageError. */
function parseListenOptions(options: OptionValues): ListenOptions {
  const port = stringOption(options, 'port', '0')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('--port must be a number from 0 (any free port) to 65535.')
  }
  const events = listOption(options, 'events') ?? null
  const unknown = events?.find((type) => !EVENT_TYPES.includes(type as EventType))
  if (unknown !== undefined) {
    throw new UsageError(`Unknown event type "${unknown}" in --events. Valid types: ${EVENT_TYPES.join(', ')}.`)
  }
  const forwardTo = stringOption(options, 'forward')
  if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    throw new UsageError('--forward must be a URL that starts with http:// or https://.')
  }
  return {
    account: stringOption(options, 'account', 'demo'),
    port: Number(port),
    publicUrl: stringOption(options, 'url'),
    events: events as EventType[] | null,
    forwardTo
  }
}

/** Prints events until the command is stopped, by deliveries if possible, otherwise by polling. */
async function listen(listener: Listener): Promise<void> {
  const { hasRemoteWorkers, options, log, stopped } = listener
  // This process can reach the receiver, but workers on other machines may not. A local address is
  // therefore registered only on request.
  const mustPoll = hasRemoteWorkers && options.publicUrl === undefined
  if (mustPoll) {
    log(
      [
        'The workers post deliveries and may not reach this machine, so events are polled every second.',
        'To receive signed deliveries, pass --port and --url with an address that the workers can reach.'
      ].join(' ')
    )
  }
  if (mustPoll || !(await receive(listener))) await Promise.race([poll(listener), stopped])
}

/** Receives deliveries until the command is stopped; false if the server does not post here. */
async function receive(listener: Listener): Promise<boolean> {
  const { client, options, hasRemoteWorkers, names, signal, stopped, onArrival, log } = listener
  const { account, publicUrl, events } = options
  const secret = Promise.withResolvers<string>()
  const receiver = await openReceiver({
    port: options.port,
    names,
    secret: secret.promise,
    onArrival: (arrival) => onArrival(arrival, '✓ signature'),
    onRejected: log
  })
  try {
    const webhook = await register(client, {
      account,
      publicUrl,
      events,
      receiverUrl: receiver.url,
      sender: hasRemoteWorkers ? 'This machine' : 'The server'
    })
    if (webhook === null) {
      log(
        [
          'The server does not post to this machine, so events are polled every second.',
          'To receive signed deliveries, start the server with OUTBOUND_ALLOW=127.0.0.1.'
        ].join(' ')
      )
      return false
    }
    secret.resolve(webhook.secret)
    const address = publicUrl === undefined ? receiver.url : `${receiver.url} as ${publicUrl}`
    log(
      `Listening on ${address} for the account ${account}. Press Ctrl-C to stop and delete the webhook ${webhook.id}.`
    )
    try {
      const pingAndWatch = async () => {
        log(await webhook.ping())
        if (hasRemoteWorkers) await watchWorkers(client, { signal, log })
        await stopped
      }
      await Promise.race([pingAndWatch(), stopped])
    } finally {
      await webhook.remove()
    }
    return true
  } finally {
    receiver.close()
  }
}

/** Polls for new events until the command is stopped. */
async function poll({ client, options: { account, events }, signal, onArrival, log }: Listener): Promise<void> {
  const types = (events ?? []).map((type) => `&type=${type}`).join('')
  const list =
    (query: string): ListEvents =>
    (after, limit) =>
      client.call('GET', `/api/events?after=${after}&limit=${limit}${query}`, { account })
  const after = await findNewestSequence(list(''))
  log(`Polling events of the account ${account} after number ${after}. Press Ctrl-C to stop.`)
  const onOutage = (isDown: boolean) => {
    log(isDown ? 'The server does not respond. Retrying every second.' : 'The server responds again.')
  }
  const isRetryable = (error: unknown) => !(error instanceof RequestError) || error.problem.status >= 500
  for await (const event of pollEvents(list(types), { after, signal, onOutage, isRetryable })) {
    await onArrival({ event, body: Buffer.from(JSON.stringify(event)), deliveryId: randomUUID(), attempt: 1 }, '')
  }
}

/** Reports each time that new events wait and no worker delivers them, until the signal. */
async function watchWorkers(
  client: AdminClient,
  { signal, log }: { signal: AbortSignal; log: CommandContext['log'] }
): Promise<void> {
  let wasMissing = false
  while (!signal.aborted) {
    await wait(WORKER_CHECK_MS, undefined, { signal }).catch(() => {}) // Aborted: the loop ends.
    const queue = signal.aborted ? null : await getQueueState(client, 'fan-out-events')
    if (queue === null) continue
    const isMissing = queue.running === 0 && queue.oldestMs >= WORKER_CHECK_MS
    if (isMissing && !wasMissing) log(`waiting: no worker delivers new events; ${START_A_WORKER}`)
    wasMissing = isMissing
  }
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * A signal that is aborted by Ctrl-C, by a process signal, by the caller's signal, or when nobody
 * reads the output any more. A second Ctrl-C before `release` has no effect, so that the command
 * can clean up: npm repeats the signal that the terminal already sent.
 */
function createStopSignal({ signal, stdout, stderr }: Pick<CommandContext, 'signal' | 'stdout' | 'stderr'>) {
  const controller = new AbortController()
  const stop = () => {
    controller.abort()
  }
  const stopped = once(controller.signal, 'abort').then(() => {})
  for (const name of STOP_SIGNALS) process.on(name, stop)
  for (const stream of [stdout, stderr]) stream.on('error', stop)
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    stopped,
    /** Removes the signal handlers. The stream handlers stay: later writes may fail, too. */
    release(): void {
      for (const name of STOP_SIGNALS) process.off(name, stop)
    }
  }
}
