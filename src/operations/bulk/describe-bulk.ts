/** Bulks and refused lines in the terms of clients. */
import { limitReached } from '../../contract/request/error-texts.ts'
import type { BulkView } from '../../domain/bulk/bulk.ts'
import type { LineError } from '../../domain/bulk/bulk-lines.ts'
import { bulkFacts } from '../../domain/reports/report.ts'

function uploadPathOf({ id }: Pick<BulkView, 'id'>): string {
  return `/api/bulk/${id}/lines`
}

/** Returns the bulk as JSON. */
export function writeBulk(bulk: BulkView): string {
  const text = JSON.stringify(describeBulk(bulk))
  return bulk.clientId === null ? text : `{"id":${bulk.clientId},${text.slice(1)}`
}

function describeBulk(bulk: BulkView): object {
  return {
    ...bulkFacts(bulk),
    reason: bulk.reason,
    upload: uploadPathOf(bulk),
    pace: bulk.pace,
    created_at: new Date(bulk.createdAt).toISOString(),
    start_at: timeOf(bulk.startAt),
    ended_at: timeOf(bulk.endedAt),
  }
}

interface LineProblem {
  readonly line: number
  readonly error: string
  readonly field: string | null
}

export function describeError({ line, cause }: LineError): LineProblem {
  return 'text' in cause
    ? { line, error: cause.text, field: cause.field }
    : { line, error: limitReached(cause.guard, cause.of), field: 'phone' }
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
