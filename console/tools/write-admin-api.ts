/**
 * Writes console/src/api/admin-api.ts: the types of all admin endpoints, from the OpenAPI document, and the roles that
 * may call them. It is not in the repository, so it is never out of date; builds and type checks write it first.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeAdminOpenApi } from '../../src/operations/admin/admin-open-api.ts'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { describeAdminApi } from './describe-admin-api.ts'

const PATH = fileURLToPath(new URL('../src/api/admin-api.ts', import.meta.url))

export function writeAdminApi(): void {
  const text = describeAdminApi(writeAdminOpenApi(ENDPOINTS), ENDPOINTS)
  // An unchanged file keeps its time, so that a running Vite server does not reload.
  if (!existsSync(PATH) || readFileSync(PATH, 'utf8') !== text) writeFileSync(PATH, text)
}

if (import.meta.main) writeAdminApi()
