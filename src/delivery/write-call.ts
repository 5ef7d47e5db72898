/** Writes the call that posts a batch of reports: alone as an object, otherwise as an array. */
import { type Account, DEFAULT_ACCOUNT_SETTINGS, signingSecrets } from '../domain/account.ts'
import { reportId, writeReports } from '../domain/report.ts'
import type { HookCall } from '../ports/hook-post.ts'
import type { Random } from '../ports/random.ts'
import type { ReportBatch } from './report-batches.ts'

/** Of the id of a batch. */
const ID_BYTES = 16

export interface CallFacts {
  /** Null for an account that no longer exists. */
  readonly account: Account | null
  readonly at: number
  readonly random: Random
}

export function writeCall(batch: ReportBatch, { account, at, random }: CallFacts): HookCall {
  const [{ accountId, address, body }] = batch
  const all = { account: accountId, address, at, secrets: account === null ? [] : signingSecrets(account, at) }
  const { reportsPerPost } = account?.settings ?? DEFAULT_ACCOUNT_SETTINGS
  if (reportsPerPost === 1 && batch.length === 1) return { ...all, id: reportId(batch[0]), body, count: null }
  // A retry may have other reports: its id is another one.
  const id = `batch_${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`
  return { ...all, id, body: writeReports(batch), count: batch.length }
}
