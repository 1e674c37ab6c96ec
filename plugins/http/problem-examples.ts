import { problem, type ErrorCode, type ProblemOptions } from '../../errors.ts'
import { problemBody } from './problem.ts'

/** What happened, in the words of one occasion; the type makes sure that no code is without. */
const DETAILS: Record<ErrorCode, string | [string, ProblemOptions]> = {
  invalid_request: [
    '/title is required.',
    { errors: [{ pointer: '/title', code: 'required', message: 'is required' }] }
  ],
  malformed_json: "Body is not valid JSON but content-type is set to 'application/json'.",
  malformed_url: "'/api/v1/blogs/%E0%A4' is not a valid url component.",
  malformed_http: 'The message could not be parsed.',
  malformed_image: 'The bytes are not those of a JPEG, PNG, WebP, AVIF or GIF file.',
  unknown_image_variant: [
    'w must be one of 320, 640, 960, 1280, 1920.',
    { errors: [{ pointer: 'w', code: 'not_allowed', message: 'must be one of 320, 640, 960, 1280, 1920' }] }
  ],
  credential_in_query: 'The query string holds an API key.',
  invalid_idempotency_key: 'The Idempotency-Key is not 16 to 255 visible ASCII characters.',
  batch_failed: [
    'None of the 2 products could be taken.',
    {
      members: { created: 0, updated: 0, unchanged: 0, failed: 2, warnings: [] },
      errors: [{ pointer: '/products/0/title', code: 'required', message: 'is required' }]
    }
  ],
  malformed_import: 'The gzip data end in the middle.',
  unknown_columns: 'No column holds the title.',
  webhook_address_refused: 'Events may not be sent to this address.',
  url_not_allowed: [
    'This address may not be checked: a page has to be on the public internet.',
    { errors: [{ pointer: '/url', code: 'not_allowed', message: 'may not be checked' }] }
  ],
  reserved_slug: 'The slug "categories" is a path of the interface.',
  unauthenticated: 'The credential is not valid.',
  scope_missing: ['The key lacks the scope blogs:write.', { members: { scope: 'blogs:write' } }],
  feature_not_in_plan: ['The account lacks the feature products.', { members: { feature: 'products' } }],
  project_not_allowed: 'The key is confined to other projects.',
  admin_only: 'The session token lacks the role admin.',
  not_found: 'There is nothing at /api/v1/posts.',
  blog_not_found: 'There is no published blog with the slug "brewing-better-coffee".',
  blog_gone: 'The blog "brewing-better-coffee" was deleted.',
  image_not_found: 'The blog has no image "roaster.webp".',
  key_not_found: 'The account has no such key.',
  project_not_found: 'The account has no project "harbour-coffee".',
  product_not_found: 'There is no such product in this account.',
  import_not_found: 'There is no such import in this account.',
  webhook_not_found: 'There is no such webhook in this account.',
  delivery_not_found: 'There is no such delivery in this account.',
  recovery_not_found: 'There is no such recovery in this account.',
  visual_check_not_found: 'There is no such visual check of this blog.',
  screenshot_not_found: 'The visual check has no picture "k3f9.webp".',
  account_not_found: 'There is no account "acme".',
  method_not_allowed: '/api/v1/blogs/categories takes GET, HEAD, OPTIONS.',
  not_acceptable: 'Only application/json is offered.',
  request_timeout: 'The request did not arrive in time.',
  slug_taken: 'Another blog has the slug "brewing-better-coffee".',
  blog_state_conflict: 'The blog is published already.',
  edit_conflict: 'The blog was changed by somebody else.',
  handle_taken: 'Another product has the handle "quay-blend-coffee-beans".',
  import_finished: 'The import ended at 2026-02-01T09:00:00.000Z.',
  webhook_disabled: 'The webhook was disabled.',
  too_many_webhooks: 'The account has 50 webhooks.',
  too_many_keys: 'The account has 25 active keys.',
  rotation_conflict: 'The key was rotated by another request.',
  project_not_empty: 'The project has 12 blogs.',
  project_exists: 'The account has a project "harbour-coffee".',
  image_exists: 'The blog has an image "roaster.webp".',
  request_in_progress: 'The first request with this Idempotency-Key has not been answered yet.',
  precondition_failed: 'The blog is at version 4.',
  payload_too_large: 'The body is larger than 4 MB.',
  unsupported_media_type: 'text/plain is not taken here.',
  range_not_satisfiable: 'The image has 48213 bytes.',
  expectation_failed: 'Only 100-continue can be expected.',
  idempotency_key_reused: 'The Idempotency-Key belongs to a request with another address, query or body.',
  rate_limited: '500 requests in an hour were sent.',
  too_many_visual_checks: ['4 visual checks of the account wait or run.', { members: { reason: 'at_once', limit: 4 } }],
  headers_too_large: 'The headers are larger than 16 KB.',
  internal: 'The request failed for a reason that is not yours. It was noted.',
  unavailable: 'The service is stopping.',
  busy: 'Too many images are being made.'
}

/** Where it happened, when that says more than the usual place. */
const INSTANCES: Partial<Record<ErrorCode, string>> = {
  not_found: '/api/v1/posts',
  key_not_found: '/api/keys/0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11',
  admin_only: '/api/admin/accounts/acme',
  account_not_found: '/api/admin/accounts/acme',
  method_not_allowed: '/api/v1/blogs/categories'
}

/** A problem document as a caller gets it for this code, on a service at `publicUrl`. */
export function problemExample(code: ErrorCode, publicUrl: string): Record<string, unknown> {
  const [detail, extra] = [DETAILS[code]].flat() as [string, ProblemOptions?]
  return problemBody(problem(code, detail, extra), {
    docsUrl: `${publicUrl}/docs/errors`,
    instance: INSTANCES[code] ?? '/api/v1/blogs/brewing-better-coffee',
    requestId: '9f1c2ab47d3e-4k'
  })
}
