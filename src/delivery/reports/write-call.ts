/** Writes the call that posts a batch of reports: alone as an object, otherwise as an array. Forms have one in each. */
import { type Account, DEFAULT_ACCOUNT_SETTINGS, signingSecrets } from '../../domain/accounts/account.ts'
import { type AccountHooks, hookIdOf } from '../../domain/reports/client-hook.ts'
import { reportId, writeReports } from '../../domain/reports/report.ts'
import { formOf } from '../../domain/reports/report-target.ts'
import type { HookCall } from '../../ports/hooks/hook-post.ts'
import type { Random } from '../../ports/system/random.ts'
import type { ReportBatch } from './report-batches.ts'

/** Of the id of a batch. */
const ID_BYTES = 16

export interface HookCallFacts {
  /** Null for an account that no longer exists. */
  readonly account: Account | null
  /** Of the account. */
  readonly hooks: AccountHooks
  readonly at: number
  readonly random: Random
}

/** Returns null for a hook of the client that is not known here. */
export function writeCall(batch: ReportBatch, { account, hooks, at, random }: HookCallFacts): HookCall | null {
  const [{ accountId, address, body, number }] = batch
  if (formOf(address) !== null) {
    return { account: accountId, address, body, count: null, id: reportId(batch[0]), at, secrets: [] }
  }
  const hookId = hookIdOf(number)
  const signing = hookId === 0 ? account : hooks.hooks.find(({ id }) => id === hookId)
  if (signing === undefined) return null
  const secrets = signing === null ? [] : signingSecrets(signing, at)
  const { reportsPerPost } = account?.settings ?? DEFAULT_ACCOUNT_SETTINGS
  const call =
    reportsPerPost === 1 && batch.length === 1
      ? { account: accountId, address, body, count: null, id: reportId(batch[0]), at, secrets }
      : {
          account: accountId,
          address,
          body: writeReports(batch),
          count: batch.length,
          id: batchId(random),
          at,
          secrets,
        }
  const traceparent = traceOf(batch)
  return traceparent === undefined ? call : { ...call, traceparent }
}

/** A retry may have other reports: its id is another one. */
function batchId(random: Random): string {
  return `batch_${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`
}

/** Reports of several traces in one POST belong to none. */
function traceOf(batch: ReportBatch): string | undefined {
  const [{ trace }] = batch
  return trace === undefined || batch.some((report) => report.trace !== trace) ? undefined : trace
}
