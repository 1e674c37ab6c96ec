/** What the document says before its first operation. Markdown. */
export const GUIDE = `SEO-ready blog content for a website, and products from a back office.

## Who is calling

Endpoints below \`/api/v1\` take an **API key**, in \`X-Api-Key: <key>\` or in \`Authorization: Bearer <key>\`. A key has scopes; each operation names the one that it needs. Keys belong on servers, never in a page.

The other endpoints below \`/api\` take the **session token** of a signed-in person in \`Authorization: Bearer <token>\`. Images and health need neither.

## Limits

An account may send as many requests in any hour as its plan allows: Starter 100, Sage 500, Samurai 2,000. Every answer says how it stands in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix seconds). When the limit is used up the answer is 429, and \`Retry-After\` says how many seconds to wait.

## Errors

Errors are \`application/problem+json\` (RFC 9457). Decide by \`code\`; \`type\` is the address of the page that explains it, \`errors\` names the fields that are not right, and \`requestId\` is what the operator needs to find the request. All codes are listed under \`/docs/errors\`.

## Pages

Lists take \`page\` (from 1) and \`pageSize\` (1 to 100, 20 by default) and answer with \`totalCount\`, \`page\` and \`totalPages\`. The \`Link\` header has the addresses of the first, previous, next and last page. A page past the end is empty.

## Caching

Reads carry an \`ETag\`. Send it back in \`If-None-Match\`: as long as nothing has changed the answer is 304 without a body. Every read can be asked with HEAD as well.

## Sending twice

Every POST takes an \`Idempotency-Key\`. The same key with the same request answers what the first one answered, for 24 hours, so that a request whose answer was lost can be repeated.

## Products

Send them one by one, in batches, or as a file; each is known by its \`projectId\` and \`externalId\`. A field that is left out is kept, \`null\` clears it. Prices are kept digit by digit. Their texts for search engines are made by themselves and reported by the event \`products.optimized\`.

## Events

What happens is posted to webhooks, signed, until the receiver answers 2xx: see the section *webhooks* of the document for the bodies and headers. A repeated delivery has the same \`id\` and the same bytes; \`sequence\` grows by one. Everything can also be pulled from \`/api/events\` for 30 days.`

/** The groups of operations, in the order in which they are shown. */
export const TAGS: Readonly<Record<string, string>> = {
  Blogs: 'What a website reads: published blogs, their categories and their neighbors.',
  Feeds: 'Feeds and a sitemap, ready to be served by the website.',
  Images: 'The pictures of blogs, in every size and format.',
  'Writing blogs': 'What editors and back offices do with blogs.',
  'Visual checks': 'How a published blog looks in its page.',
  Products: 'Products and the texts that are made for search engines.',
  Imports: 'Many products at once.',
  'API keys': 'Keys are created, rotated and deleted by a signed-in person.',
  Projects: 'What a website or a shop is called, and where it is.',
  Webhooks: 'Where events are sent to.',
  Events: 'What has happened, and what became of its delivery.',
  Account: 'The plan, its limit, and how much of it is used.',
  Administration: 'For administrators: any account, and the queue of jobs.',
  Health: 'For probes, and for who watches the service.'
}
