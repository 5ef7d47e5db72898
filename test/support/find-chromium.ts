/**
 * Chromium from npm alone. The package has an archive of libraries that a machine without a desktop lacks, such as NSS,
 * and an archive of fonts.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromiumFiles, { inflate } from '@sparticuz/chromium'

export interface Chromium {
  readonly executablePath: string
  /** Where it looks for libraries and fonts. */
  readonly env: Readonly<Record<string, string | undefined>>
}

const ARCHIVES = fileURLToPath(new URL('../../node_modules/@sparticuz/chromium/bin/', import.meta.url))

/** Unpacks it once for all. Returns why it cannot run here, in one line, where that is so. */
export async function findChromium(): Promise<Chromium | string> {
  try {
    const executablePath = await chromiumFiles.executablePath()
    const alone = { executablePath, env: { ...process.env, FONTCONFIG_FILE: await unpackFonts() } }
    if (whyNotStarting(alone) === null) return alone
    const libraries = join(await inflate(join(ARCHIVES, 'al2023.tar.br')), 'lib')
    const helped = { executablePath, env: { ...alone.env, LD_LIBRARY_PATH: libraries } }
    return whyNotStarting(helped) ?? helped
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Returns the path of a configuration that adds them to those of the system, which may have none. */
async function unpackFonts(): Promise<string> {
  const folder = await inflate(join(ARCHIVES, 'fonts.tar.br'))
  const path = join(folder, 'here.conf')
  const system = '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>'
  const folders = `<dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir>`
  writeFileSync(path, `<!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${system}${folders}</fontconfig>`)
  return path
}

function whyNotStarting({ executablePath, env }: Chromium): string | null {
  const { error, status, stderr } = spawnSync(executablePath, ['--version'], { env, encoding: 'utf8' })
  if (error !== undefined) return error.message
  return status === 0 ? null : (stderr.trim().split('\n')[0] ?? '')
}
