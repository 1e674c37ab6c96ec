import { eventBodies } from '../../schemas/event-bodies.ts'
import type { Operation, Parameter, PathItem } from '../../lib/openapi/types.ts'
import type { SchemaCatalog } from './operation.ts'

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' }
})

/** The `webhooks` of the document: an operation for each event type. The brand names the headers. */
export function describeWebhooks(catalog: SchemaCatalog, brand: string): Record<string, PathItem> {
  const prefix = `X-${brand.charAt(0).toUpperCase()}${brand.slice(1)}`
  const parameters = [
    header(`${prefix}-Event`, 'The event type'),
    header(
      `${prefix}-Signature`,
      '`sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8'
    ),
    header(`${prefix}-Delivery`, 'The delivery id, the same in every attempt'),
    header(`${prefix}-Attempt`, 'The number of the attempt, from 1'),
    header('webhook-id', 'The event id'),
    header('webhook-timestamp', 'The time of the signature, in Unix seconds'),
    header(
      'webhook-signature',
      [
        '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks).',
        'During the rotation of the secret there are several signatures, separated by spaces.'
      ].join(' ')
    )
  ]
  return Object.fromEntries(
    Object.entries(eventBodies).map(([type, { body, when }]): [string, PathItem] => {
      const schema = { $ref: `#/components/schemas/${body.$id!}` }
      const operation: Operation = {
        operationId: `on${type
          .split(/[._]/)
          .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
          .join('')}`,
        summary: when,
        description: [
          'Sent to every subscribed webhook until it responds with 2xx.',
          'Verify the signature of the raw body before parsing.'
        ].join(' '),
        tags: ['Webhooks'],
        parameters,
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema,
              ...catalog.example({ operationId: type, status: 'request', type: 'application/json' }, schema)
            }
          }
        },
        responses: {
          200: {
            description: 'Received',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { received: { type: 'boolean', const: true } } },
                example: { received: true }
              }
            }
          },
          401: { description: 'The signature is missing or wrong' },
          410: { description: 'The receiver no longer exists: the webhook is disabled' }
        }
      }
      return [type, { post: operation }]
    })
  )
}
