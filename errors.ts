/**
 * Every way the platform says no: one row a code. `title` is the same sentence for every
 * occurrence, `advice` is the way out.
 */
interface ErrorKind {
  status: number
  title: string
  advice: string
}
const defineError = (status: number, title: string, advice: string): ErrorKind => ({ status, title, advice })

export const ERRORS = {
  invalid_request: defineError(
    400,
    'The request is not valid',
    'Mend the fields that errors[] names and send it again.'
  ),
  malformed_json: defineError(400, 'The body is not JSON', 'Send a JSON document encoded in UTF-8.'),
  malformed_url: defineError(400, 'The address cannot be decoded', 'Percent-encode the path as UTF-8.'),
  malformed_http: defineError(400, 'The message is not HTTP', 'Send a well-formed HTTP/1.1 request.'),
  malformed_image: defineError(
    400,
    'The picture cannot be read',
    'Send a JPEG, PNG, WebP, AVIF or GIF file that opens in an image viewer.'
  ),
  unknown_image_variant: defineError(
    400,
    'This width or format is not offered',
    'Use a width and a format of the lists that the answer names.'
  ),
  credential_in_query: defineError(
    400,
    'A key does not belong in an address',
    'Send the key in the X-Api-Key or the Authorization header, and rotate it: addresses are logged.'
  ),
  invalid_idempotency_key: defineError(
    400,
    'The Idempotency-Key is not valid',
    'Use 16 to 255 visible ASCII characters.'
  ),
  batch_failed: defineError(
    400,
    'No product of the batch could be taken',
    'Mend the rows that errors[] names and send them again.'
  ),
  malformed_import: defineError(
    400,
    'The file cannot be read',
    'Send NDJSON or CSV in UTF-8 or Windows-1252, packed with gzip or not at all.'
  ),
  unknown_columns: defineError(
    400,
    'The columns of the CSV are not known',
    'Name the columns as in /docs, or tell with map which column is which field.'
  ),
  webhook_address_refused: defineError(
    400,
    'Events may not be sent to this address',
    'Use an https address on the public internet, on port 443 or 8443; the operator can allow others.'
  ),
  url_not_allowed: defineError(
    400,
    'This address may not be checked',
    'Use an http or https address on the public internet, on port 80 or 443, without a name and password in it; the operator can allow others.'
  ),
  reserved_slug: defineError(400, 'This slug is reserved', 'Choose another slug: this one is a path of the interface.'),
  unauthenticated: defineError(
    401,
    'The credential is missing, invalid or expired',
    'Send a valid API key to /api/v1, and a valid session token to the other addresses under /api.'
  ),
  scope_missing: defineError(
    403,
    'The key lacks the scope that this needs',
    'Give the key the scope that the answer names, or use another key.'
  ),
  feature_not_in_plan: defineError(
    403,
    'The account lacks the feature that this needs',
    'Ask the operator to switch on the feature that the answer names.'
  ),
  project_not_allowed: defineError(403, 'The key may not act on this project', 'Use a key of that project.'),
  admin_only: defineError(403, 'Only an administrator may do this', 'Use a session token with the role admin.'),
  not_found: defineError(404, 'There is nothing at this address', 'Check the address against /docs.'),
  blog_not_found: defineError(404, 'There is no such blog', 'Check the slug or the id; a draft is read by its id.'),
  blog_gone: defineError(404, 'This blog was deleted', 'Remove the page, or answer 410 for it.'),
  image_not_found: defineError(
    404,
    'There is no such image',
    'Check the blog id and the file name; the images of a blog that is not published need a preview token.'
  ),
  key_not_found: defineError(404, 'There is no such key', 'List the keys with GET /api/keys.'),
  project_not_found: defineError(404, 'There is no such project', 'List the projects with GET /api/projects.'),
  product_not_found: defineError(404, 'There is no such product', 'List the products with GET /api/v1/products.'),
  import_not_found: defineError(404, 'There is no such import', 'List the imports with GET /api/v1/products/imports.'),
  webhook_not_found: defineError(404, 'There is no such webhook', 'List the webhooks with GET /api/webhooks.'),
  delivery_not_found: defineError(
    404,
    'There is no such delivery',
    'List the deliveries of the webhook; they are kept for 30 days.'
  ),
  recovery_not_found: defineError(
    404,
    'There is no such recovery',
    'Start one with POST /api/webhooks/{webhookId}/recover.'
  ),
  visual_check_not_found: defineError(
    404,
    'There is no such visual check',
    'List the checks with GET /api/v1/blogs/{blogId}/visual-checks; they are kept for 30 days.'
  ),
  screenshot_not_found: defineError(
    404,
    'There is no such picture',
    'Take the addresses of pictures from the visual check; they are kept for 30 days.'
  ),
  account_not_found: defineError(404, 'There is no such account', 'Check the account id.'),
  method_not_allowed: defineError(
    405,
    'This address does not take this method',
    'Use a method that the Allow header names.'
  ),
  not_acceptable: defineError(
    406,
    'None of the accepted forms is offered',
    'Accept application/json, or the type that the answer names.'
  ),
  request_timeout: defineError(408, 'The request did not arrive in time', 'Send the whole request without a pause.'),
  slug_taken: defineError(409, 'Another blog uses this slug', 'Choose another slug, or leave it out to have one made.'),
  blog_state_conflict: defineError(
    409,
    'The blog is in a state that does not allow this',
    'Read the blog, and act on its present state.'
  ),
  edit_conflict: defineError(
    409,
    'Somebody else changed this at the same moment',
    'Read it again, and repeat the change.'
  ),
  handle_taken: defineError(409, 'Another product of the project has this handle', 'Choose another handle.'),
  import_finished: defineError(
    409,
    'The import has ended already',
    'Read the import; its products can be changed one by one.'
  ),
  webhook_disabled: defineError(409, 'The webhook is disabled', 'Enable it first.'),
  too_many_webhooks: defineError(409, 'The account has as many webhooks as it may', 'Delete one first.'),
  too_many_keys: defineError(409, 'The account has as many active keys as it may', 'Delete or disable a key first.'),
  rotation_conflict: defineError(
    409,
    'The key was rotated at the same moment',
    'Use the value that the other rotation gave, or rotate again.'
  ),
  project_not_empty: defineError(409, 'The project still has content', 'Delete or move its blogs and products first.'),
  project_exists: defineError(409, 'The project exists already', 'Change it with PATCH.'),
  image_exists: defineError(409, 'The blog has this image already', 'Use the image that is there, or delete it first.'),
  request_in_progress: defineError(
    409,
    'A request with this Idempotency-Key is still running',
    'Wait for the time that Retry-After names, and send it again.'
  ),
  precondition_failed: defineError(
    412,
    'It changed since you read it',
    'Read it again, and send the change with its new ETag in If-Match.'
  ),
  payload_too_large: defineError(413, 'The body is too large', 'Send less at once; the answer names the limit.'),
  unsupported_media_type: defineError(
    415,
    'This Content-Type is not taken here',
    'Use a Content-Type that the address takes, see /docs.'
  ),
  range_not_satisfiable: defineError(
    416,
    'The range lies outside the file',
    'Ask for bytes within the length that Content-Range names.'
  ),
  expectation_failed: defineError(
    417,
    'This Expect header cannot be met',
    'Leave out the Expect header, or send 100-continue.'
  ),
  idempotency_key_reused: defineError(
    422,
    'The Idempotency-Key was used for another request',
    'Use a new key for a new request.'
  ),
  rate_limited: defineError(
    429,
    'The limit of requests is used up',
    'Wait for the time that Retry-After names, and send it again.'
  ),
  too_many_visual_checks: defineError(
    429,
    'The account has as many visual checks as it may',
    'Wait for the time that Retry-After names, and send it again.'
  ),
  headers_too_large: defineError(431, 'The headers are too large', 'Send less than 16 KB of headers.'),
  internal: defineError(
    500,
    'Something went wrong on our side',
    'Repeat the request; if it fails again, tell the operator the requestId.'
  ),
  unavailable: defineError(
    503,
    'The service cannot answer just now',
    'Wait for the time that Retry-After names, and send it again.'
  ),
  busy: defineError(
    503,
    'Too much of this is running just now',
    'Wait for the time that Retry-After names, and send it again.'
  )
} satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERRORS

/**
 * One thing that is wrong with the input: where (RFC 6901 pointer into the body, or the parameter's
 * name), what, and the way out.
 */
export interface FieldError {
  pointer: string
  code: string
  message: string
}

/**
 * What a refusal may carry besides its sentence. `members` are further members of the problem
 * document (RFC 9457, section 3.2).
 */
export interface ProblemOptions {
  errors?: FieldError[]
  headers?: Record<string, string>
  members?: Record<string, unknown>
  cause?: unknown
}

/** The only error the platform throws on purpose. Anything else is a bug. */
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

  /** True when the same request may succeed later without a change of its own. */
  get retryable(): boolean {
    return this.statusCode >= 500 || this.statusCode === 429 || this.statusCode === 408
  }
}

/**
 * Makes the refusal for a code of the table; `detail` says what happened this time, in one sentence
 * for the caller.
 */
export function problem(code: ErrorCode, detail: string, options?: ProblemOptions): ApiError {
  return new ApiError(code, detail, options)
}

/** A reason not to start, told to the operator in one clear sentence; exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
