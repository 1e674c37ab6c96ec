import { Type, type Static } from '@sinclair/typebox'

const project = Type.Object({ accountId: Type.String(), projectId: Type.String() })

/** Every job and its payload. Payloads contain ids only; the data is in the store. */
export const Jobs = {
  'publish-blog': Type.Object({ accountId: Type.String(), blogId: Type.String() }),
  'refresh-related': Type.Object({ accountId: Type.String() }),
  'import-products': Type.Object({ accountId: Type.String(), importId: Type.String() }),
  'optimize-products': project,
  'check-product-images': project,
  'publish-product-events': project,
  'fan-out-events': Type.Object({ accountId: Type.String() }),
  'deliver-webhooks': Type.Object({ accountId: Type.String(), webhookId: Type.String() }),
  'recover-deliveries': Type.Object({ accountId: Type.String(), recoveryId: Type.String() }),
  'run-visual-check': Type.Object({ accountId: Type.String(), checkId: Type.String() }),
  sweep: Type.Object({})
}
export type JobName = keyof typeof Jobs
export type JobPayload<N extends JobName> = Static<(typeof Jobs)[N]>
