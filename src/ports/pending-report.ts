/** A report as a store keeps it, until its hook has it and after. */
import type { MessageId } from '../domain/message-id.ts'
import type { Report } from '../domain/report.ts'

export interface PendingReport extends Report {
  /** Failed tries so far. */
  readonly tries: number
  readonly createdAt: number
}

export interface TracedReport extends PendingReport {
  readonly state: 'pending' | 'sent' | 'failed'
  readonly detail: string
  /** Null while no try was made. */
  readonly triedAt: number | null
}

export interface ReportClaim {
  readonly now: number
  readonly limit: number
}

export interface ReportResult {
  readonly messageId: MessageId
  readonly number: number
  /** `later`: another try at `dueAt`. `failed`: given up. `gone`: the hook said 410, which stops its address as well. */
  readonly kind: 'sent' | 'later' | 'failed' | 'gone'
  readonly at: number
  readonly dueAt: number | null
  /** Whether this node keeps it in memory until `dueAt`. */
  readonly held: boolean
  /** The status or the error, bounded. */
  readonly detail: string
}
