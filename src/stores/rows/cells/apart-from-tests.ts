/** Counters and unique names of live messages are separate from those of test messages, by a prefix. */
import type { Message } from '../../../domain/message/message.ts'
import { formsOf } from '../../../domain/numbers/phone.ts'

/**
 * The name under which a client id is unique in its account; null if it need not be. JSON tokens never begin with the
 * test prefix.
 */
export function uniqueKeyOf({ clientId, test }: Message, isUnique: boolean): string | null {
  return isUnique && clientId !== null ? apart(clientId, test) : null
}

/** The name under which the calls to a phone are counted. */
export function calledUnder({ phone, test }: Pick<Message, 'phone' | 'test'>): string {
  return apart(formsOf(phone)[0], test)
}

/** The prefix of names of test messages. */
export const TEST_MARK = 'test '

function apart(name: string, test: boolean): string {
  return test ? TEST_MARK + name : name
}
