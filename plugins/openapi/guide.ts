/** The introduction of the API document. Markdown. */
export const GUIDE = `SEO-ready blog content for websites, and product data from back offices.

## Authentication

Endpoints under \`/api/v1\` require an **API key**, sent as \`X-Api-Key: <key>\` or \`Authorization: Bearer <key>\`.
Every key has scopes, and every operation names the scope that it requires.
Use API keys on servers only. Never put a key in a web page.
A session token is accepted there too. Its requests count against the limit of its user,
not against the limit that the keys of the account share.

The other endpoints under \`/api\` require the **session token** of a signed-in user,
sent as \`Authorization: Bearer <token>\`.
Images and health checks require no credential.

## Rate limits

The plan of an account determines its maximum number of requests per hour: Starter 100, Sage 500, Samurai 2,000.
Every response reports the state of the limit in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`
and \`X-RateLimit-Reset\` (Unix seconds).
Requests over the limit receive a 429 response. \`Retry-After\` holds the number of seconds to wait.

## Errors

Errors are \`application/problem+json\` documents (RFC 9457).
Handle errors by \`code\`. \`type\` is the URL of the documentation of the code.
\`errors\` lists the invalid fields.
Include \`requestId\` when you contact the operator. All codes are listed under \`/docs/errors\`.

## Pagination

Lists accept \`page\` (from 1) and \`pageSize\` (1 to 100, default 20)
and return \`totalCount\`, \`page\` and \`totalPages\`.
The \`Link\` header holds the URLs of the first, previous, next and last page. A page past the end is empty.
Lists of blogs also return \`nextCursor\`: send it as \`cursor\` instead of \`page\` to read long lists quickly.
A stored record that is invalid never makes a list fail:
it is left out, and \`X-Omitted-Records\` holds the number of such records.

## Caching

Responses with posts and products have an \`ETag\`. Send its value in \`If-None-Match\`:
while nothing has changed, the response is 304 without a body.
A 304 response counts against the rate limit like any other, unless the operator set \`countNotModified\` to false.
Every GET endpoint also accepts HEAD.

## Idempotency

Every POST endpoint accepts an \`Idempotency-Key\`.
Within 24 hours, the same key with the same request returns the response to the first request,
so that requests can be retried safely, also after a timeout or a server error.
A key belongs to the API key or user that sent it.
The response counts toward the storage of the account: without room for it,
the request gets 403 \`storage_quota_exceeded\`.

## Products

Send products one by one, in batches, or as a file. A product is identified by its \`projectId\` and \`externalId\`.
An omitted field keeps its value; \`null\` clears it. Prices keep their digits, up to four decimals.
SEO texts are generated automatically and reported by the event \`products.optimized\`.

## Events

Events are posted to webhooks with a signature, and retried until the receiver responds with a 2xx status.
See *webhooks* in this document for bodies and headers.
A retry has the same \`id\` and the same bytes. \`sequence\` increases by one with every event.
Events can also be read from \`/api/events\` for 30 days.`

/** The tags of operations, in display order. */
export const TAGS: Readonly<Record<string, string>> = {
  Blogs: 'Published blogs, their categories and their neighbors, for websites.',
  Feeds: 'Feeds and a sitemap for websites.',
  Images: 'Images of blogs, in several sizes and formats.',
  'Writing blogs': 'Create, edit, publish and delete blogs.',
  'Visual checks': 'Check how a published blog renders on its page.',
  Products: 'Products and their SEO texts.',
  Imports: 'Import products in bulk.',
  'API keys': 'Create, rotate and delete API keys.',
  Projects: 'The websites and shops of an account.',
  Webhooks: 'Webhook endpoints, their secrets and their deliveries.',
  Events: 'The event log.',
  'Audit log': 'Who changed what.',
  Sessions: 'Sign in to the console.',
  Account: 'The plan of the account, its limit and its usage.',
  Administration: 'Accounts and job queues, for administrators.',
  Health: 'Health checks and metrics.'
}
