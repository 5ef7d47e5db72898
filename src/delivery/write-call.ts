/** Writes the call that posts a batch of reports: alone as an object, otherwise as an array. */
import { type Account, DEFAULT_ACCOUNT_SETTINGS, signingSecrets } from '../domain/account.ts'
import { type AccountHooks, hookIdOf } from '../domain/client-hook.ts'
import { reportId, writeReports } from '../domain/report.ts'
import type { HookCall } from '../ports/hook-post.ts'
import type { Random } from '../ports/random.ts'
import type { ReportBatch } from './report-batches.ts'

/** Of the id of a batch. */
const ID_BYTES = 16

export interface CallFacts {
  /** Null for an account that no longer exists. */
  readonly account: Account | null
  /** Of the account. */
  readonly hooks: AccountHooks
  readonly at: number
  readonly random: Random
}

/** Returns null for a hook of the client that is not known here. */
export function writeCall(batch: ReportBatch, { account, hooks, at, random }: CallFacts): HookCall | null {
  const [{ accountId, address, body, number }] = batch
  const hookId = hookIdOf(number)
  const signing = hookId === 0 ? account : hooks.hooks.find(({ id }) => id === hookId)
  if (signing === undefined) return null
  const secrets = signing === null ? [] : signingSecrets(signing, at)
  const all = { account: accountId, address, at, secrets, ...traceOf(batch) }
  const { reportsPerPost } = account?.settings ?? DEFAULT_ACCOUNT_SETTINGS
  if (reportsPerPost === 1 && batch.length === 1) return { ...all, id: reportId(batch[0]), body, count: null }
  // A retry may have other reports: its id is another one.
  const id = `batch_${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`
  return { ...all, id, body: writeReports(batch), count: batch.length }
}

/** Reports of several traces in one POST belong to none. */
function traceOf(batch: ReportBatch): Pick<HookCall, 'traceparent'> {
  const [{ trace }] = batch
  return trace === undefined || batch.some((report) => report.trace !== trace) ? {} : { traceparent: trace }
}
