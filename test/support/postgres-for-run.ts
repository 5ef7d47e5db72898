/**
 * One PostgreSQL server for all test files of the project `postgres`: vitest starts it before them and stops it after.
 */
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'
import { PostgresSessions } from './postgres-sessions.ts'
import { CITUS_PORT } from './test-citus.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the server that this run keeps its data on; absent where it keeps them in files. */
    readonly postgresPort?: number
  }
}

export default async function startForRun(project: TestProject): Promise<() => Promise<void>> {
  if (CITUS_PORT !== null) {
    project.provide('postgresPort', CITUS_PORT)
    return async () => {}
  }
  const server = await startPostgres()
  const sessions = await PostgresSessions.open(server.port)
  project.provide('postgresPort', sessions.port)
  return async () => {
    sessions.close()
    await server.stop()
  }
}
