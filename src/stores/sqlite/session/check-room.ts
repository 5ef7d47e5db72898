/** Whether the disk of a database has room: its own files may have some left, so that the next writes show nothing. */
import { rm, writeFile } from 'node:fs/promises'
import { StoreError } from '../../../ports/records/store-errors.ts'

const PAGES = Buffer.alloc(64 * 1024, 1)

/** Writes a file beside the database and removes it. Rejects with StoreError if it cannot be written. */
export async function checkRoom(database: string): Promise<void> {
  const file = `${database}-room`
  try {
    await writeFile(file, PAGES)
  } catch (cause) {
    throw new StoreError((cause as Error).message, { cause })
  } finally {
    await rm(file, { force: true })
  }
}
