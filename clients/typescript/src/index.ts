export { type ClientOptions, type ContentClient, createClient, type Method } from './client.ts'
export { type EtagStore, memoryEtagStore, type StoredResponse } from './etags.ts'
export type { ListItem, ListOptions, ListPath } from './lists.ts'
export type * from './openapi.ts'
export { ProblemError } from './problem.ts'
export type { Fetch, RetryOptions } from './retry.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookErrorCode,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError
} from './webhooks.ts'
