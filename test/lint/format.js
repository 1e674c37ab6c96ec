import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Biome } from '@biomejs/js-api/nodejs'

/**
 * Formats all tracked TypeScript and JavaScript files with Biome, as biome.json says. With
 * `--check`, lists the files that are not formatted and exits with 1. Uses Biome's WebAssembly
 * build, which runs on every platform without binaries of its own.
 */

const ROOT = path.resolve(import.meta.dirname, '../..')
const GENERATED = /^console\/dist\/|^clients\/typescript\/src\/openapi\.ts$/
const isCheck = process.argv.includes('--check')
const { formatter, javascript } = JSON.parse(readFileSync(path.join(ROOT, 'biome.json'), 'utf8'))

const biome = new Biome()
const { projectKey } = biome.openProject(ROOT)
biome.applyConfiguration(projectKey, { formatter, javascript })

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.js', '*.mjs'],
  {
    cwd: ROOT,
    encoding: 'utf8'
  }
)
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('.min.js') && !GENERATED.test(file))

const unformatted = []
for (const file of files) {
  const source = readFileSync(path.join(ROOT, file), 'utf8')
  const { content } = biome.formatContent(projectKey, source, { filePath: file })
  if (content === source) continue
  unformatted.push(file)
  if (!isCheck) writeFileSync(path.join(ROOT, file), content)
}

const summary = `${files.length} files, ${unformatted.length} ${isCheck ? 'not formatted' : 'formatted'}`
process.stdout.write(`${[...unformatted, summary].join('\n')}\n`)
if (isCheck && unformatted.length > 0) {
  process.stderr.write('Run npm run format.\n')
  process.exitCode = 1
}
