import type { Browser } from '../ports/browser/port.ts'
import type { Files } from '../ports/files/port.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { Outbound } from '../ports/outbound/port.ts'
import type { Queue } from '../ports/queue/port.ts'
import type { AuditRecord, Store } from '../ports/store/port.ts'
import type { Plan } from '../schemas/account.ts'
import { createAccounts } from './accounts.ts'
import { createApiKeys } from './api-keys/index.ts'
import { createAudit, type AuditSettings } from './audit.ts'
import { createBlogImport } from './blog-import.ts'
import { createBlogs } from './blogs/index.ts'
import { createCounters, increment, type Counters } from './counters.ts'
import { createDemo } from './demo/index.ts'
import { createEvents } from './events/index.ts'
import { createProductEvents } from './events/product-events.ts'
import { createAuth } from './auth/index.ts'
import { createSessions, type SessionSettings } from './auth/sessions.ts'
import { createSignInLinks } from './auth/sign-in-links.ts'
import { createGeneratedFiles, type GeneratedFilesOptions } from './generated-files.ts'
import { createHealth, type HealthOptions } from './health.ts'
import { createIdempotency, type IdempotencySettings } from './idempotency.ts'
import { createImageLibrary } from './image-library.ts'
import type { ImageProcessor } from './images/processor/index.ts'
import { createImports } from './imports/index.ts'
import { createOptimizer } from './optimizer/index.ts'
import { createOptimizationPreview } from './optimizer/preview.ts'
import { createSeoProvider, type SeoProviderSettings } from './optimizer/provider/index.ts'
import { createProducts } from './products/index.ts'
import { createProductImages } from './products/images.ts'
import type { SchemaValidator } from './products/input.ts'
import { createProductWriter } from './products/write.ts'
import { createProjectCache } from './project-cache.ts'
import { createProjects } from './projects.ts'
import { createQueues } from './queues.ts'
import type { Renderer } from './rendering/index.ts'
import { createBulkChanges } from './blogs/related/bulk-changes.ts'
import { createRelatedBlogs } from './blogs/related/refresh.ts'
import { createStorageQuota, type StorageOptions } from './storage.ts'
import { createSweeper } from './sweeper.ts'
import { createTransfer } from './transfer/index.ts'
import { createUsage } from './usage.ts'
import { createVisualChecks, type VisualCheckOptions } from './visual-checks/index.ts'
import type { EventLogOptions } from './webhooks/event-trimmer.ts'
import { createWebhooks } from './webhooks/index.ts'

export interface Ports {
  store: Store
  queue: Queue
  limits: Limits
  files: Files
  outbound: Outbound
  browser: Browser
  renderer: Renderer
  imageProcessor: ImageProcessor
}

export interface ServiceSettings {
  brand: string
  defaultPlan: Plan
  /** Hourly request limit of a client address without a valid credential. */
  addressLimit: number
  imageVariantLimit: number
  sessions: SessionSettings
  /**
   * Keys of 32 bytes. The first encrypts stored secrets and signs preview links; the others only
   * decrypt and verify what they signed before.
   */
  secretsKeys: readonly Buffer[]
  /** Waits, pauses and periods of webhooks are divided by it. */
  webhookTimeScale: number
  /** Hourly limit of visual checks for each account; 0: only the limit of the plan applies. */
  visualChecksPerHour: number
  /** How visual checks recover and are kept. */
  visualChecks?: Partial<VisualCheckOptions>
  /** The language model service; null: the optimizer uses rules only. */
  optimizer: Omit<SeoProviderSettings, 'send' | 'consume'> | null
  /** Validates a value against a schema and returns its field errors. */
  fieldErrors: SchemaValidator
  publicUrl: () => string
  /** How many earlier revisions of a blog are stored. */
  keepRevisions: number
  /** Memory of images that are decoded or encoded at once, in bytes. */
  imageMemory: number
  /** This process runs jobs only and serves no requests besides health checks. */
  workerOnly?: boolean
  /** Counters that the metrics plugin exports. Default: counters that nobody reads. */
  counters?: Counters
  /** How often the storage of an account is measured. */
  storage?: StorageOptions
  /** How the event logs of accounts are limited, and what is called with deleted events. */
  eventLog?: EventLogOptions
  /** How the generated files of accounts are limited, and what is called with deleted ones. */
  generatedFiles?: GeneratedFilesOptions
  /** How often health checks write to the store and the files. */
  health?: HealthOptions
  /** How long the audit log is kept. */
  audit: AuditSettings
  /** Receives entries of the audit log that could not be stored. Default: ignores them. */
  onAuditLost?: (entry: AuditRecord) => void
  /** How long unfinished claims of Idempotency-Keys are honored. */
  idempotency?: IdempotencySettings
  /** Receives errors of work in the background that may be lost. Default: ignores them. */
  onError?: (error: unknown) => void
}

export type Services = ReturnType<typeof createServices>

/** Reads the content epoch of an account. Counts nothing. */
function readContentEpoch(limits: Limits, accountId: string): number | Promise<number> {
  const result = limits.consume({ bucket: `account:${accountId}`, limit: 1, cost: 0, account: accountId })
  return result instanceof Promise ? result.then(({ contentEpoch }) => contentEpoch) : result.contentEpoch
}

/** All services of the platform. This file is the table of contents. */
export function createServices(
  { store, queue, limits, files, outbound, browser, renderer, imageProcessor }: Ports,
  settings: ServiceSettings
) {
  const {
    brand,
    publicUrl,
    secretsKeys,
    fieldErrors: check,
    workerOnly = false,
    counters = createCounters()
  } = settings
  const storage = createStorageQuota({ store, defaultPlan: settings.defaultPlan }, settings.storage)
  const accounts = createAccounts({ store, limits, storageQuota: storage, defaultPlan: settings.defaultPlan })
  const usage = createUsage({ store })
  const onError = settings.onError ?? (() => {})
  const audit = createAudit({ store, settings: settings.audit, onLost: settings.onAuditLost ?? (() => {}), onError })
  const projects = createProjects({ store, limits })
  const generatedFiles = createGeneratedFiles(
    { store, files, storage },
    {
      onError,
      ...settings.generatedFiles,
      onTrimmed: (trimmed) => {
        increment(counters.trimmedFiles, trimmed.kind, trimmed.files)
        settings.generatedFiles?.onTrimmed?.(trimmed)
      }
    }
  )
  const images = createImageLibrary({
    store,
    files,
    generatedFiles,
    imageProcessor,
    previewKeys: secretsKeys,
    publicUrl,
    imageMemory: settings.imageMemory,
    contentEpoch: (accountId) => readContentEpoch(limits, accountId)
  })
  const bulkChanges = createBulkChanges()
  const blogs = createBlogs({
    store,
    queue,
    limits,
    projects,
    images,
    renderer,
    storage,
    projectCache: createProjectCache({ store }),
    bulkChanges,
    audit,
    publicUrl,
    keepRevisions: settings.keepRevisions,
    onError
  })
  const apiKeys = createApiKeys({ store, limits, brand })
  const blogImport = createBlogImport({ store, blogs })
  const idempotency = createIdempotency({ store, storage }, settings.idempotency)
  const writer = createProductWriter({ store, queue, storage })
  const products = createProducts({ store, queue, projects, writer, check })
  const imports = createImports({ store, files, queue, projects, writer, storage, check })
  const provider =
    settings.optimizer === null
      ? null
      : createSeoProvider({ send: outbound.send, consume: limits.consume, ...settings.optimizer })
  const webhooks = createWebhooks(
    { store, queue, outbound, audit, storage },
    { secretsKeys, brand, timeScale: settings.webhookTimeScale, counters, eventLog: settings.eventLog }
  )
  const visualChecks = createVisualChecks(
    {
      store,
      queue,
      files,
      generatedFiles,
      limits,
      browser,
      imageProcessor,
      outbound,
      blogs,
      counts: counters,
      checksPerHour: settings.visualChecksPerHour,
      publicUrl
    },
    settings.visualChecks
  )
  return {
    accounts,
    apiKeys,
    audit,
    blogImport,
    blogs,
    demo: createDemo({
      store,
      accounts,
      projects,
      apiKeys,
      blogs,
      blogImport,
      imports,
      products,
      visualChecks,
      webhooks,
      publicUrl
    }),
    events: createEvents({ store }),
    auth: createAuth({
      store,
      limits,
      accounts,
      sessions: createSessions(settings.sessions),
      usage,
      brand,
      addressLimit: settings.addressLimit,
      imageVariantLimit: settings.imageVariantLimit,
      counts: counters
    }),
    generatedFiles,
    health: createHealth({ store, files, limits, queue, workerOnly }, settings.health),
    idempotency,
    images,
    imports,
    optimizationPreview: createOptimizationPreview({ store, provider }),
    optimizer: createOptimizer({ store, queue, provider }),
    productPictures: createProductImages({ store, queue, outbound }),
    products,
    projects,
    queues: createQueues({ queue }),
    signInLinks: createSignInLinks({ store, settings: settings.sessions }),
    relatedBlogs: createRelatedBlogs({ store, limits, queue, bulkChanges }),
    storage,
    sweeper: createSweeper({ store, queue, audit, blogs, idempotency, imports, visualChecks, webhooks }),
    productEvents: createProductEvents({ store, queue }),
    transfer: createTransfer({ store, files, limits, secretsKeys }),
    usage,
    visualChecks,
    webhooks
  }
}
