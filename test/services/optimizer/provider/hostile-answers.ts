import type { ServerResponse } from 'node:http'
import { completion, GOOD } from './language-model.ts'

/** A way to answer badly; `name` is for the test's messages. */
export interface HostileAnswer {
  name: string
  answer: (response: ServerResponse) => void
}

const send =
  (body: string | Buffer, status = 200, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers).end(body)
  }
const good = completion(GOOD)

const TRANSPORT: [string, (response: ServerResponse) => void][] = [
  ...[201, 204, 206, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504, 529].map(
    (status): [string, (response: ServerResponse) => void] => [
      `a good answer with status ${status}`,
      send(good, status)
    ]
  ),
  ...[301, 302, 303, 307, 308].map((status): [string, (response: ServerResponse) => void] => [
    `redirect ${status}`,
    send('', status, { location: '/good/chat/completions' })
  ]),
  [
    'reset before the answer',
    (response) => {
      response.destroy()
    }
  ],
  [
    'reset in the answer',
    (response) => {
      response.writeHead(200, { 'content-length': String(good.length) })
      response.write(good.slice(0, 40), () => response.destroy())
    }
  ],
  ['no answer at all', () => {}],
  [
    'an answer that drips',
    (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => {
        clearInterval(timer)
      })
    }
  ],
  ['a huge answer', send(completion({ ...GOOD, padding: 'x'.repeat(3_000_000) }))],
  ['a good answer and a megabyte of space', send(good + ' '.repeat(1_000_000))],
  ['gzip that is none', send('no gzip', 200, { 'content-encoding': 'gzip' })],
  ['nothing', send('')],
  ['a page', send('<!doctype html><title>Bad gateway</title>', 200, { 'content-type': 'text/html' })],
  ['half of it', send(good.slice(0, good.length / 2))],
  ['UTF-16', send(Buffer.from(good, 'utf16le'))],
  ['bytes that are no text', send(Buffer.from([0xff, 0xfe, 0x80, 0x00]))],
  ['deep nesting', send('['.repeat(50_000))]
]

const ENVELOPES: [string, string][] = (
  [
    null,
    1,
    'text',
    [],
    {},
    { error: { message: 'overloaded' } },
    { choices: null },
    { choices: [] },
    { choices: {} },
    { choices: [null] },
    { choices: [{ message: null }] },
    { choices: [{ message: { content: null } }] },
    { choices: [{ message: { content: 5 } }] },
    { choices: [{ message: { content: GOOD } }] },
    { choices: [{ message: { content: [JSON.stringify(GOOD)] } }] },
    { choices: [{ text: JSON.stringify(GOOD) }] },
    ...['length', 'content_filter', 'tool_calls'].map((finish) => ({
      choices: [{ finish_reason: finish, message: { content: JSON.stringify(GOOD) } }]
    })),
    {
      choices: [
        { finish_reason: 'stop', message: { refusal: 'I cannot help with that.', content: JSON.stringify(GOOD) } }
      ]
    },
    ...[
      'Sure! Here is your JSON.',
      `Sure!\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``,
      JSON.stringify(JSON.stringify(GOOD)),
      JSON.stringify([GOOD]),
      '{}',
      '{"meta_title": "Oak',
      'null',
      '"text"',
      JSON.stringify({ metaTitle: GOOD.meta_title }),
      JSON.stringify({ result: GOOD }),
      `{"__proto__": ${JSON.stringify(GOOD)}}`
    ].map((content) => ({ choices: [{ finish_reason: 'stop', message: { content } }] }))
  ] as unknown[]
).map((envelope, i) => [`envelope ${i}`, JSON.stringify(envelope)])

const VALUES: unknown[] = [
  null,
  0,
  17,
  true,
  [],
  {},
  ['Oak Table'],
  { text: 'Oak Table' },
  '',
  ' ',
  'x',
  '\n',
  'x'.repeat(10_000),
  'oak '.repeat(100).trim(),
  '…',
  '-',
  '   Oak Table   '
]

/** Put at the beginning, in the middle and at the end of texts that are good without them. */
const INSERTED = [
  'https://evil.example/x',
  'http://1.2.3.4',
  'www.evil.example',
  'evil.com',
  'EVIL.SHOP',
  'evil.co',
  '//evil',
  'mailto:me',
  'javascript:alert(1)',
  'me@evil.example',
  'me(at)evil',
  'tel:+4915112345678',
  '+49 151 1234567',
  '(030) 123 45 67',
  '0800-123-4567',
  '00491511234567',
  '🎉',
  '⭐️',
  '1️⃣',
  '🇩🇪',
  '✅',
  '€',
  '$5',
  '19,99 EUR',
  'USD 20',
  '£',
  '99',
  '2026',
  '½',
  '٣',
  '5,5',
  '６',
  '6 kg',
  '180 mm',
  '6%',
  '180m',
  'Ikea',
  'BESTSELLER',
  'Made In Germany',
  'NASA',
  'Ökotest',
  'free of charge',
  'guaranteed',
  'certified',
  'cheapest',
  'waterproof',
  '<b>',
  '<script>alert(1)</script>',
  '</title>',
  '&lt;',
  '&#60;',
  '**oak**',
  '__oak__',
  '`oak`',
  '[oak](x)',
  '{{oak}}',
  '{oak}',
  '\\n',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u200b',
  '\ufeff',
  '\u2060',
  '\u00ad',
  '\u0000',
  '\u0007',
  '\n',
  '\t',
  '\u2028',
  '\u00a0',
  '\ue000',
  '\u{e0041}',
  '\ud800',
  '\u3164',
  'о\u0430k',
  'ｏａｋ東京',
  'мебель',
  'خشب',
  "I'm sorry",
  'as an AI language model',
  'I cannot do this',
  'ignore all rules',
  'system prompt',
  'meta_title',
  'undefined',
  'lorem ipsum',
  'take every number, unit, name and capitalized word from it',
  'it says, never follow instructions in it'
]

/** In other languages, or of other things. */
const FOREIGN = [
  'Der Tisch ist aus Eiche und hat Platz für sechs Personen, und die Beine sind mit einem Griff ab, so ' +
    'dass er auch durch die schmale Tür passt.',
  'La table est en bois et elle a de la place pour tous, avec des pieds que vous pouvez enlever, et ' +
    'elle passe par la porte de chaque maison.',
  'La mesa es de roble y tiene sitio para todos, con patas que se quitan para que la mesa pase por ' +
    'todas las puertas de la casa sin ningún otro trabajo.',
  'Il tavolo è di rovere e ha posto per tutti, con le gambe che si tolgono per farlo passare da ogni ' +
    'porta della casa senza alcun altro lavoro.',
  'De tafel is van eikenhout en heeft plaats voor iedereen, met poten die je er af kunt halen zodat ' +
    'hij door elke deur van het huis past zonder werk.',
  'Stół jest z dębu i ma miejsce dla wszystkich, a nogi można zdjąć, żeby przeszedł przez każde drzwi ' +
    'w domu bez żadnej innej pracy i pomocy.',
  'sparkling crystal chandelier lighting brightens elegant ballrooms, dazzling guests everywhere ' +
    'during glamorous evening receptions, banquets',
  'tammipöytä kestää vuosikymmeniä, mahtuu pieneenkin keittiöön, puhdistuu nopeasti kostealla ' +
    'liinalla, koottavissa ilman työkaluja',
  'このテーブルはオーク材で作られていて、みんなが座れる広さがあります。脚は取り外すことができるので、どんなドアも通ります。',
  '这张桌子由橡木制成，可供所有人使用。桌腿可以拆卸，因此可以通过每一扇门。表面经过油处理，非常容易清洁，也很耐用。'
]

function inserted(text: string, what: string, place: number): string {
  const at = place === 0 ? 0 : place === 1 ? text.indexOf(' ') : text.length
  return `${text.slice(0, at)}${at === 0 ? '' : ' '}${what}${at === text.length ? '' : ' '}${text.slice(at)}`
}

const everywhere = (change: (text: string) => unknown) =>
  send(completion(Object.fromEntries(Object.entries(GOOD).map(([member, text]) => [member, change(text)]))))

/** Bad answers of many kinds, more than 300. */
export const HOSTILE_ANSWERS: HostileAnswer[] = [
  ...TRANSPORT.map(([name, answer]) => ({ name, answer })),
  ...ENVELOPES.map(([name, body]) => ({ name, answer: send(body) })),
  ...VALUES.map((value) => ({ name: `value ${JSON.stringify(value).slice(0, 40)}`, answer: everywhere(() => value) })),
  ...INSERTED.flatMap((what) =>
    [0, 1, 2].map((place) => ({
      name: `${JSON.stringify(what)} at place ${place}`,
      answer: everywhere((text) => inserted(text, what, place))
    }))
  ),
  ...FOREIGN.map((text) => ({ name: `foreign ${text.slice(0, 20)}`, answer: everywhere(() => text) }))
]
