import type { VisualCheck } from '../../schemas/visual-check.ts'
import { textReport } from './check/report/text.ts'
import { createCheckClient, type CheckClient } from './checking/check-client.ts'
import { readCheckOptions } from './checking/check-options.ts'
import { exitCodeOf } from './checking/exit-code.ts'
import { finishedCheck } from './checking/finished-check.ts'
import { openFile } from './checking/open-file.ts'
import { writeReport } from './checking/report-file.ts'
import type { Command } from './command.ts'

export const check: Command = {
  usage:
    'check URL --blog SLUG [--account A] [--environment staging|live] [--viewport mobile|desktop] [--fail-under N] [--open]',
  summary:
    'Look at a published page in a browser and compare it with the blog; --open shows a report with pictures, --fail-under ends with 1 below that score (0 to 100)',
  options: {
    blog: { type: 'string' },
    account: { type: 'string' },
    environment: { type: 'string' },
    viewport: { type: 'string' },
    'fail-under': { type: 'string' },
    open: { type: 'boolean' }
  },
  async run({ words, values, operator, tell, note }) {
    const { account, slug, input, failUnder, open } = readCheckOptions(words, values)
    const client = createCheckClient(await operator(), account)
    const done = await finishedCheck(client, await client.request(slug, input), note)
    // https://no-color.org
    const colors = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === ''
    tell(done, textReport(done, { colors }))
    if (open) {
      const pictures = await picturesOf(done, client)
      const missing = done.screenshots.length - pictures.size
      if (missing > 0) {
        note(`${missing} of ${done.screenshots.length} pictures are not there any more; the report does without them`)
      }
      const file = await writeReport(done, pictures)
      note(
        (await openFile(file))
          ? `The report is in ${file}`
          : `There is nothing here that opens files; the report is in ${file}`
      )
    }
    return exitCodeOf(done, failUnder)
  }
}

/** The pictures of a check that are there, one after the other. */
async function picturesOf(check: VisualCheck, client: CheckClient): Promise<Map<string, Buffer>> {
  const pictures = new Map<string, Buffer>()
  for (const { name } of check.screenshots) {
    const bytes = await client.picture(check, name)
    if (bytes !== null) pictures.set(name, bytes)
  }
  return pictures
}
