import type { Files } from '../ports/files/port.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { Queue } from '../ports/queue/port.ts'
import type { Store } from '../ports/store/port.ts'
import type { Plan } from '../schemas/account.ts'
import { createAccounts } from './accounts.ts'
import { createApiKeys } from './api-keys/index.ts'
import { createBlogImport } from './blog-import.ts'
import { createBlogs } from './blogs/index.ts'
import { createDemo } from './demo.ts'
import { createExport } from './export.ts'
import { createGate } from './gate/index.ts'
import { createSessions, type SessionSettings } from './gate/sessions.ts'
import { createIdempotency } from './idempotency.ts'
import { createImageLibrary } from './image-library.ts'
import { createProjects } from './projects.ts'
import { createRelatedBlogs } from './related-blogs.ts'
import { createSweeper } from './sweeper.ts'
import { createUsage } from './usage.ts'

export interface Ports { store: Store, queue: Queue, limits: Limits, files: Files }

export interface ServiceSettings {
  brand: string
  defaultPlan: Plan
  /** Requests an hour without a valid credential, by client address. */
  addressLimit: number
  sessions: SessionSettings
  /** Signs preview links. */
  previewKey: Buffer
  publicUrl: () => string
}

export type Services = ReturnType<typeof createServices>

/** The table of contents: everything that the platform does. */
export function createServices ({ store, queue, limits, files }: Ports, settings: ServiceSettings) {
  const { brand, publicUrl, previewKey } = settings
  const accounts = createAccounts({ store, limits, defaultPlan: settings.defaultPlan })
  const usage = createUsage({ store })
  const projects = createProjects({ store, limits })
  const images = createImageLibrary({ store, files, previewKey, publicUrl })
  const blogs = createBlogs({ store, queue, limits, projects, images, publicUrl })
  const apiKeys = createApiKeys({ store, limits, brand })
  const blogImport = createBlogImport({ store, blogs })
  const idempotency = createIdempotency({ store })
  return {
    accounts,
    apiKeys,
    blogImport,
    blogs,
    demo: createDemo({ store, accounts, projects, apiKeys, blogImport }),
    export: createExport({ store, files }),
    gate: createGate({ store, limits, accounts, sessions: createSessions(settings.sessions), usage, brand, addressLimit: settings.addressLimit }),
    health: { ready: () => store.ping() },
    idempotency,
    images,
    projects,
    relatedBlogs: createRelatedBlogs({ store, limits }),
    sweeper: createSweeper({ store, blogs, idempotency }),
    usage
  }
}
