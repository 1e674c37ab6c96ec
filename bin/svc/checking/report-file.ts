import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { VisualCheck } from '../../../schemas/visual-check.ts'
import { htmlReport } from '../check/report/html.ts'
import type { ReportPictures } from '../check/report/html-pictures.ts'

/**
 * Writes the report with its pictures to a new file in a new temporary folder, both for their owner
 * alone; resolves with its path. It stays there for the person.
 */
export async function writeReport(check: VisualCheck, pictures: ReportPictures): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'visual-check-')), 'report.html')
  await writeFile(file, htmlReport(check, pictures), { mode: 0o600, flag: 'wx' })
  return file
}
