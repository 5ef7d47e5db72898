/** Pages of lists that every gateway has in memory, such as prices and routes. */
import { MAX_PAGE_BYTES, takeFitting } from '../../domain/answer-size.ts'

/** Rows of a page when the request names no number. */
export const STANDARD_ROWS = 50

export interface PageInput {
  /** `next` of the page before; the first page without. */
  readonly after?: number
  /** Rows of the page. */
  readonly most?: number
}

export interface ListPage<View> {
  data: View[]
  /** `after` of the following page; null on the last one. */
  next: number | null
}

/** Returns one page of the rows, as `view` shows them. Shows no row beyond the page, except the one that no longer fits. */
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
