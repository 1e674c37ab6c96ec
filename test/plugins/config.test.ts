import { Ajv } from 'ajv'
import t from 'tap'
import { StartError } from '../../errors.ts'
import { parseConfig } from '../../plugins/config.ts'
import { validSettings } from '../../plugins/config/valid-settings.ts'
import { Config } from '../../schemas/config.ts'
import { formats } from '../../schemas/formats.ts'

/** The problems that parseConfig reports for these settings. */
function problems(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const lines = error.message.split('\n')
    return lines.slice(1, -1).map((line) => line.trim())
  }
}

const SCALED = {
  MONGODB_URL: 'mongodb://db',
  REDIS_URL: 'redis://cache',
  PUBLIC_URL: 'https://content.example',
  SESSION_SECRET: 'a secret for tests that is long enough',
  SECRETS_KEY: Buffer.alloc(32).toString('base64')
}

t.test('valid settings are accepted', async (t) => {
  for (const settings of [{}, SCALED, { ...SCALED, ROLE: 'api' }, { ...SCALED, ROLE: 'worker', WORKERS: 'sweep' }]) {
    t.same(problems(settings), [])
  }
})

t.test('all invalid settings are reported together, each once', async (t) => {
  const invalid = {
    PORT: '70000',
    LOG_LEVEL: 'loud',
    MONGODB_URL: 'postgres://db',
    TRUST_PROXY: 'banana',
    OUTBOUND_ALLOW: '10.0.0.1/8',
    ROLE: 'api',
    WORKERS: 'sweep,dance',
    OPTIMIZER_URL: 'https://model.example/v1'
  }
  const found = problems(invalid)
  for (const name of [
    ...['PORT', 'LOG_LEVEL', 'MONGODB_URL', 'TRUST_PROXY', 'OUTBOUND_ALLOW'],
    ...['WORKERS contains unknown jobs: dance', 'WORKERS must not be set with ROLE=api'],
    ...['ROLE=api requires MONGODB_URL and REDIS_URL', 'PUBLIC_URL is required with ROLE=api'],
    ...['SESSION_SECRET or SESSION_JWKS_URL is required', 'SECRETS_KEY is required'],
    'OPTIMIZER_API_KEY and OPTIMIZER_MODEL are required'
  ]) {
    t.equal(found.filter((problem) => problem.startsWith(name)).length, 1, `${name}\n${found.join('\n')}`)
  }
  t.equal(found.length, 12)
})

t.test('an invalid value causes no further problems', async (t) => {
  t.same(problems({ ROLE: 'king' }), ['ROLE must be equal to one of the allowed values (all, api, worker)'])
  t.equal(problems({ ...SCALED, ROLE: 'worker', REDIS_URL: 'http://cache' }).length, 1)
  t.equal(problems({ ...SCALED, SECRETS_KEY: 'short' }).length, 1)
})

t.test('every setting with a restricted value names itself when the value is invalid', async (t) => {
  const invalid: Record<string, string> = { pattern: '%', format: 'nowhere', minLength: '', anyOf: 'banana' }
  let tested = 0
  for (const [name, schema] of Object.entries(Config.properties) as [string, Record<string, unknown>][]) {
    const rule = Object.keys(invalid).find((keyword) => keyword in schema)
    const value = schema.type === 'integer' || schema.type === 'number' ? 'many' : rule && invalid[rule]
    if (value === undefined || value === '') continue
    const [problem, ...others] = problems({ ...SCALED, [name]: value }).filter(
      (line) => !line.includes('OPTIMIZER set')
    )
    t.match(problem, new RegExp(`^${name} `))
    t.same(others, [], name)
    tested += 1
  }
  t.ok(tested > 15)
})

t.test('TRUST_PROXY accepts off, on, hops, addresses and networks', async (t) => {
  for (const value of [
    'off',
    'on',
    '0',
    '2',
    '10.0.0.1',
    '10.0.0.0/8, fd00::/8',
    'loopback,::1',
    ' on ',
    '0.0.0.0/1'
  ]) {
    t.same(problems({ TRUST_PROXY: value }), [], value)
  }
  for (const value of [
    ...['banana', '-1', '1.5', 'true', 'On', '10.0.0.256', '10.0.0.1,', ',', '10.0.0.0/33', '10.0.0.0/0', 'fd00::/129'],
    ...['10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0', 'proxy.example', 'fe80::1%eth0', '10.0.0.1 10.0.0.2', '1e3']
  ]) {
    const found = problems({ TRUST_PROXY: value })
    t.equal(found.length, 1, value)
    t.match(found[0], /^TRUST_PROXY is invalid\. "[^"]*" is not `off`, `on`, a number of hops/, value)
  }
})

t.test('texts of settings are converted as Ajv converts them', async (t) => {
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, keywords: ['secret'], formats })
  const validate = ajv.compile({ ...Config, $id: 'copy' })
  const texts = [
    ...['0', '1', '-1', '1.5', ' 7 ', '0x1F', '1e2', '1e400', '5000', '70000', '099', '1_000', 'NaN', ' ', 'true'],
    ...['on', 'off', 'auto', 'api', 'sage', 'info', 'abc', 'Abc', '%', 'a', '😀', '😀'.repeat(16), 'a'.repeat(32)],
    ...['http://a.example', 'https://user@a.example', 'ftp://a.example', 'mongodb://db', 'rediss://db', 'nowhere'],
    `${'A'.repeat(43)}=`
  ]
  let valid = 0
  for (const name of Object.keys(Config.properties)) {
    for (const text of texts) {
      const expected: Record<string, unknown> = { [name]: text }
      const isValid = validate(expected)
      const settings = validSettings(Config.properties, Config.required ?? [], { [name]: text })
      // Null for a valid text only costs time: Ajv decides then.
      if (settings !== null) t.same(settings, expected, `${name}=${text}`)
      if (!isValid) t.equal(settings, null, `${name}=${text} is invalid`)
      if (isValid && settings === null) t.equal(text, '1e400', `${name}=${text} is valid`)
      valid += settings === null ? 0 : 1
    }
  }
  t.ok(valid > 200, `${valid} valid settings`)
})

t.test('every keyword of the settings is known without Ajv', async (t) => {
  t.not(validSettings(Config.properties, Config.required ?? [], {}), null)
  const property = { ...Config.properties.BRAND, contentEncoding: 'base64' }
  t.equal(validSettings({ BRAND: property }, [], { BRAND: 'svc' }), null, 'Ajv decides about other keywords')
  t.equal(validSettings({ BRAND: { type: 'string' } as never }, ['BRAND'], {}), null, 'and about required settings')
})
