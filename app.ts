import path from 'node:path'
import type { Server } from 'node:http'
import autoload from '@fastify/autoload'
import Fastify, {
  LogController,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyServerOptions
} from 'fastify'
import { problem } from './errors.ts'
import { createThrottledLog } from './lib/async.ts'
import { createRequestId } from './lib/http/request.ts'
import type { ConnectionCounts } from './lib/http/connection-limit.ts'
import { createSenders, type Senders } from './lib/http/request-senders.ts'
import { createHttpServer } from './lib/http/server.ts'
import { parseTrustedProxies } from './lib/http/trusted-proxies.ts'
import { createRedactor } from './lib/redact.ts'
import { parseConfig } from './plugins/config.ts'
import { readEnvironment, type Environment } from './plugins/config/environment.ts'
import { createCompilers, type Preparation } from './plugins/validation/compilers.ts'
import type { Config } from './schemas/config.ts'
import { keyPattern } from './services/api-keys/key-format.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Validators and serializers of the routes, which are compiled on first use. */
    preparations: readonly Preparation[]
    /** Of clients to this process. */
    connections: ConnectionCounts
  }
}

/** Maximum size of a JSON body. Routes with larger bodies set their own limit. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024
/** Time for a plugin to start. MongoDB and Redis have shorter timeouts and clearer errors. */
const PLUGIN_TIMEOUT_MS = 60_000

/**
 * Builds the application: plugins, then routes. The server does not listen yet. Throws StartError
 * if a setting or an adapter prevents the start.
 */
export async function buildApp(env: Environment = readEnvironment()): Promise<FastifyInstance> {
  const config = parseConfig(env)
  const senders = createSenders()
  const connections: ConnectionCounts = { open: 0, closed: 0 }
  const compilers = createCompilers()
  const app: FastifyInstance = Fastify({
    ...serverOptions(config, { app: () => app, senders, connections }),
    schemaController: { compilersFactory: compilers.factory }
  })
  app.decorate('senders', senders)
  app.decorate('connections', connections)
  app.decorate('preparations', compilers.preparations)
  try {
    await app.register(autoload, {
      dir: path.join(import.meta.dirname, 'plugins'),
      // Files in subfolders are modules of the plugin with the folder's name.
      matchFilter: (file) => /^\/[^/]+$/.test(file),
      options: { config }
    })
    await app.register(autoload, {
      dir: path.join(import.meta.dirname, 'routes'),
      // Assets are scripts for browsers.
      ignoreFilter: (file) =>
        file.includes('/assets/') || (config.ROLE === 'worker' && !/^\/(?:health|metrics)\//.test(file))
    })
    await app.ready()
  } catch (error) {
    await app.close() // Open connections would keep the process alive.
    throw error
  }
  return app
}

/** `app` is a function because the server options are needed to create the app. */
function serverOptions(
  config: Config,
  { app, senders, connections }: { app: () => FastifyInstance; senders: Senders; connections: ConnectionCounts }
): FastifyHttpOptions<Server> {
  return {
    logger: loggerOptions(config),
    // plugins/request-log.ts logs requests.
    logController: new LogController({ disableRequestLogging: true }),
    pluginTimeout: PLUGIN_TIMEOUT_MS,
    genReqId: createRequestId,
    trustProxy: parseTrustedProxies(config.TRUST_PROXY),
    bodyLimit: BODY_LIMIT_BYTES,
    // plugins/auth.ts responds with 503 and the headers of every response.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: (onRequest) =>
      createHttpServer({
        senders,
        onRequest: (request, response) => {
          app().respondDirectly(request, response, () => onRequest(request, response))
        },
        maxConnections: config.MAX_CONNECTIONS,
        counts: connections,
        onTooMany: createThrottledLog(
          ({ message }) => {
            app().log.warn({ network: message }, 'closed connections of this and other networks: there are too many')
          },
          () => ''
        ),
        onClientError: (error, socket) => {
          app().onClientError(error, socket)
        },
        onConnect: (_request, socket) => {
          app().onClientError(
            problem('method_not_allowed', 'This server is not a proxy: it does not accept CONNECT.', {
              headers: { Allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST' }
            }),
            socket
          )
        }
      }),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 500 },
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => {
      app().onFrameworkError(error, request, reply)
    },
    // The server of createHttpServer has its own listener.
    clientErrorHandler: () => {}
  }
}

function loggerOptions({ BRAND, LOG_LEVEL }: Config): FastifyServerOptions['logger'] {
  if (LOG_LEVEL === 'silent') return false
  const redact = createRedactor(keyPattern(BRAND))
  return {
    level: LOG_LEVEL,
    redact: ['req.headers.authorization', 'req.headers["x-api-key"]', 'headers.authorization', 'headers["x-api-key"]'],
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({
        method,
        url: redact(url)
      })
    }
  }
}
