import { loadSecretsKeys } from '../../plugins/secrets.ts'
import type { Config } from '../../schemas/config.ts'
import type { Transfer } from '../../services/transfer/index.ts'
import { countOf } from './output.ts'

/**
 * Runs `task` with the transfer service on the configured store. No other service is started:
 * nothing is sent, processed or seeded meanwhile. Throws a StartError if the store cannot be
 * opened, such as a data folder that a server uses.
 */
export async function withTransfer<Result>(
  config: Config,
  task: (transfer: Transfer) => Promise<Result>
): Promise<Result> {
  // Loaded on demand: drivers and image codecs are not needed by other commands.
  const [{ openStore }, { openFiles }, { openLimits }, { createTransfer }] = await Promise.all([
    import('../../ports/store/open.ts'),
    import('../../ports/files/open.ts'),
    import('../../ports/limits/open.ts'),
    import('../../services/transfer/index.ts')
  ])
  const { MONGODB_URL: mongodbUrl, REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix, DATA_DIR: dataDir } = config
  const opened: { close: () => Promise<void> }[] = []
  const track = <Port extends { close: () => Promise<void> }>(port: Port): Port => {
    opened.unshift(port)
    return port
  }
  try {
    const store = track(await openStore({ mongodbUrl, dataDir }))
    const files = track(await openFiles({ mongodbUrl, dataDir }))
    const limits = track(await openLimits({ redisUrl, redisPrefix }))
    return await task(createTransfer({ store, files, limits, secretsKeys: loadSecretsKeys(config) }))
  } finally {
    for (const port of opened) await port.close()
  }
}

/** Singular and plural of the kinds that are reported; other kinds are internal. */
const KIND_NAMES: Record<string, [singular: string, plural: string]> = {
  account: ['account', 'accounts'],
  project: ['project', 'projects'],
  apiKey: ['key', 'keys'],
  blog: ['blog', 'blogs'],
  tombstone: ['deleted blog', 'deleted blogs'],
  blogRevision: ['revision', 'revisions'],
  image: ['image', 'images'],
  product: ['product', 'products'],
  import: ['import', 'imports'],
  importError: ['failed row', 'failed rows'],
  visualCheck: ['visual check', 'visual checks'],
  event: ['event', 'events'],
  webhook: ['webhook', 'webhooks'],
  delivery: ['delivery', 'deliveries'],
  recovery: ['recovery', 'recoveries'],
  idempotency: ['idempotent response', 'idempotent responses'],
  usage: ['hour of usage', 'hours of usage'],
  file: ['file', 'files']
}

/** Counts by kind as text, such as `2 accounts, 1 blog`; null if there is nothing to report. */
export function formatCounts(counts: Record<string, number>): string | null {
  const parts = Object.entries(KIND_NAMES).flatMap(([kind, [singular, plural]]) => {
    const count = counts[kind] ?? 0
    return count === 0 ? [] : [countOf(count, singular, plural)]
  })
  return parts.length === 0 ? null : parts.join(', ')
}
