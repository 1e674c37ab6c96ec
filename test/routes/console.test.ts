import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { startApp } from '../helper.ts'

const ASSETS = path.resolve(import.meta.dirname, '../../console/dist/assets')

const app = await startApp(t)

t.test('the console is served with a strict policy, and its files are cached by their names', async (t) => {
  const page = await app.inject('/console')
  t.equal(page.statusCode, 200)
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, "default-src 'none'; script-src 'self'; style-src 'self'")
  t.notMatch(policy, /unsafe|\*/)
  t.equal(page.headers['cache-control'], 'no-cache')
  t.notMatch(page.body, /<script(?![^>]* src=)|<style| style=| on\w+=/, 'nothing that the policy forbids')
  const files = [...page.body.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, file]) => file!)
  t.ok(files.length >= 2)
  for (const file of files) {
    const answer = await app.inject(file)
    t.equal(answer.statusCode, 200, file)
    t.match(answer.headers['cache-control'], 'immutable')
  }
  t.strictSame(
    readdirSync(ASSETS).filter((file) => file.endsWith('.map')),
    []
  )
})

t.test('the preview page is sandboxed, and may only be framed by the console', async (t) => {
  for (const url of ['/console/preview.html', '/console/%70review.html', '/console/preview.html?x']) {
    const { statusCode, headers } = await app.inject(url)
    t.equal(statusCode, 200, url)
    t.match(headers['content-security-policy'], /frame-ancestors 'self'; sandbox allow-scripts$/, url)
    t.match(headers['content-security-policy'], "script-src 'self'", url)
  }
})

t.test('only files of the console are served', async (t) => {
  for (const url of ['/console/assets/missing.js', '/console/assets/..%2findex.html', '/console/src/main.tsx']) {
    t.equal((await app.inject(url)).statusCode, 404, url)
  }
})
