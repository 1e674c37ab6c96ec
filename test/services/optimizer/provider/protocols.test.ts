import t from 'tap'
import type { ServerResponse } from 'node:http'
import { COMPLETIONS, sendJson, type ProtocolName } from '../../../fixtures/language-model.ts'
import { startModel, GOOD, oakTable, respondWith } from './language-model.ts'

const ask = () => [{ product: oakTable('a'), brandName: null }, new AbortController().signal] as const
const SCHEMA = { type: 'object', required: ['meta_title', 'meta_description', 'page_title'] }

t.test('openai: the request has a JSON schema, the key and the model', async (t) => {
  const { provider, asked } = await startModel(t, respondWith(GOOD))
  t.match(await provider.suggest(...ask()), { texts: { metaTitle: GOOD.meta_title }, failure: null })
  t.match(asked[0], {
    url: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: {
      model: 'small',
      max_completion_tokens: 2_000,
      messages: [{ role: 'system' }, { role: 'user' }],
      response_format: { type: 'json_schema', json_schema: { name: 'product_texts', strict: true, schema: SCHEMA } }
    },
    product: { title: 'Oak Table', brand: 'Lanternhill' }
  })
})

t.test('anthropic: the request has one forced tool, the key and the version of the API', async (t) => {
  const protocol = 'anthropic'
  const { provider, asked } = await startModel(t, respondWith(GOOD, protocol), { protocol })
  t.match(await provider.suggest(...ask()), { texts: { metaTitle: GOOD.meta_title }, failure: null })
  t.match(asked[0], {
    url: '/v1/messages',
    headers: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: {
      model: 'small',
      max_tokens: 2_000,
      system: /^You write search result texts/,
      messages: [{ role: 'user' }],
      tools: [{ name: 'product_texts', input_schema: SCHEMA }],
      tool_choice: { type: 'tool', name: 'product_texts', disable_parallel_tool_use: true }
    },
    product: { title: 'Oak Table', brand: 'Lanternhill' }
  })
  t.notOk(asked[0]!.headers.authorization)
})

type Body = ReturnType<(typeof COMPLETIONS)[ProtocolName]>
const choiceWith = (change: object): Body => {
  const body = COMPLETIONS.openai(GOOD) as { choices: object[] }
  return { ...body, choices: [{ ...body.choices[0], ...change }] }
}
const messageWith = (change: object): Body => ({ ...COMPLETIONS.anthropic(GOOD), ...change })

const UNUSABLE: [ProtocolName, string, string | Body, RegExp][] = [
  [
    'openai',
    'declined',
    choiceWith({ message: { role: 'assistant', content: null, refusal: 'I cannot help with that.' } }),
    /declined/
  ],
  ['openai', 'filtered', choiceWith({ finish_reason: 'content_filter' }), /declined/],
  ['openai', 'truncated at max_completion_tokens', choiceWith({ finish_reason: 'length' }), /truncated/],
  ['openai', 'a list', COMPLETIONS.openai([GOOD]), /format/],
  ['openai', 'without any of the texts', COMPLETIONS.openai({ metaTitle: 'Oak Table' }), /format/],
  ['openai', 'a sentence', choiceWith({ message: { role: 'assistant', content: 'Here you go!' } }), /format/],
  ['openai', 'no choice', { choices: [] }, /format/],
  ['openai', 'half of the body', JSON.stringify(COMPLETIONS.openai(GOOD)).slice(0, 200), /format/],
  ['anthropic', 'declined', messageWith({ stop_reason: 'refusal', content: [] }), /declined/],
  ['anthropic', 'truncated at max_tokens', messageWith({ stop_reason: 'max_tokens' }), /truncated/],
  ['anthropic', 'text only', messageWith({ content: [{ type: 'text', text: JSON.stringify(GOOD) }] }), /format/],
  ['anthropic', 'an input that is text', COMPLETIONS.anthropic(JSON.stringify(GOOD)), /format/],
  [
    'anthropic',
    'two tool calls',
    messageWith({ content: [1, 2].map(() => ({ type: 'tool_use', input: GOOD })) }),
    /format/
  ],
  ['anthropic', 'without any of the texts', COMPLETIONS.anthropic({}), /format/],
  ['anthropic', 'no content', messageWith({ content: null }), /format/],
  ['anthropic', 'half of the body', JSON.stringify(COMPLETIONS.anthropic(GOOD)).slice(0, 150), /format/]
]

for (const [protocol, name, body, detail] of UNUSABLE) {
  t.test(`${protocol}: an answer that is ${name} is not used, and not asked for again`, async (t) => {
    const answer = (response: ServerResponse) => {
      if (typeof body === 'string') response.writeHead(200).end(body)
      else sendJson(response, body)
    }
    const { provider, asked } = await startModel(t, answer, { protocol })
    for (let i = 0; i < 2; i++) {
      t.match(await provider.suggest(...ask()), { texts: {}, failure: { reason: 'unusable', detail } })
    }
    t.equal(asked.length, 1)
  })
}

t.test('openai: a finish_reason of null, and an answer in a code block, are read', async (t) => {
  const content = `\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``
  const body = choiceWith({ finish_reason: null, message: { role: 'assistant', content, refusal: null } })
  const { provider } = await startModel(t, (response) => {
    sendJson(response, body)
  })
  t.match(await provider.suggest(...ask()), { texts: { pageTitle: GOOD.page_title }, failure: null })
})

t.test('a text that is missing in an answer is reported', async (t) => {
  const { provider } = await startModel(t, (response) => {
    sendJson(response, COMPLETIONS.openai({ ...GOOD, page_title: 7 }))
  })
  t.match(await provider.suggest(...ask()), {
    texts: { metaTitle: GOOD.meta_title },
    rejected: [{ field: 'pageTitle', reason: 'is missing in the answer' }],
    failure: null
  })
})
