import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { renderOpenApiDocument } from './docs/openapi.ts'

const ROOT = path.join(import.meta.dirname, '..')
/** Neither tool may tell anybody about its run, or look for a newer version of itself. */
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

interface Linter {
  name: string
  args: (file: string) => string[] /** Whether the run found nothing; exit codes alone let warnings pass. */
  clean: (output: string, status: number | null) => boolean
}
const linters: Linter[] = [
  {
    name: 'spectral',
    args: (file) => ['lint', file, '--ruleset', path.join(ROOT, '.spectral.yaml'), '--fail-severity', 'hint'],
    clean: (_output, status) => status === 0
  },
  {
    name: 'redocly',
    args: (file) => ['lint', file, '--config', path.join(ROOT, 'redocly.yaml'), '--format', 'json'],
    clean: (output, status) => status === 0 && (JSON.parse(output) as { problems: unknown[] }).problems.length === 0
  }
]

const folder = mkdtempSync(path.join(os.tmpdir(), 'lint-'))
const file = path.join(folder, 'openapi.json')
try {
  writeFileSync(file, await renderOpenApiDocument())
  for (const { name, args, clean } of linters) {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [path.join(ROOT, 'node_modules', '.bin', name), ...args(file)],
      { cwd: ROOT, env: QUIET, encoding: 'utf8' }
    )
    const found = !clean(stdout, status)
    process.stdout.write(`${name}: ${found ? 'findings' : 'no findings'}\n`)
    if (!found) continue
    process.stdout.write(`${stdout}${stderr}\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
