/** The JavaScript runtimes that the machine has beside the Node that runs the tests. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Runtime {
  readonly path: string
  readonly version: string
}

/** Null, and a line on the terminal, when the machine has none, or none whose version begins so. */
export function findRuntime(name: string, wanted = ''): Runtime | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  for (const path of folders.map((folder) => join(folder, name)).filter((path) => existsSync(path))) {
    const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    const version = stdout?.trim().split('\n')[0] ?? ''
    if (status === 0 && version.startsWith(wanted)) return { path, version }
  }
  console.warn(`${[name, wanted].join(' ').trim()} is not installed; its tests are skipped`)
  return null
}
