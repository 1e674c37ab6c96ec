import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { openOutbound } from '../../../../ports/outbound/open.ts'
import { createSeoProvider, type SeoProviderSettings } from '../../../../services/optimizer/provider/index.ts'
import type { ProductRecord } from '../../../../ports/store/port.ts'
import { buildProduct } from '../fixtures.ts'

/** Valid texts of a model for `oakTable`. */
export const GOOD = {
  meta_title: 'Oak Table of solid oak | Lanternhill',
  meta_description:
    'The Lanternhill table of solid oak has room for 6 people. ' +
    'Its legs can be taken off; the oiled surface is 180 cm long.',
  page_title: 'Oak Table of solid oak, oiled'
}
GOOD.meta_description += ' It fits.'

/** A product with enough text for valid suggestions. */
export function oakTable(externalId: string, fields: Partial<ProductRecord> = {}): ProductRecord {
  return buildProduct({
    externalId,
    title: 'Oak Table',
    brand: 'Lanternhill',
    sku: `T-${externalId}`,
    description:
      'The Lanternhill table is made of solid oak and has room for 6 people. ' +
      'Its legs can be taken off, so that it fits through every door. ' +
      'The surface is oiled and 180 cm long.',
    ...fields
  })
}

/** The body of a chat completion whose message is this object. */
export function completion(content: unknown): string {
  return JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: JSON.stringify(content), refusal: null }
      }
    ]
  })
}

export interface AskedRequest {
  body: { model: string; messages: { role: string; content: string }[]; response_format: unknown }
  request: IncomingMessage
}

/**
 * Starts a language model server that responds with `answer`, and a provider that calls it with
 * SSRF-safe fetch.
 */
export async function startModel(
  t: Test,
  answer: (response: ServerResponse, asked: AskedRequest) => void,
  settings: Partial<SeoProviderSettings> = {}
) {
  const asked: AskedRequest[] = []
  const server = createServer((request, response) => {
    let text = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk) => {
        text += chunk
      })
      .on('end', () => {
        const one = { body: JSON.parse(text), request }
        asked.push(one)
        answer(response, one)
      })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  t.teardown(async () => {
    await outbound.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  const provider = createSeoProvider({
    send: outbound.send,
    url,
    apiKey: 'sk-test',
    model: 'small',
    callsPerHour: 10_000,
    ...settings
  })
  return { provider, asked }
}

/** Responds with a completion of this object. */
export const respondWith = (content: unknown) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(completion(content))
}
