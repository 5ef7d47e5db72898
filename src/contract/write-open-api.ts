/** Writes docs/openapi.json: `node src/contract/write-open-api.ts`, then `npm run format`. */
import { writeFileSync } from 'node:fs'
import { writeOpenApi } from './open-api.ts'

writeFileSync(new URL('../../docs/openapi.json', import.meta.url), `${JSON.stringify(writeOpenApi(), null, 2)}\n`)
