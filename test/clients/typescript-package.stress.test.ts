import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helper.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

t.test('npm run client packs the compiled client', async (t) => {
  // Of an earlier run.
  rmSync(path.join(ROOT, 'clients/typescript/dist'), { recursive: true, force: true })
  const folder = temporaryFolder(t)
  execFileSync('npm', ['run', '--silent', 'client', '--', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const [tarball = ''] = readdirSync(folder)
  const files = execFileSync('tar', ['-tzf', path.join(folder, tarball)], { encoding: 'utf8' }).split('\n')
  for (const file of [
    'LICENSE',
    'README.md',
    'package.json',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/openapi.d.ts'
  ]) {
    t.ok(files.includes(`package/${file}`), file)
  }
})
