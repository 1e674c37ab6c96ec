import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { StartError } from '../errors.ts'
import { printBanner } from './banner.ts'

/** How long running requests and jobs may take to finish after a stop signal. */
const STOP_MS = 25_000

/** Starts the server. An error that prevents the start is printed, and the process exits with 1. */
export async function start(): Promise<FastifyInstance> {
  let app: FastifyInstance | null = null
  try {
    app = await buildApp()
    await listen(app)
    stopOnSignals(app)
    printBanner(app, await app.seedDemo())
    return app
  } catch (error) {
    await app?.close()
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

async function listen(app: FastifyInstance): Promise<void> {
  const { HOST: host, PORT: port } = app.config
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw toStartError(error as NodeJS.ErrnoException, `${host}:${port}`)
  }
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
  const stop = (signal: string) => {
    if (isStopping) process.exit(1) // The second signal forces the exit.
    isStopping = true
    app.log.info({ signal }, 'stopping')
    setTimeout(() => {
      app.log.error('some requests or jobs did not finish in time')
      process.exit(1)
    }, STOP_MS).unref()
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'stopping failed')
        process.exit(1)
      }
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      stop(signal)
    })
  }
}
