import fp from 'fastify-plugin'
import { createImageProcessor, type ImageProcessor } from '../services/images/processor/index.ts'
import { readChildEnvironment } from './config/environment.ts'

declare module 'fastify' {
  interface FastifyInstance {
    imageProcessor: ImageProcessor
  }
}

/** The process that decodes and encodes images. */
export default fp(
  async (app) => {
    const processor = createImageProcessor({
      environment: readChildEnvironment(),
      onCrash: (reason, stderr) => {
        app.log.error({ reason, stderr }, 'The image process ended. Its images are processed again, one by one')
      }
    })
    app.decorate('imageProcessor', processor)
    app.addHook('onClose', () => processor.close())
  },
  { name: 'image-processor', dependencies: ['config'] }
)
