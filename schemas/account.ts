import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, Ref, Timestamp } from './fields.ts'

/** Requests an hour by plan (spec, section 8). */
export const PLANS = { starter: 100, sage: 500, samurai: 2000 } as const
export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]]

/**
 * What an operator may switch on and off for an account; every plan has all of them to begin with.
 */
export const FEATURES = ['blogs', 'images', 'products', 'visual-check', 'webhooks'] as const
export type Feature = (typeof FEATURES)[number]

export const Account = Type.Object(
  {
    id: Type.String(),
    plan: OneOf(PLAN_NAMES),
    requestsPerHour: Type.Integer({ minimum: 1, description: "The plan's limit, or the account's own" }),
    features: Type.Array(OneOf(FEATURES)),
    knownProjectsOnly: Type.Boolean({
      description: 'When true, a write that names an unknown project is refused instead of making it'
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
      description: "The account's own limit; null: the plan's"
    }),
    features: Type.Array(OneOf(FEATURES), { uniqueItems: true }),
    knownProjectsOnly: Type.Boolean()
  }),
  { $id: 'AccountAdminPatch', additionalProperties: false, minProperties: 1 }
)
export type AccountAdminPatch = Static<typeof AccountAdminPatch>

export const UsageHour = Type.Object(
  {
    hour: Timestamp({ description: 'When the hour began' }),
    requests: Type.Integer({ minimum: 0, description: 'Requests that were admitted' }),
    refused: Type.Integer({ minimum: 0, description: 'Requests that were answered 429' })
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
