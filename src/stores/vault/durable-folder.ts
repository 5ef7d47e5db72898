/** Folders that survive a power cut: an entry is on disk once its folder was synced. */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates the folder and its missing parents, for their owner alone. Throws an Error with a readable message if a file
 * is in the way.
 */
export function makePrivateFolder(path: string): void {
  const folder = resolve(path)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw new Error(`${folder} must be a folder, but is a file`)
  const parent = dirname(folder)
  makePrivateFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process creates the same installation.
    if (!isTaken(error)) throw error
  }
  syncFolder(parent)
}

/** Syncs the entries of a folder to disk. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Returns whether the name exists already. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
