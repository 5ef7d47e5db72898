/**
 * Which store the tests of whole gateways run on: a file each, or with `STORE=postgres` in the environment a database each on
 * one PostgreSQL server for the test file. What they tell is the same.
 */
import type { TestDatabase } from './postgres-databases.ts'
import { usePostgres } from './use-postgres.ts'

const postgres = process.env['STORE'] === 'postgres' ? await usePostgres() : null
if (postgres?.isMissing === true) throw new Error('STORE=postgres, and PostgreSQL cannot run here')

/** Whether installations keep their data in files. */
export const KEEPS_FILES = postgres === null

/** A database for one installation; null for one that keeps its data in a file. */
export async function takeStoreOfRun(): Promise<TestDatabase | null> {
  return postgres === null ? null : postgres.takeDatabase()
}
