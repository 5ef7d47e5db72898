/** The refused lines of a bulk: one by one, and counted by their errors. */
import Type from 'typebox'
import { MAX_BULK_ERRORS } from '../../../domain/bulk/bulk.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { describeError } from '../../bulk/describe-bulk.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { nullable, PAGING, pageOf, READERS, whole } from '../fields/shapes.ts'
import { STANDARD_ROWS } from '../fields/take-page.ts'
import { BULK_PATH_FIELDS, readNamedBulk } from './bulk-view.ts'

/** Different errors that are counted; the others together. */
const MAX_REASONS = 20
const PAGE = 1_000

const ERROR = Type.String()
const FIELD = nullable(Type.String(), { description: 'that the error is about' })

export const BULK_ERROR_ENDPOINTS = [
  endpoint({
    name: 'listBulkErrors',
    method: 'GET',
    path: '/accounts/{account}/bulks/{bulk}/errors',
    command: 'bulk errors',
    summary: `list the refused lines of a bulk, of which ${MAX_BULK_ERRORS} are kept`,
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: BULK_PATH_FIELDS,
    query: PAGING,
    result: pageOf(Type.Object({ line: whole(), field: FIELD, error: ERROR })),
    run: async ({ store }, { after = 0, most = STANDARD_ROWS, ...named }) => {
      const { id: bulkId } = await readNamedBulk(store, named)
      const errors = await store.bulkErrors({ bulkId, after, limit: most })
      return { data: errors.map(describeError), next: errors.length < most ? null : (errors.at(-1)?.line ?? null) }
    },
  }),
  endpoint({
    name: 'countBulkErrors',
    method: 'GET',
    path: '/accounts/{account}/bulks/{bulk}/errors/count',
    command: 'bulk error-count',
    summary: 'count the refused lines of a bulk by their errors, the most frequent first',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: BULK_PATH_FIELDS,
    result: Type.Object({
      data: Type.Array(
        Type.Object({ field: FIELD, error: ERROR, lines: whole(), first: whole({ description: 'number of a line' }) }),
        { maxItems: MAX_REASONS },
      ),
      others: whole({ description: 'refused lines with other errors, or beyond those that are kept' }),
    }),
    run: async ({ store }, named) => {
      const { id, refused } = await readNamedBulk(store, named)
      const all = await countErrors(store, id)
      const data = all.sort((a, b) => b.lines - a.lines).slice(0, MAX_REASONS)
      return { data, others: Math.max(0, refused - data.reduce((sum, { lines }) => sum + lines, 0)) }
    },
  }),
]

async function countErrors(store: Store, bulkId: BulkId) {
  const counts = new Map<string, { field: string | null; error: string; lines: number; first: number }>()
  for (let after: number | null = 0; after !== null; ) {
    const page = await store.bulkErrors({ bulkId, after, limit: PAGE })
    for (const { line, field, error } of page.map(describeError)) {
      const name = `${field} ${error}`
      const { lines = 0, first = line } = counts.get(name) ?? {}
      counts.set(name, { field, error, lines: lines + 1, first })
    }
    after = page.length < PAGE ? null : (page.at(-1)?.line ?? null)
  }
  return [...counts.values()]
}
