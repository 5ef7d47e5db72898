/**
 * Wraps the store for one admin request: each change is recorded with its actor and the previous values in the same
 * transaction, and is refused if the data was changed concurrently. Everything else passes to the store.
 */
import type { DirectoryRows } from '../../domain/directory/directory.ts'
import type { AdminRequest, ChangeRecord } from '../../ports/changes/change-record.ts'
import { ChangeConflict } from '../../ports/records/store-errors.ts'
import type { Change } from '../../ports/stores/setup-store.ts'
import type { Store } from '../../ports/stores/store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { describeChanges, withLogin } from './changes/audit-change.ts'
import { checkClientChange, checkMayChange, checkProof } from './changes/check-change.ts'
import { AdminProblem } from './endpoint/admin-problem.ts'
import type { Actor } from './endpoint/endpoint.ts'
import { takeTurn } from './endpoint/take-turns.ts'

export interface AuditedRequest {
  readonly actor: Actor
  readonly action: string
  readonly clock: Clock
  /** Null without an Idempotency-Key. */
  readonly request: AdminRequest | null
  /** The caller already holds the turn (take-turns.ts). */
  readonly hasTurn: boolean
  /** Throws if the data to be changed differs from what the caller has seen. */
  readonly checkSeen: (rows: DirectoryRows) => void
}

/** Other gateways may change the data between reading and writing. */
export const MAX_TRIES = 20

/** `wrote` returns whether anything was changed. */
export function auditStore(
  store: Store,
  about: AuditedRequest,
): { readonly store: Store; readonly wrote: () => boolean } {
  let changes = 0
  const change: Store['change'] = <C extends Change>(wanted: C, made?: ChangeRecord) => {
    checkMayChange(about.actor, wanted)
    const work = () => write(wanted, made)
    return about.hasTurn ? work() : takeTurn(store, work)
  }
  const write = async <C extends Change>(wanted: C, made?: ChangeRecord) => {
    // The change was computed from a whole directory, which the caller must read again.
    const isBound = made !== undefined || wanted.kind === 'all'
    for (let tries = 1; ; tries += 1) {
      const rows = { ...(await store.loadDirectory()), ...(made === undefined ? {} : { revision: made.revision }) }
      checkClientChange(about.actor, wanted, rows)
      checkProof(about.actor, wanted, rows, about.clock.now())
      // A second change of the same request builds on the first, which only this request has seen.
      if (changes === 0) about.checkSeen(rows)
      try {
        const answer = await store.change(wanted, await recordOf(wanted, rows, about, changes === 0))
        changes += 1
        return answer
      } catch (error) {
        if (!(error instanceof ChangeConflict) || isBound) throw error
        if (tries === MAX_TRIES) throw new AdminProblem(503, 'too many concurrent changes by other gateways; try again')
      }
    }
  }
  const audited = new Proxy(store, {
    get: (target, name) => {
      if (name === 'change') return change
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store: audited, wrote: () => changes > 0 }
}

async function recordOf(change: Change, rows: DirectoryRows, about: AuditedRequest, isFirst: boolean) {
  const { actor, action, clock, request } = about
  const by = { at: clock.now(), actor: actor.name, via: actor.via, action }
  return {
    revision: rows.revision,
    entries: (await describeChanges(change, rows)).map((facts) => withLogin({ ...by, ...facts }, change, actor)),
    request: isFirst ? request : null,
  }
}
