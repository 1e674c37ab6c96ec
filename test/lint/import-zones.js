import path from 'node:path'

/**
 * The import rules of docs/architecture.md as an ESLint rule. Unlike `no-restricted-imports`, it
 * resolves relative paths to modules, and it checks `import type` and `import('…').Type` as well.
 */

const FASTIFY = /^(fastify|fastify-plugin|@fastify\/.*|@bull-board\/.*)$/
const TYPEBOX = /^(@sinclair\/typebox(\/.*)?|@fastify\/type-provider-typebox)$/
/** Which ports may load which driver. No other module may. */
const DRIVERS = {
  mongodb: ['store', 'files'],
  'node:sqlite': ['store'],
  bullmq: ['queue'],
  ioredis: ['queue', 'limits'],
  playwright: ['browser'],
  '@sparticuz/chromium': ['browser']
}

/** Modules of lib that the adapters of a driver share. Only those adapters may import them. */
const DRIVER_HELPERS = { 'lib/mongodb.ts': 'mongodb' }

/** Zones in the order in which they are tried. */
const ZONES = [
  ['schemas', /^schemas\//],
  ['errors', /^errors\.ts$/],
  ['lib', /^lib\//],
  ['port', /^ports\/([^/]+)\/port(?:\.ts$|\/)/],
  ['adapter', /^ports\/([^/]+)\/(?:([^/]+)\/)?/],
  ['services', /^services\//],
  ['workers', /^workers\//],
  ['routes', /^routes\//],
  ['plugins', /^plugins\//],
  ['console', /^console\/src\//],
  ['clients', /^clients\/[^/]+\/src\//],
  ['bin', /^bin\//],
  ['app', /^app\.ts$/],
  ['examples', /^examples\//]
]

/** For each zone the zones it may import; `types`: as types only. Zones without an entry are free. */
const ALLOWED = {
  schemas: { values: ['schemas'], types: [] },
  errors: { values: [], types: [] },
  lib: { values: ['lib'], types: [] },
  port: { values: ['port'], types: ['schemas'] },
  adapter: { values: ['port', 'adapter', 'schemas', 'errors', 'lib'], types: [] },
  services: { values: ['services', 'schemas', 'errors', 'lib'], types: ['port'] },
  workers: { values: ['workers', 'errors'], types: ['services', 'schemas', 'port'] },
  routes: { values: ['routes', 'schemas', 'errors', 'lib'], types: [] },
  plugins: {
    values: ['plugins', 'workers', 'services', 'port', 'adapter', 'schemas', 'errors', 'lib', 'examples'],
    types: []
  },
  clients: { values: ['clients'], types: [] },
  console: { values: ['console'], types: ['schemas'] },
  examples: { values: ['examples'], types: ['schemas'] }
}

/** The zone of a path relative to the root: its name, and for ports the port and the adapter's folder. */
export function zoneOf(file) {
  for (const [name, pattern] of ZONES) {
    const match = pattern.exec(file)
    if (match !== null) return { name, port: match[1], adapter: match[2] }
  }
  return null
}

/** Why `file` may not import `specifier`; null where it may. Paths are relative to the root. */
export function forbiddenReason(file, specifier, isType) {
  const from = zoneOf(file)
  if (from === null || ALLOWED[from.name] === undefined) return null
  return specifier.startsWith('.')
    ? forbiddenModule(from, path.posix.join(path.posix.dirname(file), specifier), isType)
    : forbiddenPackage(from, specifier, file)
}

function forbiddenModule(from, target, isType) {
  const to = zoneOf(target)
  if (to === null) return `${target} is outside of the zones that ${from.name} may import`
  const { values, types } = ALLOWED[from.name]
  if (!values.includes(to.name)) {
    if (!types.includes(to.name)) return `${from.name} may not import ${to.name}`
    if (!isType) return `${from.name} may import types only from ${to.name}`
  }
  const driver = DRIVER_HELPERS[target]
  if (driver !== undefined && !(from.name === 'adapter' && DRIVERS[driver].includes(from.port))) {
    return `only adapters of ${DRIVERS[driver].join(' and ')} may import ${target}`
  }
  if (from.name === 'adapter' && to.port !== undefined) {
    if (to.port !== from.port) return `an adapter of ${from.port} may not import the port ${to.port}`
    if (
      to.name === 'adapter' &&
      to.adapter !== undefined &&
      from.adapter !== undefined &&
      to.adapter !== from.adapter
    ) {
      return `the adapter ${from.adapter} may not import the adapter ${to.adapter}`
    }
  }
  if (from.name === 'port' && to.port !== undefined && to.port !== from.port) {
    return `the port ${from.port} may not import the port ${to.port}`
  }
  if (from.name === 'workers' && to.name === 'port' && to.port !== 'queue') {
    return 'workers may import the queue port only'
  }
  return null
}

function forbiddenPackage(from, specifier, file) {
  const driver = Object.keys(DRIVERS).find((name) => specifier === name || specifier.startsWith(`${name}/`))
  if (driver !== undefined) {
    const isOwn = from.name === 'adapter' && DRIVERS[driver].includes(from.port)
    const isFree = (from.name === 'plugins' && driver === 'bullmq') || DRIVER_HELPERS[file] === driver
    if (!isOwn && !isFree) return `only adapters of ${DRIVERS[driver].join(' and ')} may import ${driver}`
  }
  if (from.name === 'schemas') return TYPEBOX.test(specifier) ? null : 'schemas may import TypeBox only'
  if (from.name === 'clients') {
    return /^openapi-/.test(specifier) ? null : 'clients run everywhere and may import openapi-fetch only'
  }
  if (from.name === 'errors' || from.name === 'port') {
    return specifier.startsWith('node:') ? null : `${from.name} may not import packages`
  }
  if (FASTIFY.test(specifier) && ['adapter', 'services', 'workers', 'examples'].includes(from.name)) {
    return `${from.name} may not import Fastify`
  }
  return null
}

export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { forbidden: 'Forbidden import: {{reason}} (docs/architecture.md).' }
  },
  create(context) {
    const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/')
    const check = (node, source, isType) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      const reason = forbiddenReason(file, source.value, isType)
      if (reason !== null) context.report({ node, messageId: 'forbidden', data: { reason } })
    }
    const allTypes = (kind, specifiers, key) =>
      kind === 'type' || (specifiers.length > 0 && specifiers.every((one) => one[key] === 'type'))
    return {
      ImportDeclaration: (node) => check(node, node.source, allTypes(node.importKind, node.specifiers, 'importKind')),
      ExportNamedDeclaration: (node) =>
        check(node, node.source, allTypes(node.exportKind, node.specifiers, 'exportKind')),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source ?? node.argument?.literal, true)
    }
  }
}
