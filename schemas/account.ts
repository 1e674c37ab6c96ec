import { Type, type Static, type TInteger, type TNull, type TUnion } from '@sinclair/typebox'
import { Nullable, OneOf, Ref, Timestamp } from './fields.ts'

/** Requests an hour by plan. */
export const PLANS = { starter: 100, sage: 500, samurai: 2000 } as const
export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]]

const GIB = 1024 ** 3

/** What an account may store, by plan. */
export const STORAGE_LIMITS = {
  starter: { bytes: 5 * GIB, blogs: 2_000, products: 100_000, images: 10_000 },
  sage: { bytes: 25 * GIB, blogs: 10_000, products: 500_000, images: 50_000 },
  samurai: { bytes: 100 * GIB, blogs: 50_000, products: 2_000_000, images: 250_000 }
} as const satisfies Record<Plan, Record<string, number>>
export const STORAGE_RESOURCES = ['bytes', 'blogs', 'products', 'images'] as const

const StorageLimit = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
const storageLimits = {
  bytes: StorageLimit('Bytes of records and uploaded files'),
  blogs: StorageLimit('Blogs in any state'),
  products: StorageLimit('Products of all projects'),
  images: StorageLimit('Uploaded images')
}
export type StorageLimits = Record<(typeof STORAGE_RESOURCES)[number], number>

/**
 * The features that an operator can enable for an account. All are enabled by default.
 */
export const FEATURES = ['blogs', 'images', 'products', 'visual-check', 'webhooks'] as const
export type Feature = (typeof FEATURES)[number]

export const Account = Type.Object(
  {
    id: Type.String(),
    plan: OneOf(PLAN_NAMES),
    requestsPerHour: Type.Integer({
      minimum: 1,
      description: 'The limit of the plan, or the custom limit of the account'
    }),
    features: Type.Array(OneOf(FEATURES)),
    storage: Type.Object(storageLimits, {
      description: 'The storage limits of the plan, or the custom limits of the account'
    }),
    countNotModified: Type.Boolean({
      description: 'Whether 304 responses count against the request limit'
    }),
    knownProjectsOnly: Type.Boolean({
      description: 'Whether writes to unknown projects are rejected. Otherwise they create the project'
    }),
    createdAt: Timestamp()
  },
  { $id: 'Account' }
)
export type Account = Static<typeof Account>

export const AccountPatch = Type.Partial(Type.Object({ knownProjectsOnly: Type.Boolean() }), {
  $id: 'AccountPatch',
  additionalProperties: false,
  minProperties: 1
})
export type AccountPatch = Static<typeof AccountPatch>

export const AccountAdminPatch = Type.Partial(
  Type.Object({
    plan: OneOf(PLAN_NAMES),
    requestsPerHour: Nullable(Type.Integer({ minimum: 1, maximum: 10_000_000 }), {
      description: 'A custom limit, or null for the limit of the plan'
    }),
    features: Type.Array(OneOf(FEATURES), { uniqueItems: true }),
    storage: Type.Partial(
      Type.Object(
        Object.fromEntries(STORAGE_RESOURCES.map((name) => [name, Nullable(storageLimits[name])])) as {
          [Name in (typeof STORAGE_RESOURCES)[number]]: TUnion<[TInteger, TNull]>
        }
      ),
      {
        additionalProperties: false,
        description: 'Custom storage limits, or null for the limit of the plan. Limits that are left out stay'
      }
    ),
    countNotModified: Type.Boolean({
      description:
        'With `false`, a 304 response is not counted if nothing of the account was published or changed since the ' +
        'process last made the response'
    }),
    knownProjectsOnly: Type.Boolean()
  }),
  { $id: 'AccountAdminPatch', additionalProperties: false, minProperties: 1 }
)
export type AccountAdminPatch = Static<typeof AccountAdminPatch>

export const UsageHour = Type.Object(
  {
    hour: Timestamp({ description: 'The start of the hour' }),
    requests: Type.Integer({ minimum: 0, description: 'The number of allowed requests' }),
    refused: Type.Integer({ minimum: 0, description: 'The number of requests with status 429' })
  },
  { $id: 'UsageHour' }
)
export type UsageHour = Static<typeof UsageHour>

const UsedAndLimit = (description: string) =>
  Type.Object({ used: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 0 }) }, { description })

export const Usage = Type.Object(
  {
    storage: Type.Object({
      bytes: UsedAndLimit('Bytes of records and uploaded files'),
      blogs: UsedAndLimit('Blogs in any state'),
      products: UsedAndLimit('Products of all projects'),
      images: UsedAndLimit('Uploaded images'),
      apiKeys: UsedAndLimit('Active API keys'),
      webhooks: UsedAndLimit('Webhooks')
    }),
    limit: Type.Integer({ minimum: 1 }),
    remaining: Type.Integer({ minimum: 0 }),
    resetAt: Timestamp(),
    hours: Type.Array(Ref(UsageHour))
  },
  { $id: 'Usage' }
)
export type Usage = Static<typeof Usage>
