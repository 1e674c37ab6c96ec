import { Type, type Static } from '@sinclair/typebox'

/** Every job there is and what it carries: ids only, the store has the rest. */
export const Jobs = {
  'publish-blog': Type.Object({ accountId: Type.String(), blogId: Type.String() }),
  'refresh-related': Type.Object({ accountId: Type.String() }),
  sweep: Type.Object({})
}
export type JobName = keyof typeof Jobs
export type JobPayload<N extends JobName> = Static<typeof Jobs[N]>
