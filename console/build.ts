import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, type Rolldown } from 'vite'

/** The console's files as they are committed and served. */
const FOLDER = path.join(import.meta.dirname, 'dist')
const PACKAGES = path.join(import.meta.dirname, '..', 'node_modules')

/**
 * Builds the console into `console/dist`. With `--check`, builds it elsewhere and exits with 1 if
 * the committed files differ.
 */
async function main(isCheck: boolean): Promise<number> {
  if (!isCheck) {
    await buildConsole(FOLDER)
    return 0
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'console-'))
  try {
    await buildConsole(folder)
    const different = await compareFolders(FOLDER, folder)
    for (const file of different) process.stderr.write(`console/dist/${file} does not belong to the sources.\n`)
    if (different.length > 0) process.stderr.write('Run `npm run console` and commit console/dist.\n')
    return different.length > 0 ? 1 : 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function buildConsole(outDir: string): Promise<void> {
  const result = (await build({
    configFile: false,
    root: import.meta.dirname,
    base: '/console/',
    logLevel: 'warn',
    mode: 'production',
    // The result must not depend on the environment or on the machine.
    envDir: false,
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      // The Content Security Policy allows no data: URLs in style sheets.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // CodeMirror, which is loaded with the first editor.
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: ['index.html', 'preview.html'].map((file) => path.join(import.meta.dirname, file))
      }
    }
  })) as Rolldown.RolldownOutput
  await writeFile(path.join(outDir, 'LICENSES.txt'), await licensesOf(result))
}

/** The licenses of all packages in the bundles, which their authors require to be passed on. */
async function licensesOf({ output }: Rolldown.RolldownOutput): Promise<string> {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const names = new Set(
    modules.flatMap((id) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1] ?? [])
  )
  const texts = await Promise.all(
    [...names].sort().map(async (name) => {
      const folder = path.join(PACKAGES, name)
      const file = (await readdir(folder)).find((entry) => /^license/i.test(entry))
      if (file === undefined) throw new Error(`The package ${name} has no license file.`)
      return `${name}\n\n${(await readFile(path.join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim()}\n`
    })
  )
  return texts.join('\n---\n\n')
}

/** The files of either folder whose contents differ. */
async function compareFolders(committed: string, built: string): Promise<string[]> {
  const [before, after] = await Promise.all([readFiles(committed), readFiles(built)])
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name)?.equals(after.get(name) ?? Buffer.alloc(0)) !== true).sort()
}

async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name))
  return new Map(
    await Promise.all(
      files.map(
        async (file): Promise<[string, Buffer]> => [
          path.relative(folder, file).replaceAll(path.sep, '/'),
          await readFile(file)
        ]
      )
    )
  )
}

process.exitCode = await main(process.argv.includes('--check'))
