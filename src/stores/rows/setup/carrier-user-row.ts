/** The phone of a messenger's user as a row: sealed, found by keyed hashes of the user's id and of the phone. */
import { formsOf, isUserId, type Phone, readUserId } from '../../../domain/numbers/phone.ts'
import { type CarrierUser, USERS_KEPT_MS } from '../../../ports/carriers/user-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'

export const CARRIER_USER_COLUMNS = 'carrier_id, user_id, phone, phone_hash, keep_until, name'

type CarrierUserRow = [
  ...[carrierId: string, userId: string, phone: string, phoneHash: string, keepUntil: number],
  name: string | null,
]

interface Keys {
  readonly vault: Vault
  readonly hashPhone: HashPhone
}

/** Returns the rows in the order of their keys, which all writers lock in; of each user the last one. */
export function toCarrierUserRows(
  users: readonly CarrierUser[],
  now: number,
  { vault, hashPhone }: Keys,
): readonly CarrierUserRow[] {
  const rows = users.map(({ carrierId, userId, phone }): CarrierUserRow => {
    const [first] = formsOf(phone)
    const name = readUserId(userId) === null ? null : vault.seal(userId)
    return [carrierId, hashPhone(userId), vault.seal(phone), hashPhone(first), now + USERS_KEPT_MS, name]
  })
  const newest = new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]))
  return [...newest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

/** Returns the hashes under which users with this phone are stored. */
export function phoneHashesOf(phone: Phone, hashPhone: HashPhone): readonly string[] {
  return formsOf(phone).map(hashPhone)
}

/** How often a user gets another id at most. */
const MAX_CHANGES = 20

/** A phone and a user id that a messenger named together, opened; no id for other names of the phone. */
export type JoinedNames = readonly [phone: Phone, userId: Phone | null]

/**
 * Returns a function that returns a recipient and what else messengers call it: the phone of a user id, the user ids of
 * a phone. `find` returns the rows whose column has one of these hashes.
 */
export function* namesOf<Step, Answer>(
  recipients: readonly Phone[],
  hashPhone: HashPhone,
  find: (
    column: 'user_id' | 'phone_hash',
    hashes: readonly string[],
  ) => Generator<Step, readonly JoinedNames[], Answer>,
): Generator<Step, (recipient: Phone) => readonly Phone[], Answer> {
  const others = new Map<Phone, Phone[]>()
  const join = (one: Phone, other: Phone) => others.set(one, [...(others.get(one) ?? []), other])
  const seen = new Set<Phone>()
  let asked = recipients
  for (let change = 0; change < MAX_CHANGES && asked.length > 0; change += 1) {
    for (const name of asked) seen.add(name)
    const rows = [
      ...(yield* find(
        'phone_hash',
        asked.flatMap((name) => phoneHashesOf(name, hashPhone)),
      )),
    ]
    const ids = asked.filter(isUserId)
    if (ids.length > 0) rows.push(...(yield* find('user_id', ids.map(hashPhone))))
    const pairs = rows.flatMap(([phone, userId]) => (userId === null ? [] : [[formsOf(phone)[0], userId] as const]))
    for (const [phone, userId] of pairs) {
      join(phone, userId)
      join(formsOf(userId)[0], phone)
    }
    asked = [...new Set(pairs.flat())].filter((name) => !seen.has(name))
  }
  return (recipient) => {
    const names = new Set([recipient])
    // Those that are added are visited too.
    for (const name of names) for (const other of others.get(formsOf(name)[0]) ?? []) names.add(other)
    return [...names]
  }
}
