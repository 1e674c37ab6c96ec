import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'

const FOLDER = path.resolve(import.meta.dirname, '../../plugins')

interface Plugin {
  file: string
  name: string
  dependencies: string[]
  /** The source of the plugin and of its modules. */
  source: string
}

async function readPlugins(): Promise<Plugin[]> {
  const entries = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts'))
  return await Promise.all(
    entries.map(async (file) => {
      const source = await readFile(path.join(FOLDER, file), 'utf8')
      const options = /\{\s*name: '([\w-]+)'(?:,\s*dependencies: \[([^\]]*)\])?\s*\}\s*\)/.exec(source)
      const dependencies = [...(options?.[2] ?? '').matchAll(/'([\w-]+)'/g)].map(([, name]) => name!)
      return { file, name: options?.[1] ?? '', dependencies, source }
    })
  )
}

const OBJECTS = { decorate: 'app', decorateRequest: 'request', decorateReply: 'reply' } as const

/** `app.store`, `request.auth`: the decorators of a plugin. */
function decoratorsOf({ source }: Plugin): string[] {
  return [...source.matchAll(/\.(decorate|decorateRequest|decorateReply)\('(\w+)'/g)].map(
    ([, method, name]) => `${OBJECTS[method as keyof typeof OBJECTS]}.${name!}`
  )
}

/** The decorators that a plugin reads, also by `const { store } = app`, in the form `app.store`. */
function readsOf({ source }: Plugin): Set<string> {
  const direct = [...source.matchAll(/\b(app|request|reply)\.(\w+)/g)].map(([, object, name]) => `${object!}.${name!}`)
  const destructured = [...source.matchAll(/const \{([^}]*)\} = (app|request|reply)\b(?!\.)/g)].flatMap(
    ([, names, object]) => names!.split(',').map((name) => `${object!}.${name.split(':')[0]!.trim()}`)
  )
  return new Set([...direct, ...destructured])
}

t.test('every plugin has the name of its file', async (t) => {
  for (const { file, name } of await readPlugins()) t.equal(name, path.basename(file, '.ts'))
})

t.test('a plugin that reads a decorator depends on the plugin that adds it', async (t) => {
  const plugins = await readPlugins()
  const owners = new Map(plugins.flatMap((plugin) => decoratorsOf(plugin).map((name) => [name, plugin.name] as const)))
  t.ok(owners.size > 20, `${owners.size} decorators`)
  for (const plugin of plugins) {
    const missing = [...readsOf(plugin)].filter((read) => {
      const owner = owners.get(read)
      return owner !== undefined && owner !== plugin.name && !plugin.dependencies.includes(owner)
    })
    t.same(missing, [], `${plugin.file} declares its dependencies`)
  }
})
