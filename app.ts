import path from 'node:path'
import autoload from '@fastify/autoload'
import Fastify, { type FastifyInstance } from 'fastify'
import { parseConfig, readEnvironment, type Environment } from './plugins/config.ts'
import { serverOptions } from './plugins/http/server-options.ts'

const room = (name: string) => path.join(import.meta.dirname, name)

/**
 * Builds the platform: plugins, then routes. Nothing listens yet. Throws StartError where a setting
 * or a port does not allow a start.
 */
export async function buildApp(env: Environment = readEnvironment()): Promise<FastifyInstance> {
  const config = parseConfig(env)
  const app: FastifyInstance = Fastify(serverOptions(config, () => app))
  try {
    await app.register(autoload, {
      dir: room('plugins'),
      matchFilter: (file) => /^\/[^/]+$/.test(file),
      options: { config }
    })
    await app.register(autoload, {
      dir: room('routes'),
      ignoreFilter: (file) => config.ROLE === 'worker' && !/^\/(?:health|metrics)\//.test(file)
    })
    await app.ready()
  } catch (error) {
    await app.close() // What was opened before the failure must not keep the process alive.
    throw error
  }
  return app
}
