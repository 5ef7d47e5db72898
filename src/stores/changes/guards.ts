/** Rules of guards: their settings, listed numbers, opt-outs and traffic alarms. */
import type { OptOutChange } from '../../domain/consent/opt-out.ts'
import { formsOf } from '../../domain/numbers/phone.ts'
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
    const setters = optOut.by === 'hand' ? [{}] : [{ set_by: 'word' }, { set_by: 'link' }]
    for (const phone of keysOfPhone(optOut.phone, hashPhone))
      for (const setBy of setters) yield* remove('opt_out', { ...key, phone, ...setBy })
    return null
  }
  // Earlier versions stored the form that was written.
  for (const phone of forms) {
    if ((yield* findOne('opt_out', { ...key, phone }, ['set_by'])) === null) continue
    // An operator's opt-out outweighs the recipient's own: no keyword or link lifts it.
    if (optOut.by === 'hand') yield* update('opt_out', { set_by: 'hand' }, { ...key, phone })
    return null
  }
  return yield* put('opt_out', { ...key, set_by: optOut.by, at: optOut.at })
}
