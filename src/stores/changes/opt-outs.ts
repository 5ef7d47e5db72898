/** Rules of opt-outs. */
import type { OptOut, OptOutChange } from '../../domain/consent/opt-out.ts'
import { formsOf, type Phone } from '../../domain/numbers/phone.ts'
import type { Vault } from '../../ports/system/vault.ts'
import type { Cell, Row } from '../rows/cells/cell.ts'
import { type JoinedNames, namesOf } from '../rows/setup/carrier-user-row.ts'
import { type HashPhone, keysOfPhone } from '../vault/phone-hash.ts'
import { exists, findAny, nameOfRow, putAll, type Rule, remove, requireAccounts, slicesOf } from './row-step.ts'

const KEY = ['account_id', 'phone', 'sender'] as const
const COLUMNS = [...KEY, 'set_by', 'at'] as const

type Stored = Readonly<Record<(typeof COLUMNS)[number], Cell>>

interface Keys {
  readonly vault: Vault
  readonly hashPhone: HashPhone
}

/** Applies the changes in order, to all names of each recipient. A change without effect is no error. */
export function* changeOptOuts(asked: readonly OptOutChange[], { vault, hashPhone }: Keys): Rule<null> {
  const recipients = asked.map(({ optOut }) => optOut.phone)
  const allNames = yield* namesOf(recipients, hashPhone, (column, hashes) => findJoined(column, hashes, vault))
  const changes = asked.flatMap(({ kind, optOut }) =>
    allNames(optOut.phone).map((phone) => ({ kind, optOut: { ...optOut, phone } })),
  )
  yield* requireAccounts(changes.map(({ optOut }) => optOut.accountId))
  for (const slice of slicesOf(changes)) {
    const keys = slice.flatMap(({ optOut }) => keysOfPhone(optOut.phone, hashPhone).map((each) => keyOf(optOut, each)))
    const before = byName(yield* findAny('opt_out', [...byName(keys).values()], COLUMNS))
    const after = new Map(before)
    for (const { kind, optOut } of slice) {
      if (kind === 'add') add(after, optOut)
      else lift(after, optOut, hashPhone)
    }
    const lifted = [...before].filter(([name]) => !after.has(name)).map(([, row]) => row)
    const written = [...after].filter(([name, row]) => before.get(name) !== row).map(([, row]) => row)
    yield* remove('opt_out', ...lifted.map(({ account_id, phone, sender }) => ({ account_id, phone, sender })))
    yield* putAll('opt_out', written)
  }
  return null
}

function* findJoined(column: string, hashes: readonly string[], vault: Vault): Rule<readonly JoinedNames[]> {
  const found: JoinedNames[] = []
  for (const slice of slicesOf([...new Set(hashes)])) {
    const where = slice.map((hash) => ({ [column]: hash }))
    for (const { phone, name } of yield* findAny('carrier_user', where, ['phone', 'name']))
      found.push([vault.open(String(phone)) as Phone, name === null ? null : (vault.open(String(name)) as Phone)])
  }
  return found
}

/** Returns whether an account is about to get its first opt-out, which every node must load. */
export function* addsFirstOptOut(changes: readonly OptOutChange[]): Rule<boolean> {
  const added = changes.filter(({ kind }) => kind === 'add')
  for (const accountId of new Set(added.map(({ optOut }) => optOut.accountId))) {
    if (!(yield* exists('opt_out', { account_id: accountId }))) return true
  }
  return false
}

function add(rows: Map<string, Stored>, optOut: OptOut): void {
  const { by, at } = optOut
  const forms = formsOf(optOut.phone)
  // Earlier versions stored the form that was written.
  const key = keyOf(optOut, forms.find((each) => rows.has(nameOfRow(keyOf(optOut, each), KEY))) ?? forms[0])
  const name = nameOfRow(key, KEY)
  const found = rows.get(name)
  if (found === undefined) rows.set(name, { ...key, set_by: by, at })
  // An operator's opt-out outweighs the recipient's own: no keyword or link lifts it.
  else if (by === 'hand') rows.set(name, { ...found, set_by: by })
  // An opt-in that is older than the last opt-out, and arrives late, does not lift it.
  else if (found.set_by !== 'hand' && Number(found.at) < at) rows.set(name, { ...found, at })
}

function lift(rows: Map<string, Stored>, optOut: OptOut, hashPhone: HashPhone): void {
  for (const phone of keysOfPhone(optOut.phone, hashPhone)) {
    const name = nameOfRow(keyOf(optOut, phone), KEY)
    const found = rows.get(name)
    if (found !== undefined && mayLift(optOut, found)) rows.delete(name)
  }
}

function mayLift({ by, at }: OptOut, found: Stored): boolean {
  return by === 'hand' || (found.set_by !== 'hand' && Number(found.at) <= at)
}

function keyOf({ accountId, sender }: OptOut, phone: string) {
  return { account_id: accountId, phone, sender: sender ?? '' }
}

/** In the order of their names, so that rows are locked in one order. */
function byName<T extends Row>(rows: readonly T[]): Map<string, T> {
  return new Map(
    rows.map((row) => [nameOfRow(row, KEY), row] as const).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
