/** Finds the phones of users whom a webhook call names by their ids, and remembers those that it names by both. */
import { formsOf, isFormOf, isUserId, type Phone, readUserId } from '../../domain/numbers/phone.ts'
import type { Inbox } from '../../ports/carriers/carrier.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { asText, isJsonObject, parseJsonObject } from '../../wire/json.ts'
import type { KnownUsers } from '../shared/known-users.ts'
import { isId, objectsIn, type Party, type RenamedUser, type WhatsAppUser } from './read-inbound.ts'
import type { WhatsAppNews } from './read-receipt.ts'

/**
 * Returns what users did with the phone of each, as messages are sent to it, or the user id if the phone is unknown.
 * Rejects if the store can neither write nor read.
 */
export async function nameUsers(
  { users, renamed, written, closed }: WhatsAppNews,
  known: KnownUsers,
  inbox: Inbox,
): Promise<Pick<WhatsAppNews, 'written' | 'closed'>> {
  const previous = renamed.flatMap((user) => user.previous)
  const before = previous.length === 0 ? new Map() : await known.phonesOf(inbox, previous)
  await followNumbers(renamed, { before, known, inbox })
  await known.remember(inbox, [...users, ...renamed.flatMap((user) => idsOf(user, before))])
  const names = [...written, ...closed].flatMap(namesOf)
  const phones = names.length === 0 ? null : await known.phonesOf(inbox, names)
  const named = <T extends Party>(party: T): T => {
    const found = namesOf(party)
      .map((name) => phones?.get(name))
      .find((each) => each !== undefined)
    return { ...party, phone: found ?? (party.phone || party.userId) }
  }
  return { written: written.map(named), closed: closed.map(named) }
}

type PhonesBefore = ReadonlyMap<string, Phone>

/**
 * Returns the new ids of a user, and former ones without a phone, with the phone; with the first of the new ids if it
 * is unknown.
 */
function idsOf({ phone, previous, userIds }: RenamedUser, before: PhonesBefore): readonly WhatsAppUser[] {
  const [theirs] = [phone, ...previous.map((id) => before.get(id)), ...userIds.map(readUserId)].filter((each) => each)
  const former = previous.filter((id) => !before.has(id) && readUserId(id) !== null)
  const ids = [...userIds, ...former].filter((id) => id !== theirs)
  return theirs ? ids.map((userId) => ({ userId, phone: theirs })) : []
}

/**
 * Has the opt-outs of former phones copied, once for each notice: a repeat must not undo what the user has written
 * since.
 */
async function followNumbers(
  renamed: readonly RenamedUser[],
  { before, known, inbox }: { readonly before: PhonesBefore; readonly known: KnownUsers; readonly inbox: Inbox },
): Promise<void> {
  const moves = renamed.flatMap(({ notice, formerPhone, previous, phone }) => {
    const former = new Set([formerPhone, ...previous.map((id) => before.get(id) ?? null)])
    const others = [...former].filter((each) => each !== null && phone !== null && !isFormOf(phone, each))
    return phone === null || others.length === 0 ? [] : [{ notice, phone, others }]
  })
  if (moves.length === 0) return
  const followed = await known.phonesOf(
    inbox,
    moves.map(({ notice }) => notice),
  )
  for (const { notice, phone, others } of moves) {
    if (followed.has(notice)) continue
    for (const from of others) if (from !== null) await inbox.copyOptOuts(from, phone)
    await known.remember(inbox, [{ userId: notice, phone }])
  }
}

/** A phone may be the id of a user whom messages reach under another. */
function namesOf({ phone, userId }: Party): readonly string[] {
  return [phone, userId].filter((name) => name !== '')
}

/** Returns the names of the recipient in an answer: a user id, and a phone that is no form of the one sent to. */
export function namesInAnswer(result: HttpResult, phone: Phone): readonly WhatsAppUser[] {
  if (result.kind === 'silent' || result.status !== 200 || isUserId(phone)) return []
  const [contact] = objectsIn(parseJsonObject(result.body)?.['contacts'])
  if (!isJsonObject(contact)) return []
  const waId = asText(contact['wa_id'])
  const isOther = waId !== '' && !formsOf(phone).some((form) => form === waId)
  return [...(isOther ? [waId] : []), asText(contact['user_id'])].filter(isId).map((userId) => ({ userId, phone }))
}
