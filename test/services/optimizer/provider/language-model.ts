import type { Test } from 'tap'
import { openMemoryLimits } from '../../../../ports/limits/memory.ts'
import { openOutbound } from '../../../../ports/outbound/open.ts'
import { createSeoProvider, type SeoProviderSettings } from '../../../../services/optimizer/provider/index.ts'
import type { ProductRecord } from '../../../../ports/store/port.ts'
import {
  COMPLETIONS,
  sendJson,
  startModelServer,
  type Answer,
  type ProtocolName
} from '../../../fixtures/language-model.ts'
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
export const completion = (content: unknown): string => JSON.stringify(COMPLETIONS.openai(content))

/**
 * Starts a language model server that responds with `answer`, and a provider that calls it with
 * SSRF-safe fetch. Waits between attempts are recorded in `waits` and take no time.
 */
export async function startModel(
  t: Test,
  answer: Answer,
  { protocol = 'openai', ...settings }: Partial<SeoProviderSettings> = {}
) {
  const server = await startModelServer(protocol, answer)
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  const limits = openMemoryLimits()
  t.teardown(async () => {
    await outbound.close()
    await limits.close()
    await server.close()
  })
  const waits: number[] = []
  const problems: string[] = []
  const provider = createSeoProvider({
    send: outbound.send,
    consume: limits.consume,
    protocol,
    url: server.url,
    apiKey: 'sk-test',
    model: 'small',
    callsPerHour: 10_000,
    accountCallsPerHour: null,
    wait: async (ms) => {
      waits.push(ms)
    },
    onProblem: (message) => problems.push(message),
    ...settings
  })
  return { provider, asked: server.requests, waits, problems }
}

/** Responds with an answer of this object. */
export const respondWith =
  (content: unknown, protocol: ProtocolName = 'openai'): Answer =>
  (response) => {
    sendJson(response, COMPLETIONS[protocol](content))
  }
