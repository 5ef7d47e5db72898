/** A disk that tests can fill, in memory. Only the system's administrator can have one; elsewhere it is not there. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export interface SmallDisk {
  readonly isThere: boolean
  /** A new folder on it that belongs to whom this one does. */
  makeFolder(like: string): string
  /** Nothing more goes on it. */
  fill(): void
  clear(): void
}

export function useSmallDisk(megabytes: number): SmallDisk {
  const root = mkdtempSync(join(tmpdir(), 'posthorn-disk-'))
  const isThere = mount(root, megabytes)
  if (!isThere) console.warn('no small disk can be made here; tests that fill one are skipped')
  const ballast = join(root, 'ballast')
  afterAll(() => {
    if (isThere) execFileSync('umount', ['--lazy', root])
    rmSync(root, { recursive: true })
  })
  return {
    isThere,
    makeFolder: (like) => {
      chmodSync(root, 0o755)
      const folder = join(root, 'data')
      mkdirSync(folder)
      const { uid, gid } = statSync(like)
      chownSync(folder, uid, gid)
      return folder
    },
    fill: () => {
      const { bavail, bsize } = statfsSync(root)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    },
    clear: () => rmSync(ballast),
  }
}

function mount(root: string, megabytes: number): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', root], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
