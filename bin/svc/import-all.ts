import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ImportSummary } from '../../services/transfer/index.ts'
import { UsageError, type Command } from './command.ts'
import { createProgressBar } from './progress-bar.ts'
import { withTransfer } from './transfer-parts.ts'
import { inWords } from './transfer-words.ts'

export const importAll: Command = {
  usage: 'import [FILE] [--into-existing]',
  summary:
    'Take over an export into an empty store while no server runs; broken off, it goes on when it is run again. --into-existing: beside what is there, unless that is in the way',
  options: { 'into-existing': { type: 'boolean' } },
  async run({ words: [file, ...others], values, tell, note }) {
    if (others.length > 0) throw new UsageError('Name one file.')
    if (file !== undefined && !(await stat(file).catch(() => null))?.isFile()) {
      throw new UsageError(`${file} is not a file.`)
    }
    if (file === undefined && process.stdin.isTTY) throw new UsageError('Name the file of an export.')
    const imported = await fromFile(file, (source) =>
      withTransfer(async (transfer) => {
        let bar: ReturnType<typeof createProgressBar> | null = null
        return await transfer.importData({
          open: () => createReadStream(source),
          intoExisting: values['into-existing'] === true,
          progress: (done, total) => {
            ;(bar ??= createProgressBar(total, 'lines')).update(done)
          }
        })
      })
    )
    tell(imported, told(imported))
    if (imported.needsKeyRotation) {
      note(
        'Some signing secrets are still encrypted by the SECRETS_KEY of where they came from: run svc secrets reseal before you drop it.'
      )
    }
    return 0
  }
}

/** The export is read twice, so that what comes by the input is kept aside for as long. */
async function fromFile<Result>(file: string | undefined, act: (source: string) => Promise<Result>): Promise<Result> {
  if (file !== undefined) return await act(file)
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-import-'))
  try {
    const aside = path.join(folder, 'export.ndjson')
    await pipeline(process.stdin, createWriteStream(aside, { mode: 0o600 }))
    return await act(aside)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function told({ added, same, orphans }: ImportSummary): string[] {
  const [there, left] = [inWords(same), inWords(orphans)]
  return [
    `ImportSummary ${inWords(added) ?? 'nothing'}.`,
    ...(there === null ? [] : [`There already: ${there}.`]),
    ...(left === null ? [] : [`Left out, because what they belong to is not in the export: ${left}.`])
  ]
}
