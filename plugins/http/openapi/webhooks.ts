import { eventBodies } from '../../../schemas/event-bodies.ts'
import type { Nouns } from './good-answers.ts'
import type { Operation, Parameter, PathItem } from './types.ts'

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' }
})

/**
 * What the service posts to a customer's receiver: the `webhooks` of OpenAPI 3.1, an operation for
 * each kind of event. `brand` names the headers.
 */
export function webhooksOf(nouns: Nouns, brand: string): Record<string, PathItem> {
  const own = `X-${brand.charAt(0).toUpperCase()}${brand.slice(1)}`
  const parameters = [
    header(`${own}-Event`, 'The kind of event'),
    header(
      `${own}-Signature`,
      '`sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8'
    ),
    header(`${own}-Delivery`, 'The delivery; the same at each attempt'),
    header(`${own}-Attempt`, 'Which attempt it is, from 1'),
    header('webhook-id', "The event's id"),
    header('webhook-timestamp', 'When this attempt was signed, in Unix seconds'),
    header(
      'webhook-signature',
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret; several, separated by spaces, while a secret is rotated (Standard Webhooks)'
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
        description:
          'Posted to every webhook that wants it, until it answers 2xx. Verify the signature over the raw body before parsing.',
        tags: ['Webhooks'],
        parameters,
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema,
              ...nouns.example({ operationId: type, status: 'request', type: 'application/json' }, schema)
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
          410: { description: 'The receiver is gone for good: the webhook is disabled' }
        }
      }
      return [type, { post: operation }]
    })
  )
}
