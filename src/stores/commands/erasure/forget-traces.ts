/** Deletes what is always little of a recipient: users of messengers, parts of inbound messages, usage counts. */
import { formsOf, isFormOf, type Phone } from '../../../domain/numbers/phone.ts'
import { phoneHashesOf } from '../../rows/setup/carrier-user-row.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import { type Command, rows, write } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const DROP_USERS = sql('DELETE FROM carrier_user WHERE phone_hash {any text}')
const PART_SENDERS = sql<[sender: string]>('SELECT DISTINCT sender FROM inbound_part')
const DROP_PARTS = sql('DELETE FROM inbound_part WHERE sender {any text}')
const DROP_USAGE = sql(`DELETE FROM usage WHERE key LIKE '% ' || CAST(? AS text)`)

export function* forgetTraces(phone: Phone, hashPhone: HashPhone): Command<void> {
  yield* write(DROP_USERS, [phoneHashesOf(phone, hashPhone)])
  const senders = (yield* rows(PART_SENDERS)).map(([sender]) => sender)
  yield* write(DROP_PARTS, [senders.filter((sender) => isFormOf(phone, sender))])
  yield* write(DROP_USAGE, ...formsOf(phone).map((form) => [form]))
}
