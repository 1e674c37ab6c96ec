import type { Server } from 'node:http'
import { LogController, type FastifyHttpOptions, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Config } from '../../schemas/config.ts'
import { formats } from '../../schemas/formats.ts'
import { keyPattern } from '../../services/api-keys/key-format.ts'
import { createHttpServer } from './http-server.ts'
import { newRequestId } from './request-id.ts'

/** Largest JSON body; a route that takes more says so itself. */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/**
 * What a part may take to be opened, which on a busy machine waits for MongoDB and Redis; each says
 * by itself, and in a sentence, when these do not answer.
 */
const START_MS = 60_000

/**
 * What opens a preview or a page of the operator's; whoever reads the log must not be able to
 * follow it.
 */
const TOKEN_IN_QUERY = /([?&]token=)[^&]*/g

/**
 * How the HTTP server is made. `app` is asked for only when something happens, because it does not
 * exist yet.
 */
export function serverOptions(config: Config, app: () => FastifyInstance): FastifyHttpOptions<Server> {
  const secrets = keyPattern(config.BRAND)
  return {
    logger:
      config.LOG_LEVEL === 'silent'
        ? false
        : {
            level: config.LOG_LEVEL,
            redact: [
              'req.headers.authorization',
              'req.headers["x-api-key"]',
              'headers.authorization',
              'headers["x-api-key"]'
            ],
            serializers: {
              req: ({ method, url }: { method: string; url: string }) => ({
                method,
                url: url.replace(secrets, '[key]').replace(TOKEN_IN_QUERY, '$1[token]')
              })
            }
          },
    logController: new LogController({ disableRequestLogging: true }), // plugins/request-log.ts does it, within a budget.
    pluginTimeout: START_MS,
    genReqId: newRequestId,
    trustProxy: trustedProxies(config.TRUST_PROXY),
    bodyLimit: BODY_LIMIT_BYTES,
    return503OnClosing: false, // The gate answers 503 itself, with the headers that every answer carries.
    forceCloseConnections: 'idle',
    serverFactory: (handle) =>
      createHttpServer(handle, (error, socket) => {
        app().answerBrokenMessage(error, socket)
      }),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 500 },
    serializerOpts: { ajv: { formats } },
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => {
      app().answerFrameworkError(error, request, reply)
    },
    clientErrorHandler: () => {} // createHttpServer listens itself; without this the framework would answer too.
  }
}

function trustedProxies(setting: string): FastifyServerOptions['trustProxy'] {
  if (setting === 'off' || setting === 'on') return setting === 'on'
  return /^\d+$/.test(setting) ? (_address, hop) => hop < Number(setting) : setting
}
