import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ENVIRONMENTS, VIEWPORT_NAMES, type VisualCheck, type VisualCheckInput } from '../../../schemas/visual-check.ts'
import { stringOption, UsageError, type RunCommand, type CommandContext, type OptionValues } from '../command.ts'
import { createCheckClient, waitForCheck } from './client.ts'
import { renderJunit } from './junit.ts'
import { failureOf, renderSummary } from './result.ts'
import { toSarif } from './sarif.ts'
import { checkSite } from './site.ts'
import { readSitemap } from './sitemap.ts'
import { renderTextReport } from './text.ts'

const FORMATS = ['text', 'json', 'junit', 'sarif'] as const
type Format = (typeof FORMATS)[number]

export const check: RunCommand = async (context) => {
  const { args, options, json, adminClient, log } = context
  const { account, page, sitemap, project, input, failUnder, format, open } = parseCheckOptions(args, options, {
    json
  })
  const urls = sitemap === null ? [] : await readSitemap(sitemap)
  const client = createCheckClient(await adminClient(), account)
  if (page === null) {
    const site = await checkSite(client, urls, { project, input, log })
    const { checks, skipped, unchecked } = site
    const lines = renderSummary(checks, { skipped: skipped.length, unchecked: unchecked.length, failUnder })
    printChecks(context, { checks, result: site, lines, format, failUnder })
    return unchecked.length > 0 || checks.some((each) => failureOf(each, failUnder) !== null) ? 1 : 0
  }
  const requested = await client.request({ slug: page.slug, project }, { ...input, url: page.url })
  const finished = await waitForCheck(client, requested, log)
  const lines = renderTextReport(finished, { colors: usesColors(context) })
  printChecks(context, { checks: [finished], result: finished, lines, format, failUnder })
  if (open) {
    const file = await saveReport(await client.report(finished))
    log(
      (await openFile(file))
        ? `The report was saved to ${file}`
        : `Could not open a browser. The report was saved to ${file}`
    )
  }
  return failureOf(finished, failUnder) === null ? 0 : 1
}

/** https://no-color.org */
const usesColors = ({ stdout, env }: CommandContext): boolean => stdout.isTTY === true && (env.NO_COLOR ?? '') === ''

interface Printed {
  checks: VisualCheck[]
  /** The result as JSON. */
  result: unknown
  /** The result as text. */
  lines: string[]
  format: Format
  failUnder: number | null
}

function printChecks({ print }: CommandContext, { checks, result, lines, format, failUnder }: Printed): void {
  const formats: Record<Format, () => string[]> = {
    text: () => lines,
    json: () => [JSON.stringify(result)],
    junit: () => renderJunit(checks, failUnder),
    sarif: () => [JSON.stringify(toSarif(checks), null, 2)]
  }
  print(result, formats[format]())
}

export interface CheckOptions {
  account: string
  /** Null: all pages of the sitemap. */
  page: { url: string; slug: string } | null
  sitemap: string | null
  /** Undefined: the only project with such a blog. */
  project: string | undefined
  input: Omit<VisualCheckInput, 'url'>
  /** Null: the score does not affect the exit code. */
  failUnder: number | null
  format: Format
  open: boolean
}

/** Throws a UsageError that names the wrong option and the valid values. */
export function parseCheckOptions(
  args: string[],
  options: OptionValues,
  { json = false }: { json?: boolean } = {}
): CheckOptions {
  const sitemap = stringOption(options, 'sitemap') ?? null
  const page = sitemap === null ? parsePage(args, options) : null
  if (sitemap !== null) {
    if (args.length > 0) throw new UsageError('--sitemap and a URL cannot be combined.')
    assertHttpUrl('--sitemap', sitemap)
    for (const name of ['blog', 'open']) {
      if (options[name] !== undefined) throw new UsageError(`--${name} and --sitemap cannot be combined.`)
    }
  }
  const environment = enumOption('environment', ENVIRONMENTS, options)
  const viewport = enumOption('viewport', VIEWPORT_NAMES, options)
  const format = enumOption('format', FORMATS, options)
  if (json && format !== undefined && format !== 'json') {
    throw new UsageError(`--json and --format ${format} cannot be combined.`)
  }
  const failUnder = stringOption(options, 'fail-under')
  if (failUnder !== undefined && (!/^\d{1,3}$/.test(failUnder) || Number(failUnder) > 100)) {
    throw new UsageError('--fail-under must be a whole number from 0 to 100.')
  }
  const open = options.open === true
  return {
    account: stringOption(options, 'account', 'demo'),
    page,
    sitemap,
    project: stringOption(options, 'project'),
    // Only the HTML report shows screenshots of findings.
    input: {
      ...(environment === undefined ? {} : { environment }),
      ...(viewport === undefined ? {} : { viewports: [viewport] }),
      screenshots: open ? 'full' : 'thumbs'
    },
    failUnder: failUnder === undefined ? null : Number(failUnder),
    format: format ?? 'text',
    open
  }
}

function parsePage(args: string[], options: OptionValues): { url: string; slug: string } {
  const [url] = args
  if (url === undefined) {
    throw new UsageError('A URL and --blog are required, or --sitemap.')
  }
  assertHttpUrl('URL', url)
  const slug = stringOption(options, 'blog')
  if (slug === undefined || slug === '') {
    throw new UsageError('--blog is required: the slug of the published blog that the page shows.')
  }
  return { url, slug }
}

function assertHttpUrl(name: string, url: string): void {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return
  throw new UsageError(`${name} must start with http:// or https://; got "${url}".`)
}

function enumOption<const T extends string>(name: string, choices: readonly T[], options: OptionValues): T | undefined {
  const value = stringOption(options, name)
  if (value === undefined) return undefined
  const choice = choices.find((choice) => choice === value)
  if (choice === undefined) throw new UsageError(`--${name} must be one of ${choices.join(', ')}; got "${value}".`)
  return choice
}

/**
 * Writes the HTML report to a new temporary folder that only the user can read. Resolves
 * with its path; the file is not deleted.
 */
export async function saveReport(report: Buffer): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'visual-check-')), 'report.html')
  await writeFile(file, report, { mode: 0o600, flag: 'wx' })
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
