/**
 * Writes every file of the repository that is made from others: `npm run generate`. The file test/generated.test.ts
 * fails if one is not as it would be written.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeOpenApi } from '../src/contract/reference/open-api.ts'
import { writeRestOpenApi } from '../src/contract/rest/rest-open-api.ts'
import { BOARDS } from './boards/boards.ts'
import { writeBoard } from './boards/write-board.ts'
import { clientTables } from './clients/client-tables.ts'
import { collections } from './clients/collections.ts'
import { apiPages } from './reference/api-pages.ts'
import { writeCarrierSettings } from './reference/carrier-settings.ts'
import { writeProviders } from './reference/providers.ts'

const ROOT = join(import.meta.dirname, '..')

/** They hold nothing else, and are emptied before they are written. */
export const GENERATED_FOLDERS = [
  'clients/bruno',
  'clients/postman',
  'deploy/grafana/boards',
  'docs/reference/api',
] as const

/** Path of each file from the root of the repository, and its text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/openapi.json', inJson(writeOpenApi())],
    ['docs/rest-openapi.json', inJson(writeRestOpenApi())],
    ['docs/reference/carrier-settings.md', writeCarrierSettings()],
    ['docs/reference/providers.md', writeProviders()],
    ...apiPages(),
    ...clientTables(),
    ...collections(),
    ...BOARDS.map((board): [string, string] => [`deploy/grafana/boards/${board.name}.json`, inJson(writeBoard(board))]),
  ])
}

function inJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

if (import.meta.main) {
  for (const folder of GENERATED_FOLDERS) rmSync(join(ROOT, folder), { recursive: true, force: true })
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
}
