import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright'
import { StartError } from '../../../../errors.ts'

export interface FoundChromium {
  executablePath: string
  /** `setting`: CHROMIUM_PATH. */
  source: 'setting' | 'playwright' | 'system' | 'sparticuz'
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chromium-headless-shell']
const LINUX_FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/usr/lib/chromium',
  '/usr/lib64/chromium-browser',
  '/opt/google/chrome'
]
const MAC_APPS = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium']
const WINDOWS_FOLDERS = ['C:\\Program Files', 'C:\\Program Files (x86)', path.win32.join(homedir(), 'AppData', 'Local')]
const WINDOWS_PROGRAMS = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe']

/** Where browsers are usually installed on a platform, in the order of preference. */
export function usualPaths(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') {
    return ['/Applications', path.posix.join(homedir(), 'Applications')].flatMap((folder) =>
      MAC_APPS.map((app) => path.posix.join(folder, app))
    )
  }
  if (platform === 'win32') {
    return WINDOWS_FOLDERS.flatMap((folder) => WINDOWS_PROGRAMS.map((program) => path.win32.join(folder, program)))
  }
  return LINUX_FOLDERS.flatMap((folder) => [...NAMES, 'chrome'].map((name) => path.posix.join(folder, name)))
}

/**
 * Finds the browser to use: only CHROMIUM_PATH (`path`) if it is set; otherwise the browser of
 * Playwright, one of the system (`places`), or that of the package @sparticuz/chromium. Throws a
 * StartError with instructions if there is none.
 */
export async function findChromium({
  path: configured,
  places = usualPaths(process.platform)
}: {
  path?: string
  places?: readonly string[]
}): Promise<FoundChromium> {
  if (configured !== undefined && configured !== '') {
    if (await isExecutable(configured)) return { executablePath: configured, source: 'setting' }
    throw new StartError(
      `CHROMIUM_PATH is "${configured}", which is not an executable file. Set it to the path of a Chromium, ` +
        'or unset it to search for one.'
    )
  }
  const own = playwrightPath()
  if (own !== null && (await isExecutable(own))) return { executablePath: own, source: 'playwright' }
  for (const place of places) {
    if (await isExecutable(place)) return { executablePath: place, source: 'system' }
  }
  const unpacked = await unpackSparticuz()
  if (unpacked !== null) return { executablePath: unpacked, source: 'sparticuz' }
  throw new StartError(
    'No Chromium was found for the visual check. Install one (apt install chromium, or ' +
      'npx playwright install chromium), or set CHROMIUM_PATH.'
  )
}

/** The browser of Playwright, which throws on unsupported platforms. */
function playwrightPath(): string | null {
  try {
    return chromium.executablePath()
  } catch {
    return null
  }
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The package contains a browser for Linux and unpacks it on the first call. It accepts any file of
 * that name in the directory for temporary files, so a file of another user is not run.
 */
async function unpackSparticuz(): Promise<string | null> {
  if (process.platform !== 'linux') return null
  const found = await import('@sparticuz/chromium').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  })
  if (found === null) return null
  const file = await found.default.executablePath().catch((error: Error) => {
    throw new StartError(
      `The Chromium of @sparticuz/chromium could not be unpacked (${error.message}). ` +
        'Install a Chromium and set CHROMIUM_PATH.'
    )
  })
  const { uid } = await stat(file)
  if ((uid !== 0 && uid !== process.getuid?.()) || !(await isExecutable(file))) {
    throw new StartError(`"${file}" belongs to another user or is not executable. Remove it, or set CHROMIUM_PATH.`)
  }
  return file
}
