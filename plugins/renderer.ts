import fp from 'fastify-plugin'
import { createRenderer, type Renderer } from '../services/rendering/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    renderer: Renderer
  }
}

/** The threads that render content. */
export default fp(
  async (app) => {
    const { RENDER_TIMEOUT_MS: timeoutMs, RENDER_THREADS: maxThreads } = app.config
    app.decorate('renderer', createRenderer({ timeoutMs, ...(maxThreads === 0 ? {} : { maxThreads }) }))
  },
  { name: 'renderer', dependencies: ['config'] }
)
