import { DEFAULT_ARTICLE_STYLE } from '../default-article-style.ts'
import { FEATURES, STORAGE_LIMITS } from '../account.ts'
import { DEMO } from './demo.ts'

const createdAt = '2026-01-12T08:15:00.000Z'
const account = {
  id: DEMO.accountId,
  plan: 'samurai',
  requestsPerHour: 2000,
  features: [...FEATURES],
  storage: STORAGE_LIMITS.samurai,
  countNotModified: true,
  knownProjectsOnly: false,
  createdAt
}
const key = {
  id: DEMO.apiKeyId,
  name: 'Website build',
  scopes: ['blogs:read', 'images:read'],
  status: 'active',
  prefix: 'svc_pk_EXAM',
  last4: 'MPLE',
  projectIds: null,
  generation: 1,
  createdAt,
  updatedAt: createdAt,
  expiresAt: null,
  lastUsedAt: '2026-01-31T09:04:12.318Z'
}
const project = {
  id: DEMO.projectId,
  name: 'Harbor Coffee',
  siteUrl: 'https://harbor-coffee.example',
  blogPath: '/journal',
  categoryPath: '/journal/category/{category}',
  brandName: 'Harbor Coffee',
  optimize: 'auto',
  ...DEFAULT_ARTICLE_STYLE,
  maxWidth: '46rem',
  accentColor: '#7b3f00',
  locale: null,
  visualCheck: { every: '1d' },
  createdAt,
  updatedAt: createdAt
}
const storageUsage = {
  bytes: { used: 214_748_364, limit: 26_843_545_600 },
  blogs: { used: 214, limit: 10_000 },
  products: { used: 5120, limit: 500_000 },
  images: { used: 431, limit: 50_000 },
  apiKeys: { used: 3, limit: 25 },
  webhooks: { used: 1, limit: 50 }
}
const hour = { hour: '2026-01-31T09:00:00.000Z', requests: 214, refused: 0 }

const auditEntry = {
  id: '0198e6b0-52a1-7c3e-8f0a-3b1c5d7e9f11',
  createdAt: '2026-01-31T09:04:12.449Z',
  actor: { type: 'key', id: key.id, name: key.name, prefix: `${key.prefix}…${key.last4}` },
  action: 'blog.published',
  target: { type: 'blog', id: '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11', label: 'Brewing better coffee' },
  projectId: project.id,
  changes: [],
  requestId: '4f1d2c3b5a69-1z',
  ipAddress: '203.0.113.7'
}

/**
 * An invented account with its keys and projects. The value of the key is none that could ever be
 * valid.
 */
export const peopleExamples = {
  Account: account,
  AccountPatch: { knownProjectsOnly: true },
  AccountAdminPatch: { plan: 'samurai', requestsPerHour: null },
  Usage: { storage: storageUsage, limit: 500, remaining: 286, resetAt: '2026-01-31T10:00:00.000Z', hours: [hour] },
  UsageHour: hour,
  ApiKey: key,
  ApiKeyList: { keys: [key] },
  ApiKeyInput: { name: key.name, scopes: key.scopes },
  ApiKeyPatch: { disabled: true },
  ApiKeyWithValue: { ...key, lastUsedAt: null, key: `svc_pk_EXAMPLE${'0'.repeat(38)}EXAMPLE` },
  AuditEntry: auditEntry,
  AuditList: { entries: [auditEntry], nextCursor: null },
  Session: {
    token: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE',
    accountId: DEMO.accountId,
    expiresAt: '2026-01-31T17:04:12.318Z'
  },
  SessionInput: { linkToken: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE' },
  Project: project,
  ProjectList: { projects: [project] },
  ProjectInput: {
    id: 'harbor-tea',
    name: 'Harbor Tea',
    siteUrl: 'https://harbor-tea.example',
    blogPath: '/journal'
  },
  ProjectPatch: { siteUrl: project.siteUrl, colorScheme: 'auto', maxWidth: '46rem', accentColor: 'var(--brand)' }
}
