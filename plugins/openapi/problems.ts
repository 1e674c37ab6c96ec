import { ERRORS, problem, type ErrorCode, type ProblemOptions } from '../../errors.ts'
import type { Response } from '../../lib/openapi/types.ts'
import { DEMO } from '../../schemas/examples/demo.ts'
import { toProblemDocument } from '../errors/problem.ts'
import { COMMON_HEADERS, headerRefs, type HeaderName } from './components.ts'
import type { DraftOperation, RouteInfo } from './operation.ts'

const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = [
  'request_in_progress',
  'idempotency_key_reused',
  'invalid_idempotency_key',
  'storage_quota_exceeded'
]

/** The error codes of an operation: those of its route, and those that follow from its input. */
export function errorCodesOf(operation: DraftOperation, route: RouteInfo, method: string): ErrorCode[] {
  const { access } = route
  const codes: ErrorCode[] = ['credential_in_query', 'internal', 'unavailable', ...route.errors]
  if (operation.requestBody !== undefined) codes.push('payload_too_large', 'unsupported_media_type')
  if (operation.requestBody?.content['application/json'] !== undefined) codes.push('malformed_json')
  if (operation.requestBody !== undefined || (operation.parameters ?? []).length > 0) codes.push('invalid_request')
  // Health probes are not rate limited.
  if (access.kind !== 'health') codes.push('rate_limited')
  if (access.kind === 'key' || access.kind === 'session') {
    codes.push('unauthenticated', 'not_acceptable', 'busy', ...(method === 'post' ? IDEMPOTENCY_ERRORS : []))
  }
  if (access.kind === 'key') codes.push('scope_missing', 'feature_not_in_plan')
  if (access.kind === 'session' && access.scope !== undefined) codes.push('scope_missing', 'project_not_allowed')
  if (access.kind === 'session' && access.admin === true) codes.push('admin_only')
  return [...new Set(codes)].sort()
}

/** The error responses, one for each status, with an example for each code. */
export function problemResponses(codes: readonly ErrorCode[]): Record<string, Response> {
  const byStatus = Object.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(Object.entries(byStatus).map(([status, group]) => [status, problemResponse(group!)]))
}

function problemResponse(codes: readonly ErrorCode[]): Response {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join('\n'),
    headers: headerRefs([...COMMON_HEADERS, ...codes.flatMap(headersOf)]),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
      }
    }
  }
}

function headersOf(code: ErrorCode): HeaderName[] {
  if (code === 'range_not_satisfiable') return ['ContentRange']
  if (ERRORS[code].status === 401) return ['WwwAuthenticate']
  return code === 'request_in_progress' || [429, 503].includes(ERRORS[code].status) ? ['RetryAfter'] : []
}

/** Example details. The type requires one for each code. */
const DETAILS: Record<ErrorCode, string | [string, ProblemOptions]> = {
  invalid_request: [
    '/title is required.',
    { errors: [{ pointer: '/title', code: 'required', message: 'is required' }] }
  ],
  malformed_json: "Body is not valid JSON but content-type is set to 'application/json'.",
  malformed_url: "'/api/v1/blogs/%E0%A4' is not a valid url component.",
  malformed_http: 'The message could not be parsed.',
  malformed_image: 'The file is not a JPEG, PNG, WebP, AVIF or GIF image.',
  unknown_image_variant: [
    'w must be one of 320, 640, 960, 1280, 1920.',
    { errors: [{ pointer: 'w', code: 'not_allowed', message: 'must be one of 320, 640, 960, 1280, 1920' }] }
  ],
  credential_in_query: 'The query string contains an API key.',
  invalid_idempotency_key: 'The Idempotency-Key must be 16 to 255 visible ASCII characters.',
  batch_failed: [
    'None of the 2 products is valid.',
    {
      members: { created: 0, updated: 0, unchanged: 0, failed: 2, warnings: [] },
      errors: [{ pointer: '/products/0/title', code: 'required', message: 'is required' }]
    }
  ],
  malformed_import: 'The gzip data is truncated.',
  unknown_columns: [
    'The file has the columns Title, Cost, SKU, but no column for externalId. ' +
      'Rename the column that contains it, such as SKU to externalId.',
    {
      errors: [
        {
          pointer: '/externalId',
          code: 'missing_column',
          message:
            'is required: rename a column of the file, or assign one with the query parameter `map`, ' +
            'such as SKU:externalId'
        }
      ],
      members: { suggestedMap: ['SKU:externalId'] }
    }
  ],
  webhook_address_refused: 'The webhook URL must be on the public internet.',
  url_not_allowed: [
    'The page must be on the public internet.',
    {
      errors: [
        {
          pointer: '/url',
          code: 'not_allowed',
          message: 'must be on the public internet; the operator can allow other hosts with OUTBOUND_ALLOW'
        }
      ]
    }
  ],
  reserved_slug: 'The slug "categories" is reserved for a path of the API.',
  unauthenticated: 'The credential is invalid or expired.',
  scope_missing: ['The API key lacks the scope blogs:write.', { members: { scope: 'blogs:write' } }],
  feature_not_in_plan: ['The account lacks the feature products.', { members: { feature: 'products' } }],
  storage_quota_exceeded: [
    'The account may store 2,000 blogs and already stores 2,000.',
    { members: { resource: 'blogs', used: 2000, limit: 2000 } }
  ],
  project_not_allowed: 'The API key is restricted to other projects.',
  admin_only: 'The session token lacks the role admin.',
  not_found: 'Nothing was found at /api/v1/posts.',
  blog_not_found: `No published blog has the slug "${DEMO.slug}".`,
  blog_gone: `The blog "${DEMO.slug}" was deleted.`,
  revision_not_found: 'The blog has no revision 3.',
  image_not_found: `The blog has no image "${DEMO.imageFilename}".`,
  key_not_found: 'There is no key with this id in the account.',
  project_not_found: 'The account has no project "harbor-coffee".',
  product_not_found: 'There is no product with this id in the account.',
  import_not_found: 'There is no import with this id in the account.',
  webhook_not_found: 'There is no webhook with this id in the account.',
  delivery_not_found: 'There is no delivery with this id in the account.',
  recovery_not_found: 'There is no recovery with this id in the account.',
  visual_check_not_found: 'The blog has no visual check with this id.',
  screenshot_not_found: 'The visual check has no screenshot "k3f9.webp".',
  account_not_found: `There is no account "${DEMO.accountId}".`,
  method_not_allowed: '/api/v1/blogs/categories accepts GET, HEAD, OPTIONS.',
  not_acceptable: 'This endpoint only returns application/json.',
  request_timeout: 'The request was not received in time.',
  slug_taken: `Another blog has the slug "${DEMO.slug}".`,
  translation_exists:
    'Another blog of the project "harbor-coffee" has the translation key "brewing" and the locale "en".',
  slug_ambiguous: [
    'Several projects have a blog with the slug "welcome": docs, shop.',
    { members: { projectIds: ['docs', 'shop'] } }
  ],
  blog_state_conflict: 'The blog is already published.',
  edit_conflict: 'The blog was changed by another request.',
  handle_taken:
    'Another product of this project already uses the handle "quay-blend-coffee-beans". Choose a different handle.',
  import_finished: 'The import cannot be cancelled: it ended at 2026-02-01T09:00:00.000Z.',
  webhook_disabled: 'The webhook is disabled.',
  too_many_webhooks: 'The account has 50 webhooks.',
  too_many_images: 'A blog may have at most 500 images.',
  too_many_keys: 'The account has 25 active keys.',
  too_many_projects: 'An account may have at most 1,000 projects. Delete an empty project first.',
  rotation_conflict: 'The key was rotated by another request.',
  project_not_empty: 'The project has 12 blogs.',
  project_exists: 'The account has a project "harbor-coffee".',
  image_exists: `The blog has an image "${DEMO.imageFilename}".`,
  request_in_progress: 'The first request with this Idempotency-Key is still in progress.',
  precondition_failed: 'The blog is at version 4.',
  payload_too_large: 'The body must not exceed 4194304 bytes.',
  unsupported_media_type: 'The Content-Type text/plain is not supported.',
  range_not_satisfiable: 'The image has 48213 bytes.',
  expectation_failed: 'The only supported expectation is 100-continue.',
  idempotency_key_reused: 'The Idempotency-Key was used with another URL, query or body.',
  content_too_complex: [
    'Rendering markdown takes more than 2 seconds of computing time.',
    { errors: [{ pointer: '/markdown', code: 'too_complex', message: 'takes too long to render; split the text' }] }
  ],
  rate_limited: 'The limit of 500 requests per hour has been reached. Retry in 30 s.',
  too_many_visual_checks: [
    'The account has reached its limit of 120 visual checks per hour.',
    { members: { limit: 120 } }
  ],
  too_many_unfinished_visual_checks: [
    'The account already has 4 queued or running visual checks.',
    { members: { limit: 4 } }
  ],
  visual_check_failed: [
    'No browser could be started.',
    { members: { checkId: '0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f' } }
  ],
  headers_too_large: 'The request headers exceed 16 KB.',
  internal: 'The failure has been logged under this request id.',
  unavailable: 'The service is shutting down.',
  busy: 'Too many images are being processed.'
}

/** Example instances, where the default does not fit. */
const INSTANCES: Partial<Record<ErrorCode, string>> = {
  not_found: 'Nothing was found at /api/v1/posts.',
  key_not_found: 'There is no key with this id in the account.',
  admin_only: `/api/admin/accounts/${DEMO.accountId}`,
  account_not_found: `/api/admin/accounts/${DEMO.accountId}`,
  method_not_allowed: '/api/v1/blogs/categories accepts GET, HEAD, OPTIONS.'
}

/** An example problem document of a code, for a service at `publicUrl`. */
export function problemExample(code: ErrorCode, publicUrl: string): Record<string, unknown> {
  const [detail, options] = [DETAILS[code]].flat() as [string, ProblemOptions?]
  return toProblemDocument(problem(code, detail, options), {
    docsUrl: `${publicUrl}/docs/errors`,
    instance: INSTANCES[code] ?? `/api/v1/blogs/${DEMO.slug}`,
    requestId: '9f1c2ab47d3e-4k'
  })
}
