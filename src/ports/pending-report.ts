/** A report as a store keeps it, until its hook has it and after. */
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
