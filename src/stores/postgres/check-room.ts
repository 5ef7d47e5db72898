/** Whether the disk of the tables has room: the lease, which is written all the time, needs none. */
import type { Connection } from './connection/connection.ts'

/** About 300 kB, in a temporary file: it fails as an insert does that needs a new page, and leaves no rows behind. */
const FILL_PAGES = `SET LOCAL work_mem = '64kB'; SET LOCAL temp_tablespaces = '';
  SELECT count(*) FROM generate_series(1, 10000)`

export async function checkRoom(connection: Connection): Promise<void> {
  await connection.run(FILL_PAGES)
}
