import t from 'tap'
import { parseAllowList } from '../../lib/address-policy/allow-list.ts'
import { OUTBOUND_PORTS, parseTarget } from '../../lib/address-policy/target.ts'

t.test('a URL of the list allows the URLs that start with it, and no others', async (t) => {
  const allow = parseAllowList('http://127.0.0.1:3000/demo/, staging.example:8080')
  const isAllowed = (url: string) => parseTarget(url, allow, OUTBOUND_PORTS)?.isAllowListed ?? false
  for (const url of [
    'http://127.0.0.1:3000/demo/',
    'http://127.0.0.1:3000/demo/a/b.webp?w=1',
    'http://127.0.0.1:3000/demo/a%2fb%20..c/...%2f50%25?next=%2f..%2f',
    'HTTP://127.0.0.1:3000/other/../demo/a',
    'http://2130706433:3000/demo/a',
    'http://staging.example:8080/any'
  ]) {
    t.equal(isAllowed(url), true, url)
  }
  for (const url of [
    'http://127.0.0.1:3000/',
    'http://127.0.0.1:3000/demo',
    'http://127.0.0.1:3000/demonstration/',
    'http://127.0.0.1:3000/demo/../metrics',
    'http://127.0.0.1:3000/demo/%2e%2e/metrics',
    'http://127.0.0.1:3000/demo/%2E./metrics',
    'http://127.0.0.1:3000/demo\\..\\metrics',
    'http://127.0.0.1:3000/demo/..%2fmetrics',
    'http://127.0.0.1:3000/demo/a%2F..%2F..%2fmetrics',
    'http://127.0.0.1:3000/demo/%252e%252e/metrics',
    'http://127.0.0.1:3000/demo/..%25252fmetrics',
    `http://127.0.0.1:3000/demo/..%${'25'.repeat(100_000)}2fmetrics`,
    'http://127.0.0.1:3000/demo/..%5cmetrics',
    'http://127.0.0.1:3000/demo/..;/metrics',
    'http://127.0.0.1:3000/demo/..%3ba=1/metrics',
    'http://127.0.0.1:3001/demo/',
    'https://127.0.0.1:3000/demo/',
    'http://127.0.0.2:3000/demo/',
    'http://user@127.0.0.1:3000/demo/'
  ]) {
    t.equal(isAllowed(url), false, url)
  }
})

t.test('a URL of the list must end with a slash and have nothing else', async (t) => {
  for (const entry of [
    'http://a.example',
    'http://a.example/demo',
    'http://a.example/?q=/',
    'http://a.example/#/',
    'http://u:p@a.example/'
  ]) {
    t.throws(() => parseAllowList(entry), { name: 'AllowListError', message: `The entry "${entry}" is invalid` }, entry)
  }
})
