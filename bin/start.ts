import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { StartError } from '../errors.ts'
import { printBanner } from './banner.ts'

/** How long requests and jobs that run may take to end when the process is told to stop. */
const STOP_MS = 25_000

/**
 * Starts the server and listens. What does not allow a start is said in one clear sentence, and the
 * exit code is 1.
 */
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
    throw startError(error as NodeJS.ErrnoException, `${host}:${port}`)
  }
}

function startError(error: NodeJS.ErrnoException, address: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `The address ${address} is taken by another process. Stop it, or choose another port: PORT=3001 npm start`
      )
    case 'EACCES':
      return new StartError(
        `The address ${address} may not be used by this user. Choose a port above 1023: PORT=3000 npm start`
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `This machine has no address ${address}. Set HOST to one that it has, or to 0.0.0.0 for all.`
      )
    default:
      return error
  }
}

function stopOnSignals(app: FastifyInstance): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1) // Told twice: now.
    stopping = true
    app.log.info({ signal }, 'stopping')
    setTimeout(() => {
      app.log.error('some requests or jobs did not end in time')
      process.exit(1)
    }, STOP_MS).unref()
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'the stop failed')
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
