import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImportSummary } from '../../../services/transfer/index.ts'
import { UsageError, type RunCommand } from '../command.ts'
import { createProgressBar, type ProgressBar } from '../output.ts'
import { formatCounts, withTransfer } from '../transfer.ts'

export const importAll: RunCommand = async ({ args: [file], options, config, stdin, stderr, print, log }) => {
  if (file !== undefined && !(await stat(file).catch(() => null))?.isFile()) {
    throw new UsageError(`${file} is not a file.`)
  }
  if (file === undefined && stdin.isTTY) throw new UsageError('FILE is required, or pipe an export to stdin.')
  const summary = await withSourceFile(file, stdin, (source) =>
    withTransfer(config(), async (transfer) => {
      let bar: ProgressBar | null = null
      return await transfer.importData({
        open: () => createReadStream(source),
        intoExisting: options['into-existing'] === true,
        progress: (done, total) => {
          ;(bar ??= createProgressBar(stderr, total, 'line')).update(done)
        }
      })
    })
  )
  print(summary, describe(summary))
  if (summary.needsKeyRotation) {
    log(
      [
        'Some signing secrets are still encrypted with the SECRETS_KEY of the exported service.',
        'Run "svc secrets rotate-key" before you remove that key.'
      ].join(' ')
    )
  }
  return 0
}

/** An import reads the export twice, so stdin is first saved to a temporary file. */
async function withSourceFile<Result>(
  file: string | undefined,
  stdin: Readable,
  task: (source: string) => Promise<Result>
): Promise<Result> {
  if (file !== undefined) return await task(file)
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-import-'))
  try {
    const source = path.join(folder, 'export.ndjson')
    await pipeline(stdin, createWriteStream(source, { mode: 0o600 }))
    return await task(source)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function describe({ added, same, orphans }: ImportSummary): string[] {
  const [unchanged, skipped] = [formatCounts(same), formatCounts(orphans)]
  return [
    `Imported ${formatCounts(added) ?? 'nothing'}.`,
    ...(unchanged === null ? [] : [`Already present: ${unchanged}.`]),
    ...(skipped === null ? [] : [`Skipped, because the records that they belong to are not in the export: ${skipped}.`])
  ]
}
