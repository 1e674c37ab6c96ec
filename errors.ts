interface ErrorDefinition {
  status: number
  /** The same for every occurrence of the code. */
  title: string
  /** How the caller can solve the problem. */
  advice: string
}
const define = (status: number, title: string, advice: string): ErrorDefinition => ({ status, title, advice })

const RETRY_LATER = 'Wait for the number of seconds in `Retry-After` and resend the request.'

/** Every error code of the API. */
export const ERRORS = {
  invalid_request: define(400, 'Invalid request', 'Fix the fields listed in `errors` and resend the request.'),
  malformed_json: define(400, 'Malformed JSON', 'Send a valid JSON document encoded in UTF-8.'),
  malformed_url: define(400, 'Malformed URL', 'Percent-encode the path as UTF-8.'),
  malformed_http: define(400, 'Malformed HTTP message', 'Send a well-formed HTTP/1.1 request.'),
  malformed_image: define(400, 'Unreadable image', 'Send a valid JPEG, PNG, WebP, AVIF or GIF file.'),
  unknown_image_variant: define(
    400,
    'Unsupported image width or format',
    'Use one of the widths and formats listed in `errors`.'
  ),
  credential_in_query: define(
    400,
    'Credential in the query string',
    'Send the key in the `X-Api-Key` or `Authorization` header, and rotate the key: URLs are logged.'
  ),
  invalid_idempotency_key: define(400, 'Invalid Idempotency-Key', 'Use 16 to 255 visible ASCII characters.'),
  batch_failed: define(
    400,
    'No valid products in the batch',
    'Fix the products listed in `errors` and resend the batch.'
  ),
  malformed_import: define(
    400,
    'Unreadable import file',
    'Send NDJSON or CSV encoded in UTF-8 or Windows-1252, optionally compressed with gzip.'
  ),
  unknown_columns: define(
    400,
    'Unknown CSV columns',
    'Rename the columns as documented at /docs/api, or assign columns to fields with the query parameter `map`. ' +
      '`suggestedMap` has values for it by the names of the columns.'
  ),
  webhook_address_refused: define(
    400,
    'Webhook URL not allowed',
    'Use an https URL on the public internet, with port 443 or 8443. ' +
      'The operator can allow other addresses with OUTBOUND_ALLOW.'
  ),
  url_not_allowed: define(
    400,
    'Page URL not allowed',
    'Use an http or https URL on the public internet, with port 80 or 443 and without a user name and password. ' +
      'The operator can allow other addresses with OUTBOUND_ALLOW.'
  ),
  reserved_slug: define(400, 'Reserved slug', 'Choose another slug: this one is a path of the API.'),
  unauthenticated: define(
    401,
    'Missing or invalid credential',
    'Send a valid API key to /api/v1, or a valid session token to the other endpoints under /api.'
  ),
  scope_missing: define(403, 'Missing scope', 'Add the scope named in `scope` to the key, or use another key.'),
  feature_not_in_plan: define(
    403,
    'Feature not enabled',
    'Ask the operator to enable the feature named in `feature` for the account.'
  ),
  storage_quota_exceeded: define(
    403,
    'Storage quota exceeded',
    'Delete what you no longer need, or ask the operator to raise the limit of `resource`. ' +
      'GET /api/account/usage shows the usage.'
  ),
  project_not_allowed: define(403, 'Project not allowed', 'Use an API key with access to this project.'),
  admin_only: define(403, 'Administrator required', 'Use a session token with the role admin.'),
  not_found: define(404, 'Not found', 'Compare the URL with the API documentation at /docs/api.'),
  blog_not_found: define(404, 'Blog not found', 'Check the slug or the id. Retrieve unpublished blogs by id.'),
  blog_gone: define(404, 'Blog deleted', 'Remove the page of the blog, or respond to requests for it with 410.'),
  revision_not_found: define(
    404,
    'Revision not found',
    'List the revisions of the blog with GET /api/v1/blogs/{blogId}/revisions. Old revisions are deleted.'
  ),
  image_not_found: define(
    404,
    'Image not found',
    'Check the blog id and the file name. Images of unpublished blogs require a preview token.'
  ),
  key_not_found: define(404, 'API key not found', 'List the API keys with GET /api/keys.'),
  project_not_found: define(404, 'Project not found', 'List the projects with GET /api/projects.'),
  product_not_found: define(404, 'Product not found', 'List the products with GET /api/v1/products.'),
  import_not_found: define(404, 'Import not found', 'List the imports with GET /api/v1/products/imports.'),
  webhook_not_found: define(404, 'Webhook not found', 'List the webhooks with GET /api/webhooks.'),
  delivery_not_found: define(
    404,
    'Delivery not found',
    'List the deliveries of the webhook. Deliveries are stored for at most 30 days.'
  ),
  recovery_not_found: define(
    404,
    'Recovery not found',
    'Start a recovery with POST /api/webhooks/{webhookId}/recover.'
  ),
  visual_check_not_found: define(
    404,
    'Visual check not found',
    'List the visual checks with GET /api/v1/blogs/{blogId}/visual-checks. Visual checks are kept for 30 days.'
  ),
  screenshot_not_found: define(
    404,
    'Screenshot not found',
    'Read the URLs of the screenshots from the visual check. Screenshots are kept for 30 days.'
  ),
  account_not_found: define(404, 'Account not found', 'Check the account id.'),
  method_not_allowed: define(405, 'Method not allowed', 'Use one of the methods in the `Allow` header.'),
  not_acceptable: define(
    406,
    'Not acceptable',
    'Set the `Accept` header to application/json, or to a media type named in `detail`.'
  ),
  request_timeout: define(408, 'Request timeout', 'Send the complete request without long pauses.'),
  slug_taken: define(409, 'Slug already in use', 'Choose another slug, or omit `slug` to have one generated.'),
  translation_exists: define(
    409,
    'Translation already exists',
    'Choose another `translationKey` or `locale`, or change the other blog first.'
  ),
  slug_ambiguous: define(
    409,
    'Slug in several projects',
    'Send `projectId`, or use the id of the blog instead of its slug.'
  ),
  blog_state_conflict: define(
    409,
    'Not allowed in the current state of the blog',
    'Read the blog and check its `status`.'
  ),
  edit_conflict: define(409, 'Concurrent change', 'Read the resource again and repeat the change.'),
  handle_taken: define(409, 'Handle already in use', 'Choose another handle.'),
  import_finished: define(409, 'Import already finished', 'Read the import. Change its products individually.'),
  webhook_disabled: define(409, 'Webhook disabled', 'Enable the webhook first.'),
  too_many_webhooks: define(409, 'Too many webhooks', 'Delete a webhook first.'),
  too_many_projects: define(409, 'Too many projects', 'Delete an empty project first, or use an existing one.'),
  too_many_images: define(409, 'Too many images of a blog', 'Delete images that the blog does not use first.'),
  too_many_keys: define(409, 'Too many API keys', 'Delete or disable an API key first.'),
  rotation_conflict: define(
    409,
    'Concurrent key rotation',
    'Use the value that the other rotation returned, or rotate the key again.'
  ),
  project_not_empty: define(409, 'Project not empty', 'Delete or move the blogs and products of the project first.'),
  project_exists: define(409, 'Project already exists', 'Change the project with PATCH.'),
  image_exists: define(409, 'Image already exists', 'Use the existing image, or delete it first.'),
  request_in_progress: define(409, 'Request with this Idempotency-Key in progress', RETRY_LATER),
  precondition_failed: define(
    412,
    'Precondition failed',
    'Read the resource again and resend the change with the new ETag in `If-Match`.'
  ),
  payload_too_large: define(413, 'Payload too large', 'Send a smaller body. `detail` names the limit.'),
  unsupported_media_type: define(
    415,
    'Unsupported media type',
    'Use a Content-Type that the endpoint accepts, as documented in /docs.'
  ),
  range_not_satisfiable: define(
    416,
    'Range not satisfiable',
    'Request a range within the length named in `Content-Range`.'
  ),
  expectation_failed: define(417, 'Expectation failed', 'Omit the `Expect` header, or send `100-continue`.'),
  idempotency_key_reused: define(
    422,
    'Idempotency-Key reused for another request',
    'Use a new Idempotency-Key for each request.'
  ),
  content_too_complex: define(
    422,
    'Content too complex',
    'Shorten or simplify the content named in `errors`, or split it into several blogs.'
  ),
  rate_limited: define(429, 'Rate limit exceeded', RETRY_LATER),
  too_many_visual_checks: define(429, 'Too many visual checks', RETRY_LATER),
  too_many_unfinished_visual_checks: define(
    429,
    'Too many unfinished visual checks',
    'Wait until one of the visual checks of the account has finished, and resend the request.'
  ),
  headers_too_large: define(431, 'Request headers too large', 'Send at most 16 KB of headers.'),
  internal: define(
    500,
    'Internal server error',
    'Resend the request. If the error persists, send the `requestId` to the operator.'
  ),
  unavailable: define(503, 'Service unavailable', RETRY_LATER),
  visual_check_failed: define(
    503,
    'Visual check failed',
    'The page was not scored because of a problem of the service. ' + RETRY_LATER
  ),
  busy: define(503, 'Server busy', RETRY_LATER)
} satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof ERRORS

/** An error of one input value. */
export interface FieldError {
  /** A JSON pointer (RFC 6901) into the body, or the name of a parameter. */
  pointer: string
  code: string
  message: string
}

export interface ProblemOptions {
  errors?: FieldError[]
  /** Response headers. */
  headers?: Record<string, string>
  /** Further members of the problem document (RFC 9457, section 3.2). */
  members?: Record<string, unknown>
  cause?: unknown
}

/** The only error that is thrown on purpose. Any other error is a bug, and becomes a 500. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly statusCode: number
  readonly options: ProblemOptions

  constructor(code: ErrorCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    this.statusCode = ERRORS[code].status
    this.options = options
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.statusCode >= 500 || this.statusCode === 429 || this.statusCode === 408
  }
}

/** Creates an API error. `detail` describes this occurrence to the caller, in one sentence. */
export function problem(code: ErrorCode, detail: string, options?: ProblemOptions): ApiError {
  return new ApiError(code, detail, options)
}

/** Prevents the start of the process. The message is printed to the operator; the exit code is 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
