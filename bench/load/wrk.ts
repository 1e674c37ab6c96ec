import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Counts, LoadOptions, Target } from '../load.ts'

const exec = promisify(execFile)

/** What `done` of the script prints. */
interface Summary {
  requests: number
  durationMicros: number
  p99Micros: number
  /** Responses with a status above 399. */
  refused: number
  /** Connections that failed, or responses that did not arrive. */
  failed: number
}

/** Whether wrk (https://github.com/wg/wrk) is installed. */
export const hasWrk = (): boolean => spawnSync('wrk', ['--version']).error === undefined

/** Requests a target with wrk, on one thread. The status is checked before and after, see `scriptOf`. */
export async function runWrk(target: Target, { connections, seconds }: LoadOptions): Promise<Counts> {
  const origin = new URL([target.url].flat()[0]!).origin
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-wrk-'))
  try {
    const script = path.join(folder, 'requests.lua')
    await writeFile(script, scriptOf(target))
    const before = await statusOf(target)
    const { stdout } = await exec('wrk', [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--latency',
      '-s',
      script,
      origin
    ])
    const after = await statusOf(target)
    const { requests, durationMicros, p99Micros, refused, failed } = JSON.parse(
      stdout.slice(stdout.lastIndexOf('{'))
    ) as Summary
    const isRight = before === target.expect && after === target.expect && refused === 0 && failed === 0
    return {
      responses: requests,
      seconds: durationMicros / 1_000_000,
      p99: p99Micros / 1_000,
      failure: isRight
        ? null
        : `expected ${target.expect}, got ${before} before and ${after} after, ${refused} errors, ` +
          `${failed} failed connections`
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function statusOf({ url, headers }: Target): Promise<number> {
  const response = await fetch([url].flat()[0]!, { headers: headers ?? {} })
  await response.arrayBuffer()
  return response.status
}

/**
 * A script in Lua. It has no function `response`, which would make wrk parse the headers of each response, and so slow
 * that it is the limit.
 */
function scriptOf({ url, headers = {} }: Target): string {
  const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const paths = [url].flat().map((each) => {
    const { pathname, search } = new URL(each)
    return quote(pathname + search)
  })
  return `
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  .join('\n')}
local paths = {${paths.join(',')}}
local requests = {}
function init()
  math.randomseed(os.time())
  for index, each in ipairs(paths) do requests[index] = wrk.format("GET", each) end
end
function request() return requests[math.random(#requests)] end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"durationMicros":%d,"p99Micros":%d,"refused":%d,"failed":%d}',
    summary.requests, summary.duration, latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`
}
