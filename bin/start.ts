import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { lowerWorkerPriority } from '../lib/priority.ts'
import { buildApp } from '../app.ts'
import { StartError } from '../errors.ts'
import { addListeners, sharedListenOptions } from '../lib/http/listeners.ts'
import type { Config } from '../schemas/config.ts'
import { printBanner } from './banner.ts'
import { prepareAfterFirstRequest } from './preparation.ts'

/** Behind a load balancer: as long as it takes to notice that the process is not ready. */
const DEFAULT_SHUTDOWN_DELAY_MS = 5000
/** How long running requests and jobs may take to finish once no new ones are accepted. */
const STOP_MS = 25_000
/** As many as Linux allows by default: a client whose connection does not fit tries again after a second. */
const BACKLOG = 4096

/** Starts the server. An error that prevents the start is printed, and the process exits with 1. */
export async function start(): Promise<FastifyInstance> {
  let app: FastifyInstance | null = null
  try {
    app = await buildApp()
    if (app.config.ROLE === 'worker') lowerWorkerPriority()
    else prepareAfterFirstRequest(app.server, app.preparations)
    const logAddresses = await listen(app)
    stopOnSignals(app)
    if (isTerminal() && app.hasDemoSites && (await app.services.demo.isStoreEmpty())) {
      process.stdout.write('\n  Adding the demo content …\n')
    }
    const demoKey = await app.seedDemo()
    await printBanner(app, demoKey)
    logAddresses()
    app.startDemoChecks()
    return app
  } catch (error) {
    await app?.close()
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

const isTerminal = (): boolean => process.stdout.isTTY === true

/**
 * Listens, and returns a function that logs the addresses if they were not logged yet: on a terminal, these log lines
 * follow the banner.
 */
async function listen(app: FastifyInstance): Promise<() => void> {
  const { HOST: host, PORT: port } = app.config
  const messages: string[] = []
  if (isTerminal()) hideAddresses(app)
  try {
    const shared = await sharedListenOptions({ host, port })
    await app.listen({
      ...shared,
      backlog: BACKLOG,
      host,
      port,
      listenTextResolver: (address) => {
        const message = `Server listening at ${address}`
        messages.push(message)
        return message
      }
    })
    await addListeners(app.server, { host, backlog: BACKLOG })
  } catch (error) {
    throw toStartError(error as NodeJS.ErrnoException, `${host}:${port}`)
  }
  return () => {
    for (const message of isTerminal() ? messages : []) app.log.info(message)
  }
}

/** Fastify logs the addresses in a listener of this event. Microtasks run right after it, so no other line is lost. */
function hideAddresses(app: FastifyInstance): void {
  app.server.prependOnceListener('listening', () => {
    const { level } = app.log
    app.log.level = 'silent'
    queueMicrotask(() => {
      app.log.level = level
    })
  })
}

function toStartError(error: NodeJS.ErrnoException, address: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `The address ${address} is already in use. Stop the other process, or choose another port: PORT=3001 npm start`
      )
    case 'EACCES':
      return new StartError(`This user may not listen on ${address}. Choose a port above 1023: PORT=3000 npm start`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `This machine has no address ${address}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`
      )
    default:
      return error
  }
}

function stopOnSignals(app: FastifyInstance): void {
  let isStopping = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) process.exit(1) // The second signal forces the exit.
    isStopping = true
    // Load balancers send requests until they notice that the process is not ready.
    const delayMs = signal === 'SIGTERM' ? shutdownDelayMs(app.config) : 0
    app.log.info({ signal, delayMs }, 'stopping')
    app.services.health.startDraining()
    await wait(delayMs)
    setTimeout(() => {
      app.log.error('some requests or jobs did not finish in time')
      // `process.exit` waits for native threads, and one of them may be the reason.
      process.kill(process.pid, 'SIGKILL')
    }, STOP_MS).unref()
    await app.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop(signal).then(
        () => process.exit(0),
        (error: unknown) => {
          app.log.error({ err: error }, 'stopping failed')
          process.exit(1)
        }
      )
    })
  }
}

function shutdownDelayMs({ SHUTDOWN_DELAY_MS, MONGODB_URL, ROLE }: Config): number {
  return SHUTDOWN_DELAY_MS ?? (MONGODB_URL !== undefined && ROLE !== 'worker' ? DEFAULT_SHUTDOWN_DELAY_MS : 0)
}
