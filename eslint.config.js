import neostandard from 'neostandard'

/**
 * The walls of docs/architecture.md: which room may import which. Type-only imports obey them too,
 * except where a room may see types alone.
 */
const room = (names, message) => ({
  regex: `^\\.{1,2}/(?:.*/)?(?:${names})/`,
  message: message ?? 'This room may not import that one (docs/architecture.md).'
})
const roomTypesOnly = (names) => ({
  ...room(names, 'Only types may be imported from that room.'),
  allowTypeImports: true
})
const ADAPTERS = {
  regex: 'ports/[^/]+/(?!(?:[a-z]+-)?(?:port|records)\\.ts$)',
  message: 'Ask for a port, not for an adapter.'
}
const FRAMEWORK = {
  group: ['fastify', '@fastify/*', 'fastify-plugin', '!@fastify/type-provider-typebox'],
  message: 'Only app.ts, plugins/ and routes/ know Fastify.'
}
const DRIVERS = {
  group: ['mongodb', 'bullmq', 'ioredis', 'node:sqlite', 'playwright'],
  message: 'Drivers live in their adapter.'
}
const ENVIRONMENT = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: 'Only plugins/config.ts reads the environment.'
}
const PORTS_ON_APP = '/^(store|queue|limits|files|browser|outbound)$/'
const noPortsOnApp = [
  'MemberExpression[object.name="app"]',
  'VariableDeclarator[init.name="app"] > ObjectPattern > Property'
].map((node) => ({
  selector: `${node}[${node.startsWith('Member') ? 'property' : 'key'}.name=${PORTS_ON_APP}]`,
  message: 'Ask a service, not a port.'
}))
const may = (files, ...patterns) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] }
})
const errorsOnly = { regex: '^\\.{1,2}/(?:.*/)?errors\\.ts$', message: 'schemas/ imports nothing of ours.' }

export default [
  ...neostandard({ ts: true, noStyle: true, ignores: ['dist', 'data', '.tap', '**/*.min.js'] }),
  // A schema and its type share one name.
  { files: ['schemas/**'], rules: { '@typescript-eslint/no-redeclare': 'off', 'no-redeclare': 'off' } },
  {
    files: ['**/*.ts'],
    ignores: ['test/**', 'bench/**'],
    rules: {
      'max-lines': ['error', 500],
      'max-depth': ['error', 3],
      'max-params': ['error', 3],
      'no-restricted-syntax': ['error', ENVIRONMENT]
    }
  },
  { files: ['plugins/config.ts', 'bin/**'], rules: { 'no-restricted-syntax': 'off' } },
  may(['schemas/**'], FRAMEWORK, DRIVERS, errorsOnly, room('ports|services|workers|routes|plugins|bin|console')),
  may(['errors.ts'], { regex: '.*', message: 'errors.ts imports nothing.' }),
  may(['ports/**'], FRAMEWORK, room('services|workers|routes|plugins|bin|console')),
  may(
    ['ports/*/{port,records,*-port,*-records}.ts'],
    FRAMEWORK,
    DRIVERS,
    ADAPTERS,
    room('services|workers|routes|plugins|bin|console')
  ),
  may(
    ['services/**'],
    FRAMEWORK,
    DRIVERS,
    ADAPTERS,
    roomTypesOnly('ports'),
    room('workers|routes|plugins|bin|console')
  ),
  may(
    ['workers/**'],
    FRAMEWORK,
    DRIVERS,
    ADAPTERS,
    roomTypesOnly('ports|services|schemas'),
    room('routes|plugins|bin|console')
  ),
  may(['routes/**'], DRIVERS, room('ports|workers|plugins|bin|console')),
  { files: ['routes/**'], rules: { 'no-restricted-syntax': ['error', ENVIRONMENT, ...noPortsOnApp] } },
  may(['plugins/**'], room('routes|bin|console')),
  may(['examples/**', 'console/**'], roomTypesOnly('schemas'), room('ports|services|workers|routes|plugins|bin'))
]
