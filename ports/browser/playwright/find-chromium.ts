import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright'
import { StartError } from '../../../errors.ts'

export interface FoundChromium {
  executablePath: string /** `setting`: CHROMIUM_PATH. */
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

/** Where a browser usually is on this kind of machine, in the order to look. */
export function usualPlaces(platform: NodeJS.Platform): string[] {
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
 * Finds the browser to use: the one that the setting names and no other, else one of Playwright's,
 * of the system, or of the package @sparticuz/chromium.
 * Throws a StartError that says what to do where there is none. `places` stands for the system's.
 */
export async function findChromium({
  path: named,
  places = usualPlaces(process.platform)
}: {
  path?: string
  places?: readonly string[]
}): Promise<FoundChromium> {
  if (named !== undefined && named !== '') {
    if (await isProgram(named)) return { executablePath: named, source: 'setting' }
    throw new StartError(
      `CHROMIUM_PATH names "${named}", where there is no program that may be run. Name a Chromium, or leave it out to have one looked for.`
    )
  }
  const own = playwrightsOwn()
  if (own !== null && (await isProgram(own))) return { executablePath: own, source: 'playwright' }
  for (const place of places) {
    if (await isProgram(place)) return { executablePath: place, source: 'system' }
  }
  const packed = await unpacked()
  if (packed !== null) return { executablePath: packed, source: 'sparticuz' }
  throw new StartError(
    'There is no Chromium for the visual check. Install one (apt install chromium, or npx playwright install chromium) or name one in CHROMIUM_PATH.'
  )
}

/** Playwright throws for a platform that it has no browser for. */
function playwrightsOwn(): string | null {
  try {
    return chromium.executablePath()
  } catch {
    return null
  }
}

async function isProgram(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The package has browsers for Linux alone, and unpacks one on the first call. It takes whatever
 * has its name in the folder for temporary files: what another user put there is not run.
 */
async function unpacked(): Promise<string | null> {
  if (process.platform !== 'linux') return null
  const found = await import('@sparticuz/chromium').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  })
  if (found === null) return null
  const file = await found.default.executablePath().catch((error: Error) => {
    throw new StartError(
      `The Chromium of @sparticuz/chromium could not be unpacked (${error.message}). Install one and name it in CHROMIUM_PATH.`
    )
  })
  const { uid } = await stat(file)
  if ((uid !== 0 && uid !== process.getuid?.()) || !(await isProgram(file))) {
    throw new StartError(
      `"${file}" belongs to another user, or may not be run. Remove it, or name a Chromium in CHROMIUM_PATH.`
    )
  }
  return file
}
