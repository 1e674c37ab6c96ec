import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { Config } from '../../schemas/config.ts'
import { copies, letThrough, list, named, readDockerfile, ROOT } from './dockerfile.ts'

const stages = readDockerfile()
const image = stages.at(-1)!
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: { start: string }
}

t.test('the Dockerfile follows rules for secure and reproducible images', async (t) => {
  for (const [from] of stages) {
    t.match(from!.value, /^[a-z]+:\d+-[a-z]+-slim( AS \w+)?$/, `${from!.value} names a version and a release`)
  }
  for (const { name, value } of stages.flat()) {
    t.not(name, 'ADD', 'files are copied, not added')
    if (name === 'WORKDIR') t.match(value, /^\//, `${value} is a full path`)
    if (name === 'RUN') t.notMatch(value, /\b(sudo|curl|wget|npm install)\b|apt (?!-)/, value)
    if (value.includes('apt-get install')) {
      t.match(
        value,
        /^apt-get update && apt-get install -y --no-install-recommends .* && rm -rf \/var\/lib\/apt\/lists\/\*/,
        'apt lists are removed'
      )
    }
  }
  for (const name of ['CMD', 'ENTRYPOINT', 'HEALTHCHECK']) {
    t.doesNotThrow(
      () => list(named(image, name)[0]!),
      `${name} runs without a shell, which would keep signals to itself`
    )
  }
  t.strictSame(
    named(image, 'USER').map(({ value }) => value),
    ['1000:1000'],
    'a numeric user that is not root'
  )
  t.ok(
    named(image, 'COPY').every(({ value }) => !value.includes('--chown')),
    'the user cannot change the program'
  )
})

t.test('the image contains no secrets', async (t) => {
  const secrets = Object.entries(Config.properties)
    .filter(([, property]) => 'secret' in property)
    .map(([name]) => name)
  t.ok(secrets.includes('SECRETS_KEY'))
  for (const { name, value } of stages.flat().filter(({ name }) => ['ENV', 'ARG', 'LABEL'].includes(name))) {
    for (const secret of secrets) t.notOk(value.includes(secret), `${name} ${value}`)
  }
  for (const excluded of ['.env', 'data', 'node_modules', '.git', 'test', 'bench']) {
    t.notOk(
      letThrough().some((name) => name.startsWith(excluded)),
      `${excluded} is excluded`
    )
  }
})

t.test('the image leaves out packages that it replaces', async (t) => {
  const removed = named(stages[0]!, 'RUN')
    .find(({ value }) => value.startsWith('rm -rf'))!
    .value.split(' ')
  // The image has Debian's Chromium instead.
  const replaceable = [...Object.keys(manifest.optionalDependencies), '@sparticuz/chromium']
  for (const name of replaceable) t.ok(removed.includes(name), name)
  for (const name of removed.slice(2).filter((word) => !word.startsWith('.'))) {
    t.ok(replaceable.includes(name) || name in manifest.devDependencies, `${name} is nothing that the program needs`)
  }
  t.ok(
    named(stages[0]!, 'RUN').some(({ value }) => value === 'npm ci --omit=dev'),
    'the versions of the lock file are installed'
  )
})

t.test('libraries are installed before the program is copied, so that they are cached', async (t) => {
  t.strictSame(
    copies(stages[0]!).flatMap(({ sources }) => sources),
    ['package.json', 'package-lock.json', '.npmrc']
  )
  const order = image.map(({ name, value }) => `${name} ${value}`)
  t.ok(
    order.findIndex((line) => line.startsWith('RUN apt-get')) <
      order.findIndex((line) => line.startsWith('COPY --from=libraries'))
  )
  t.ok(
    order.findIndex((line) => line.startsWith('COPY --from=libraries')) <
      order.findIndex((line) => line.startsWith('COPY schemas'))
  )
})

t.test('npm start runs the same command as the image', async (t) => {
  t.equal(manifest.scripts.start, list(named(image, 'CMD')[0]!).join(' '))
})
