/** Pages of lists that gateways hold in memory, such as prices and routes. */
import { MAX_PAGE_BYTES, takeFitting } from '../../../domain/structures/answer-size.ts'

/** Rows per page by default. */
export const STANDARD_ROWS = 50

export interface PageInput {
  /** `next` of the previous page; absent for the first one. */
  readonly after?: number
  /** Maximum rows. */
  readonly most?: number
}

export interface ListPage<View> {
  data: View[]
  /** `after` of the next page; null on the last one. */
  next: number | null
}

/** Returns one page of rows, converted by `view`. Converts no more rows than needed. */
export function takePage<Row, View>(
  rows: readonly Row[],
  { after = 0, most = STANDARD_ROWS }: PageInput,
  view: (row: Row) => View,
): ListPage<View> {
  const { items } = takeFitting(viewed(rows.slice(after, after + most), view), MAX_PAGE_BYTES, jsonBytes)
  const end = after + items.length
  return { data: [...items], next: end < rows.length ? end : null }
}

function* viewed<Row, View>(rows: readonly Row[], view: (row: Row) => View): Iterable<View> {
  for (const row of rows) yield view(row)
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
