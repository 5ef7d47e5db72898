/** Rules of guards: their settings, listed numbers, opt-outs and traffic alarms. */
import type { OptOut, OptOutChange } from '../../domain/consent/opt-out.ts'
import { formsOf } from '../../domain/numbers/phone.ts'
import type { Cell } from '../rows/cells/cell.ts'
import { type HashPhone, keysOfPhone } from '../vault/phone-hash.ts'
import { exists, findOne, put, type Rule, remove, requireAccount, update } from './row-step.ts'

/** Applies the changes in order. A change without effect is no error. */
export function* changeOptOuts(changes: readonly OptOutChange[], hashPhone: HashPhone): Rule<null> {
  for (const { optOut } of changes) yield* requireAccount(optOut.accountId)
  for (const change of changes) yield* changeOptOut(change, hashPhone)
  return null
}

/** Returns whether an account is about to get its first opt-out, which every node must load. */
export function* addsFirstOptOut(changes: readonly OptOutChange[]): Rule<boolean> {
  for (const { kind, optOut } of changes) {
    if (kind === 'add' && !(yield* exists('opt_out', { account_id: optOut.accountId }))) return true
  }
  return false
}

function* changeOptOut({ kind, optOut }: OptOutChange, hashPhone: HashPhone): Rule<null> {
  const forms = formsOf(optOut.phone)
  const key = { account_id: optOut.accountId, phone: forms[0], sender: optOut.sender ?? '' }
  if (kind === 'remove') {
    for (const phone of keysOfPhone(optOut.phone, hashPhone)) {
      const found = yield* findOne('opt_out', { ...key, phone }, ['set_by', 'at'])
      if (found !== null && mayRemove(optOut, found)) yield* remove('opt_out', { ...key, phone })
    }
    return null
  }
  // Earlier versions stored the form that was written.
  for (const phone of forms) {
    const found = yield* findOne('opt_out', { ...key, phone }, ['set_by', 'at'])
    if (found === null) continue
    // An operator's opt-out outweighs the recipient's own: no keyword or link lifts it.
    if (optOut.by === 'hand') yield* update('opt_out', { set_by: 'hand' }, { ...key, phone })
    // An opt-in that is older than the last opt-out, and arrives late, does not lift it.
    else if (found.set_by !== 'hand' && Number(found.at) < optOut.at)
      yield* update('opt_out', { at: optOut.at }, { ...key, phone })
    return null
  }
  return yield* put('opt_out', { ...key, set_by: optOut.by, at: optOut.at })
}

function mayRemove({ by, at }: OptOut, found: Readonly<Record<'set_by' | 'at', Cell>>): boolean {
  return by === 'hand' || (found.set_by !== 'hand' && Number(found.at) <= at)
}
