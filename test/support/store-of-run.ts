/**
 * Which store the tests of whole gateways run on: a file each, or in the project `postgres` a database each on the one
 * server of the run. The tests are the same.
 */
import { inject } from 'vitest'
import { PostgresDatabases, type TestDatabase } from './postgres-databases.ts'
import { reachPostgres } from './postgres-server.ts'

const port = inject('postgresPort')
/** Those of all test files that a process runs. */
export const DATABASES_OF_RUN = port === undefined ? null : new PostgresDatabases(reachPostgres(port))

/** Whether installations keep their data in files. */
export const KEEPS_FILES = DATABASES_OF_RUN === null

/** A database for one installation; null for one that keeps its data in a file. */
export async function takeStoreOfRun(): Promise<TestDatabase | null> {
  return DATABASES_OF_RUN === null ? null : DATABASES_OF_RUN.take()
}
