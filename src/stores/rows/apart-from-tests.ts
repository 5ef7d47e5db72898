/** What is counted or must be unique for live messages is so apart from test messages: under a name that no other has. */
import type { Message } from '../../domain/message.ts'

/** Under what a client id is unique in its account; null when it need not be. JSON tokens never begin like those of tests. */
export function uniqueKeyOf({ clientId, test }: Message, isUnique: boolean): string | null {
  return isUnique && clientId !== null ? apart(clientId, test) : null
}

/** Under what the calls to a phone are counted. */
export function calledUnder({ phone, test }: Pick<Message, 'phone' | 'test'>): string {
  return apart(phone, test)
}

/** What stands before a name of tests. */
export const TEST_MARK = 'test '

function apart(name: string, test: boolean): string {
  return test ? TEST_MARK + name : name
}
