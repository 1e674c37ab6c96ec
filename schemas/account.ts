import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, Ref, Timestamp } from './fields.ts'

/** Requests an hour by plan. */
export const PLANS = { starter: 100, sage: 500, samurai: 2000 } as const
export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]]

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

export const Usage = Type.Object(
  {
    limit: Type.Integer({ minimum: 1 }),
    remaining: Type.Integer({ minimum: 0 }),
    resetAt: Timestamp(),
    hours: Type.Array(Ref(UsageHour))
  },
  { $id: 'Usage' }
)
export type Usage = Static<typeof Usage>
