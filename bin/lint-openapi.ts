import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { renderOpenApiDocument } from './docs/openapi.ts'

const ROOT = path.join(import.meta.dirname, '..')
/** Disables the telemetry and the update checks of the linters. */
const ENVIRONMENT = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

interface Linter {
  name: string
  args: (file: string) => string[]
  /** Whether there are no findings. An exit code of 0 may still mean warnings. */
  isClean: (output: string, status: number | null) => boolean
}
const linters: Linter[] = [
  {
    name: 'spectral',
    args: (file) => ['lint', file, '--ruleset', path.join(ROOT, '.spectral.yaml'), '--fail-severity', 'hint'],
    isClean: (_output, status) => status === 0
  },
  {
    name: 'redocly',
    args: (file) => ['lint', file, '--config', path.join(ROOT, 'redocly.yaml'), '--format', 'json'],
    isClean: (output, status) => status === 0 && (JSON.parse(output) as { problems: unknown[] }).problems.length === 0
  }
]

const folder = mkdtempSync(path.join(os.tmpdir(), 'lint-'))
const file = path.join(folder, 'openapi.json')
try {
  writeFileSync(file, await renderOpenApiDocument())
  for (const { name, args, isClean } of linters) {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [path.join(ROOT, 'node_modules', '.bin', name), ...args(file)],
      { cwd: ROOT, env: ENVIRONMENT, encoding: 'utf8' }
    )
    const hasFindings = !isClean(stdout, status)
    process.stdout.write(`${name}: ${hasFindings ? 'findings' : 'no findings'}\n`)
    if (!hasFindings) continue
    process.stdout.write(`${stdout}${stderr}\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
