import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { parseConfig } from '../../plugins/config.ts'
import { Config } from '../../schemas/config.ts'
import { Jobs } from '../../schemas/jobs.ts'
import { ROOT } from './dockerfile.ts'
import { secondsToStop, workedBy } from './deployed.ts'

interface Service {
  image?: string
  command?: string[]
  environment?: Record<string, string>
  restart?: string
  healthcheck?: { test?: string[]; disable?: boolean }
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
  volumes?: string[]
  networks?: string[]
  stop_grace_period?: string
  read_only?: boolean
  mem_limit?: string
  shm_size?: string
  cap_drop?: string[]
  build?: string
}
const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8')
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  networks: Record<string, unknown>
}
const ours = Object.fromEntries(
  Object.entries(compose.services).filter(([, { image }]) => image === 'blog-product-content-service')
)
const example = readFileSync(path.join(ROOT, '.env.example'), 'utf8')
const settingsOf = (name: string) => {
  const filled = Object.fromEntries(
    Object.entries(ours[name]!.environment!).map(([key, value]) => [
      key,
      value.replace(
        /^\$\{(\w+).*\}$/,
        (_all, word: string) =>
          ({
            PUBLIC_URL: 'http://localhost:3000',
            SESSION_SECRET: 'x'.repeat(64),
            SECRETS_KEY: Buffer.alloc(32).toString('base64')
          })[word] ?? ''
      )
    ])
  )
  return parseConfig(filled)
}

t.test('the compose file and .env.example name only existing settings', async (t) => {
  const known = Object.keys(Config.properties)
  for (const [name, { environment }] of Object.entries(ours)) {
    t.strictSame(
      Object.keys(environment!).filter((key) => !known.includes(key)),
      [],
      name
    )
  }
  for (const [, key = ''] of example.matchAll(/^#?([A-Z_]+)=/gm)) t.ok(known.includes(key), key)
  for (const [, key = ''] of text.matchAll(/\$\{([A-Z_]+)/g)) {
    t.ok(example.includes(key), `.env.example tells of ${key}`)
  }
})

t.test('the settings of every container are valid', async (t) => {
  for (const name of Object.keys(ours)) t.doesNotThrow(() => settingsOf(name), name)
})

t.test('every job is processed by a container, including sweep', async (t) => {
  const worked = Object.keys(ours)
    .filter((name) => name !== 'migrate')
    .flatMap((name) => workedBy(settingsOf(name)))
  t.strictSame(
    Object.keys(Jobs).filter((job) => !worked.includes(job)),
    []
  )
})

t.test('visual checks run in a separate process with enough memory and shared memory for a browser', async (t) => {
  const looking = Object.keys(ours).filter(
    (name) => name !== 'migrate' && workedBy(settingsOf(name)).includes('run-visual-check')
  )
  t.ok(looking.length > 0)
  for (const name of looking) {
    t.strictSame(workedBy(settingsOf(name)).sort(), ['run-visual-check', 'sweep'], name)
    t.equal(settingsOf(name).CHROMIUM_PATH, '/usr/bin/chromium', `${name} uses the one of the image`)
    t.match(ours[name], { mem_limit: '2g', shm_size: '512m' }, name)
  }
})

t.test('every container waits for its dependencies', async (t) => {
  t.match(compose.services.migrate, {
    command: ['svc', 'migrate'],
    depends_on: { mongo: { condition: 'service_healthy' }, redis: { condition: 'service_healthy' } }
  })
  for (const name of Object.keys(ours).filter((name) => name !== 'migrate')) {
    t.match(
      ours[name]!.depends_on,
      {
        migrate: { condition: 'service_completed_successfully' },
        mongo: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' }
      },
      name
    )
  }
  for (const name of ['mongo', 'redis']) {
    t.ok(compose.services[name]!.healthcheck!.test!.length > 1, `${name} says when it is healthy`)
  }
})

t.test('secrets are required and not stored in the file', async (t) => {
  for (const name of ['SESSION_SECRET', 'SECRETS_KEY', 'PUBLIC_URL']) {
    t.match(text, new RegExp(`${name}: \\$\\{${name}:\\?[^}]+\\}`), name)
  }
  t.notMatch(example, /^(SESSION_SECRET|SECRETS_KEY|OPTIMIZER_API_KEY)=./m)
})

t.test('data is stored on volumes, flushed to disk and never evicted', async (t) => {
  for (const name of ['mongo', 'redis']) {
    t.ok(
      compose.services[name]!.volumes!.every((volume) => volume.split(':')[0]! in compose.volumes),
      name
    )
  }
  t.match(compose.services.redis!.command!.join(' '), /--appendonly yes .*--maxmemory-policy noeviction/)
})

t.test('only the service can reach the databases', async (t) => {
  t.match(compose.networks, { inside: { internal: true } })
  for (const name of ['mongo', 'redis']) {
    t.strictSame(compose.services[name]!.networks, ['inside'], name)
    t.equal(compose.services[name]!.ports, undefined, name)
  }
})

t.test('every container has minimal privileges and enough time to stop', async (t) => {
  for (const [name, service] of Object.entries(ours)) {
    t.match(
      service,
      {
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: [
          'no-new-privileges:true',
          // The default profile prevents Chromium from creating its sandbox.
          ...(name === 'worker-visual' ? ['seccomp:deploy/seccomp/chromium.json'] : [])
        ],
        tmpfs: ['/tmp']
      },
      name
    )
    t.ok(Number.parseInt(service.stop_grace_period!, 10) > secondsToStop(), `${name} is given longer than it takes`)
  }
})
