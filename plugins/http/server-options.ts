import type { Server } from 'node:http'
import { LogController, type FastifyHttpOptions, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Config } from '../../schemas/config.ts'
import { keyPattern } from '../../services/api-keys/key-value.ts'
import { newRequestId } from './request-id.ts'

/** Largest JSON body; a route that takes more says so itself. */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/** How the HTTP server is made. `app` is asked for only when something happens, because it does not exist yet. */
export function serverOptions (config: Config, app: () => FastifyInstance): FastifyHttpOptions<Server> {
  const secrets = keyPattern(config.BRAND)
  return {
    logger: config.LOG_LEVEL === 'silent'
      ? false
      : {
          level: config.LOG_LEVEL,
          redact: ['req.headers.authorization', 'req.headers["x-api-key"]', 'headers.authorization', 'headers["x-api-key"]'],
          serializers: { req: ({ method, url }: { method: string, url: string }) => ({ method, url: url.replace(secrets, '[key]') }) }
        },
    logController: new LogController({ disableRequestLogging: true }), // plugins/request-log.ts does it, within a budget.
    genReqId: newRequestId,
    trustProxy: trustedProxies(config.TRUST_PROXY),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000, // Longer than the 60 s that load balancers keep a connection, so that they close first.
    return503OnClosing: false, // The gate answers 503 itself, with the headers that every answer carries.
    forceCloseConnections: 'idle',
    http: { requireHostHeader: false, maxHeaderSize: 16 * 1024 }, // A missing Host is answered by the gate, for the same reason.
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 500 },
    ajv: { customOptions: { removeAdditional: false } },
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => { app().answerFrameworkError(error, request, reply) },
    clientErrorHandler: (error, socket) => { app().answerBrokenMessage(error, socket) }
  }
}

function trustedProxies (setting: string): FastifyServerOptions['trustProxy'] {
  if (setting === 'off' || setting === 'on') return setting === 'on'
  return /^\d+$/.test(setting) ? (_address, hop) => hop < Number(setting) : setting
}
