/** Folders that survive a power cut: an entry is on disk once the folder that holds it was synced. */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes the folder and those above it that are missing, for their owner alone. Throws an Error for people if a file is there. */
export function makePrivateFolder(path: string): void {
  const folder = resolve(path)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw new Error(`${folder} is a file, and must be a folder`)
  const parent = dirname(folder)
  makePrivateFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process makes the same installation.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  syncFolder(parent)
}

/** Puts the entries of a folder on disk. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
