import fp from 'fastify-plugin'
import { createThrottledLog } from '../lib/async.ts'
import type { Config } from '../schemas/config.ts'
import { createServices, type Services, type ServiceSettings } from '../services/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    services: Services
  }
}

/** How often the last use of API keys and the hourly usage are written to the store. */
const FLUSH_MS = 60_000

export default fp(
  async (app) => {
    const { config, store, queue, limits, files, outbound, browser, renderer, imageProcessor, secrets } = app
    const services = createServices(
      { store, queue, limits, files, outbound, browser, renderer, imageProcessor },
      {
        brand: config.BRAND,
        defaultPlan: config.DEFAULT_PLAN,
        addressLimit: config.ADDRESS_REQUESTS_PER_HOUR,
        imageVariantLimit: config.IMAGE_VARIANTS_PER_HOUR,
        sessions: {
          secret: secrets.session,
          jwksUrl: config.SESSION_JWKS_URL,
          issuer: config.SESSION_ISSUER,
          audience: config.SESSION_AUDIENCE
        },
        secretsKeys: secrets.keys,
        webhookTimeScale: config.WEBHOOK_TIME_SCALE,
        visualChecksPerHour: config.VISUAL_CHECKS_PER_HOUR,
        visualChecks: { staleAfterMs: config.VISUAL_CHECK_STALE_SECONDS * 1000 },
        health: { probeIntervalMs: config.HEALTH_PROBE_SECONDS * 1000 },
        audit: { retentionDays: config.AUDIT_RETENTION_DAYS, entriesPerAccount: config.AUDIT_ENTRIES_PER_ACCOUNT },
        eventLog: {
          onTrimmed: (trimmed) => {
            app.log.warn(trimmed, 'deleted the oldest events of an account, whose event log was too large')
          }
        },
        generatedFiles: {
          onTrimmed: (trimmed) => {
            app.log.info(trimmed, 'deleted the oldest generated files of an account, which had too many bytes of them')
          }
        },
        onAuditLost: (entry) => {
          app.log.error({ entry }, 'could not store an entry of the audit log')
        },
        optimizer: optimizerSettings(config, (message) => {
          app.log.warn(message)
        }),
        fieldErrors: app.fieldErrors,
        publicUrl: () => app.publicUrl,
        keepRevisions: config.BLOG_REVISIONS,
        imageMemory: config.IMAGE_MEMORY_MB * 1024 * 1024,
        workerOnly: config.ROLE === 'worker',
        counters: app.metrics.counts,
        onError: createThrottledLog((error) => {
          app.log.warn({ err: error }, 'could not write in the background; it will be repeated')
        })
      }
    )
    app.decorate('services', services)
    const flush = async () => {
      await Promise.all([services.auth.flush(), services.usage.flush()])
    }
    const timer = setInterval(() => {
      flush().catch((error: unknown) => {
        app.log.error({ err: error }, 'could not write usage')
      })
    }, FLUSH_MS).unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await Promise.all([flush(), services.blogs.flushResponses(), services.audit.flush()])
    })
  },
  {
    name: 'services',
    dependencies: [
      'config',
      'store',
      'queue',
      'limits',
      'files',
      'outbound',
      'browser',
      'renderer',
      'image-processor',
      'secrets',
      'validation',
      'metrics'
    ]
  }
)

/** The SEO text provider, or null without one. plugins/config.ts checks that its settings are complete. */
function optimizerSettings(
  {
    OPTIMIZER_PROTOCOL: protocol,
    OPTIMIZER_URL: url,
    OPTIMIZER_API_KEY: apiKey,
    OPTIMIZER_MODEL: model,
    OPTIMIZER_TIMEOUT_SECONDS: timeoutSeconds,
    OPTIMIZER_CALLS_PER_HOUR: callsPerHour,
    OPTIMIZER_CALLS_PER_ACCOUNT_PER_HOUR: accountCallsPerHour
  }: Config,
  onProblem: (message: string) => void
): ServiceSettings['optimizer'] {
  if (url === undefined || apiKey === undefined || model === undefined) return null
  const timeoutMs = timeoutSeconds * 1000
  return {
    protocol,
    url,
    apiKey,
    model,
    timeoutMs,
    callsPerHour,
    accountCallsPerHour: accountCallsPerHour ?? null,
    onProblem
  }
}
