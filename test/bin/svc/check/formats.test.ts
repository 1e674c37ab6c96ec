import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { renderJunit } from '../../../../bin/svc/check/junit.ts'
import { renderSummary } from '../../../../bin/svc/check/result.ts'
import { toSarif } from '../../../../bin/svc/check/sarif.ts'
import type { VisualCheck } from '../../../../schemas/visual-check.ts'
import { hiddenText, sampleCheck } from '../../../fixtures/visual-check/sample-check.ts'

const good: VisualCheck = { ...sampleCheck, url: 'https://shop.example/blog/good', overallScore: 100, findings: [] }
const failed: VisualCheck = {
  ...good,
  url: 'https://shop.example/blog/late',
  ...{ status: 'failed', overallScore: null, reason: 'No browser could be started.', checker: null, timings: null }
}
const HOSTILE = '<x a="1">]]>&\u0000\u0008\ud800\ufffe\'"\u{1f600}'
const hostile: VisualCheck = {
  ...sampleCheck,
  url: 'https://shop.example/%zz/<x>?a=1&b="ü"',
  finalUrl: null,
  findings: [
    {
      ...hiddenText,
      message: HOSTILE,
      advice: HOSTILE,
      locations: [{ ...hiddenText.locations[0]!, selector: HOSTILE }]
    }
  ]
}
const ALL = [sampleCheck, good, failed, hostile]

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

const decode = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as string]!
  )

/** Parses XML without CDATA, comments and namespaces. Throws if it is not well-formed. */
function parseXml(xml: string): Element {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) throw new Error('A forbidden character')
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const token = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy
  while (token.lastIndex < body.length) {
    const at = token.lastIndex
    const match = token.exec(body)
    if (match === null) throw new Error(`Not well-formed at ${body.slice(at, at + 60)}`)
    const [, closing, name, attributes, empty, text] = match
    const parent = open.at(-1)!
    if (text !== undefined) {
      if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`A bare & in ${text}`)
      parent.text += decode(text)
    } else if (closing === '/') {
      if (open.pop()!.name !== name) throw new Error(`</${name}> closes nothing`)
    } else {
      const pairs = [...attributes!.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key!, decode(value!)])
      const element = { name: name!, attributes: Object.fromEntries(pairs), children: [], text: '' }
      parent.children.push(element)
      if (empty !== '/') open.push(element)
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('More or less than one root')
  return root.children[0]!
}

/** The elements and attributes of the schema that Jenkins validates against (junit-10.xsd). */
const JUNIT: Record<string, { attributes: string[]; required: string[]; children: string[] }> = {
  testsuites: {
    attributes: ['name', 'time', 'tests', 'failures', 'errors', 'disabled'],
    required: [],
    children: ['testsuite']
  },
  testsuite: {
    attributes: ['name', 'tests', 'failures', 'errors', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    required: ['name', 'tests'],
    children: ['properties', 'testcase', 'system-out', 'system-err']
  },
  testcase: {
    attributes: ['name', 'classname', 'time', 'assertions', 'status'],
    required: ['name'],
    children: ['skipped', 'failure', 'error', 'system-out', 'system-err']
  },
  failure: { attributes: ['message', 'type'], required: [], children: [] },
  error: { attributes: ['message', 'type'], required: [], children: [] },
  skipped: { attributes: ['message'], required: [], children: [] },
  'system-out': { attributes: [], required: [], children: [] }
}

function assertJunit({ name, attributes, children }: Element): void {
  const rule = JUNIT[name]
  if (rule === undefined) throw new Error(`No element ${name}`)
  for (const key of Object.keys(attributes)) {
    if (!rule.attributes.includes(key)) throw new Error(`${name} has no ${key}`)
  }
  for (const key of rule.required) if (attributes[key] === undefined) throw new Error(`${name} needs ${key}`)
  for (const child of children) {
    if (!rule.children.includes(child.name)) throw new Error(`${name} has no ${child.name}`)
    assertJunit(child)
  }
}

t.test('JUnit XML has a test suite for each page, and test cases for the score and the findings', async (t) => {
  const root = parseXml(renderJunit(ALL, 90).join('\n'))
  assertJunit(root)
  t.match(root.attributes, { tests: '7', failures: '4', errors: '1' })
  const [bad, fine, late, strange] = root.children
  t.match(bad!.attributes, {
    name: sampleCheck.url,
    tests: '3',
    failures: '2',
    errors: '0',
    skipped: '1',
    time: '3.21'
  })
  const [score, hidden, contrast] = bad!.children
  t.match(score!.children, [{ name: 'failure', attributes: { message: 'The score 45 is lower than 90.' } }])
  t.match(hidden!.children, [{ name: 'failure', attributes: { message: 'Text is hidden.', type: 'TEXT_HIDDEN' } }])
  t.match(hidden!.children[0]!.text, /critical: Text is hidden\. .*and 10 more/)
  t.match(contrast!.children, [{ name: 'skipped', attributes: { message: 'needs review, not scored' } }])
  t.match(fine!.attributes, { tests: '1', failures: '0' })
  t.match(late!.children[0]!.children, [{ name: 'error', attributes: { message: 'No browser could be started.' } }])
  t.equal(strange!.attributes.name, hostile.url)
  t.match(strange!.children[1]!.children[0]!.attributes.message, '<x a="1">]]>&')
})

t.test('without a threshold, findings are in the output of passed test cases', async (t) => {
  const root = parseXml(renderJunit([sampleCheck], null).join('\n'))
  t.match(root.attributes, { tests: '3', failures: '0' })
  t.match(root.children[0]!.children[1]!.children, [{ name: 'system-out', text: /Text is hidden/ }])
})

const strict = { additionalProperties: false }
const Message = Type.Object({ text: Type.String({ minLength: 1 }) }, strict)
const Level = Type.Union((['none', 'note', 'warning', 'error'] as const).map((level) => Type.Literal(level)))
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' })
const Properties = Type.Record(Type.String(), Type.Unknown())
/** The parts of sarif-schema-2.1.0.json that the log uses. Unknown properties are errors there, too. */
const Sarif = Type.Object(
  {
    $schema: Type.String({ pattern: '^https://.*sarif-schema-2\\.1\\.0\\.json$' }),
    version: Type.Literal('2.1.0'),
    runs: Type.Array(
      Type.Object(
        {
          tool: Type.Object(
            {
              driver: Type.Object(
                {
                  name: Type.String(),
                  version: Type.String(),
                  rules: Type.Array(
                    Type.Object(
                      {
                        id: Type.String(),
                        shortDescription: Message,
                        help: Message,
                        defaultConfiguration: Type.Object({ level: Level }, strict),
                        properties: Properties
                      },
                      strict
                    ),
                    { uniqueItems: true }
                  )
                },
                strict
              )
            },
            strict
          ),
          invocations: Type.Array(
            Type.Object(
              {
                executionSuccessful: Type.Boolean(),
                startTimeUtc: Time,
                endTimeUtc: Type.Optional(Time),
                toolExecutionNotifications: Type.Optional(
                  Type.Array(Type.Object({ level: Level, message: Message }, strict))
                ),
                properties: Properties
              },
              strict
            )
          ),
          results: Type.Array(
            Type.Object(
              {
                ruleId: Type.String(),
                ruleIndex: Type.Integer({ minimum: 0 }),
                kind: Type.Union([Type.Literal('fail'), Type.Literal('review')]),
                level: Level,
                message: Message,
                locations: Type.Array(
                  Type.Object(
                    {
                      physicalLocation: Type.Object(
                        {
                          // RFC 3986: https://www.rfc-editor.org/rfc/rfc3986#section-2
                          artifactLocation: Type.Object(
                            {
                              uri: Type.String({
                                pattern: "^https?:(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$"
                              })
                            },
                            strict
                          ),
                          region: Type.Object({ startLine: Type.Integer({ minimum: 1 }) }, strict)
                        },
                        strict
                      ),
                      logicalLocations: Type.Optional(
                        Type.Array(Type.Object({ fullyQualifiedName: Type.String(), kind: Type.String() }, strict))
                      )
                    },
                    strict
                  ),
                  { minItems: 1 }
                ),
                partialFingerprints: Type.Record(Type.String(), Type.String()),
                properties: Properties
              },
              strict
            )
          ),
          columnKind: Type.Literal('utf16CodeUnits')
        },
        strict
      ),
      { minItems: 1 }
    )
  },
  strict
)

t.test('the SARIF log has a rule for each code and a result for each finding', async (t) => {
  const log = JSON.parse(JSON.stringify(toSarif(ALL))) as ReturnType<typeof toSarif>
  t.strictSame(
    [...Value.Errors(Sarif, log)].map(({ path, message }) => `${path} ${message}`),
    []
  )
  const [run] = log.runs
  t.strictSame(
    run!.tool.driver.rules.map(({ id }) => id),
    ['TEXT_HIDDEN', 'LOW_CONTRAST']
  )
  for (const { ruleId, ruleIndex, kind, level } of run!.results) {
    t.equal(run!.tool.driver.rules[ruleIndex]!.id, ruleId)
    t.equal(kind === 'fail', level !== 'none', 'SARIF 2.1.0, section 3.27.10')
  }
  const [hidden, contrast] = run!.results
  t.match(hidden, { ruleId: 'TEXT_HIDDEN', level: 'error', locations: { length: 2 }, properties: { count: 12 } })
  t.match(hidden!.locations[0], {
    physicalLocation: { artifactLocation: { uri: sampleCheck.finalUrl } },
    logicalLocations: [{ fullyQualifiedName: 'main > article > div.body > p:nth-child(3)' }]
  })
  t.match(contrast, { ruleId: 'LOW_CONTRAST', kind: 'review', level: 'none' })
  t.strictSame(
    run!.invocations.map(({ executionSuccessful }) => executionSuccessful),
    [true, true, false, true]
  )
  const again = toSarif([{ ...sampleCheck, id: 'another' }]).runs[0]!.results[0]!
  t.strictSame(again.partialFingerprints, hidden!.partialFingerprints, 'the same finding in the next run')
})

t.test('the summary of a site has the worst page first, and the totals', async (t) => {
  t.strictSame(renderSummary([good, sampleCheck, failed], { skipped: 2, unchecked: 0, failUnder: 90 }), [
    'page                                        score  critical  high  medium  low  result',
    'https://shop.example/blog/late                  -         0     0       0    0  FAILED',
    'https://shop.example/blog/which-tire-width     45         1     0       0    0  FAILED',
    'https://shop.example/blog/good                100         0     0       0    0  passed',
    '',
    '3 pages: 1 passed, 2 failed · mean score 73 · 2 other pages of the sitemap show no published blog'
  ])
})
