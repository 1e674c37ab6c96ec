import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ENVIRONMENTS, VIEWPORT_NAMES, type VisualCheck, type VisualCheckInput } from '../../../schemas/visual-check.ts'
import { stringOption, UsageError, type Command, type OptionValues } from '../command.ts'
import { createCheckClient, waitForCheck, type CheckClient } from './client.ts'
import { renderHtmlReport, type ReportImages } from './report/html.ts'
import { renderTextReport } from './report/text.ts'

export const check: Command = {
  usage: [
    'check URL --blog SLUG [--project PROJECT] [--account ACCOUNT] [--environment staging|live]',
    '[--viewport mobile|desktop] [--fail-under SCORE] [--open]'
  ].join(' '),
  summary: 'Compare a published page with its blog in a browser.',
  details: [
    '--project is required if several projects have a published blog with the slug.',
    '--fail-under exits with code 1 if the score (0 to 100) is lower, or if there is no score.',
    '--open opens an HTML report with screenshots in the browser.'
  ].join('\n'),
  options: {
    blog: { type: 'string' },
    project: { type: 'string' },
    account: { type: 'string' },
    environment: { type: 'string' },
    viewport: { type: 'string' },
    'fail-under': { type: 'string' },
    open: { type: 'boolean' }
  },
  async run({ args, options, env, stdout, adminClient, print, log }) {
    const { account, slug, project, input, failUnder, open } = parseCheckOptions(args, options)
    const client = createCheckClient(await adminClient(), account)
    const finished = await waitForCheck(client, await client.request({ slug, project }, input), log)
    // https://no-color.org
    const colors = stdout.isTTY === true && (env.NO_COLOR ?? '') === ''
    print(finished, renderTextReport(finished, { colors }))
    if (open) {
      const images = await downloadScreenshots(finished, client)
      const missing = finished.screenshots.length - images.size
      if (missing > 0) {
        log(`${missing} of ${finished.screenshots.length} screenshots are no longer available and are left out.`)
      }
      const file = await saveReport(finished, images)
      log(
        (await openFile(file))
          ? `The report was saved to ${file}`
          : `Could not open a browser. The report was saved to ${file}`
      )
    }
    return exitCode(finished, failUnder)
  }
}

export interface CheckOptions {
  account: string
  slug: string
  /** Undefined: the only project with such a blog. */
  project: string | undefined
  input: VisualCheckInput
  /** Null: the score does not affect the exit code. */
  failUnder: number | null
  open: boolean
}

/** Throws a UsageError that names the wrong option and the valid values. */
export function parseCheckOptions(args: string[], options: OptionValues): CheckOptions {
  const [url, ...others] = args
  if (url === undefined || others.length > 0) {
    throw new UsageError('Exactly one URL is required. Usage: svc check URL --blog SLUG')
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`URL must start with http:// or https://; got "${url}".`)
  }
  const slug = stringOption(options, 'blog')
  if (slug === undefined || slug === '') {
    throw new UsageError('--blog is required: the slug of the published blog that the page shows.')
  }
  const environment = enumOption('environment', ENVIRONMENTS, options)
  const viewport = enumOption('viewport', VIEWPORT_NAMES, options)
  const failUnder = stringOption(options, 'fail-under')
  if (failUnder !== undefined && (!/^\d{1,3}$/.test(failUnder) || Number(failUnder) > 100)) {
    throw new UsageError('--fail-under must be a whole number from 0 to 100.')
  }
  const open = options.open === true
  return {
    account: stringOption(options, 'account', 'demo'),
    slug,
    project: stringOption(options, 'project'),
    // Only the HTML report shows screenshots of findings.
    input: {
      url,
      ...(environment === undefined ? {} : { environment }),
      ...(viewport === undefined ? {} : { viewports: [viewport] }),
      screenshots: open ? 'full' : 'thumbs'
    },
    failUnder: failUnder === undefined ? null : Number(failUnder),
    open
  }
}

function enumOption<const T extends string>(name: string, choices: readonly T[], options: OptionValues): T | undefined {
  const value = stringOption(options, name)
  if (value === undefined) return undefined
  const choice = choices.find((choice) => choice === value)
  if (choice === undefined) throw new UsageError(`--${name} must be one of ${choices.join(', ')}; got "${value}".`)
  return choice
}

/**
 * With `failUnder` 0 for a score of at least that, otherwise 0 for a completed check. 1 in all
 * other cases.
 */
export function exitCode(
  { status, overallScore }: Pick<VisualCheck, 'status' | 'overallScore'>,
  failUnder: number | null
): 0 | 1 {
  if (failUnder !== null) return overallScore !== null && overallScore >= failUnder ? 0 : 1
  return status === 'completed' ? 0 : 1
}

/** The screenshots that still exist, downloaded one at a time. */
async function downloadScreenshots(check: VisualCheck, client: CheckClient): Promise<Map<string, Buffer>> {
  const images = new Map<string, Buffer>()
  for (const { name } of check.screenshots) {
    const bytes = await client.screenshot(check, name)
    if (bytes !== null) images.set(name, bytes)
  }
  return images
}

/**
 * Writes the HTML report to a new temporary folder that only the user can read. Resolves
 * with its path; the file is not deleted.
 */
export async function saveReport(check: VisualCheck, images: ReportImages): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'visual-check-')), 'report.html')
  await writeFile(file, renderHtmlReport(check, images), { mode: 0o600, flag: 'wx' })
  return file
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler']
}

/** Opens a file with the default program of this machine; false if there is no opener. */
export async function openFile(file: string): Promise<boolean> {
  const [opener, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(opener!, [...args, file], { detached: true, stdio: 'ignore' })
  try {
    await once(child, 'spawn')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn') === true) return false
    throw error
  }
  child.unref()
  return true
}
