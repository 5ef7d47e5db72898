/**
 * Test mode: what keys that begin with `ph_test_` meet in place of the world. Their messages go to simulated carriers and
 * phones alone, whatever the routes say, cost nothing, and count for nothing.
 */
import type { Channel } from './channel.ts'
import type { NumberPool } from './route.ts'

/** The simulated carriers. No carrier that is set up can have such an id, and so no route can lead to one of these. */
export const TEST_CARRIERS: Readonly<Record<Channel, string>> = {
  rcs: '@test-rcs',
  chatapp: '@test-chatapp',
  sms: '@test-sms',
  call: '@test-call',
}

export function isTestCarrier(id: string): boolean {
  return id.startsWith('@')
}

/** Whose phones test calls reach. MCC 001 is set aside for test networks. */
export const TEST_OPERATOR = '00101'

/** The numbers that test calls come from. */
export const TEST_POOL: NumberPool = {
  id: '@test',
  numbers: Array.from({ length: 1_000 }, (_, index) => `49322112${30_000 + index * 7}`),
  codeDigits: 4,
}

const TEST_SENDERS: ReadonlySet<string> = new Set(['RCSTest', 'ChatTest', 'SMSTest', 'Posthorn'])

/** Sender names that need no approval in test mode. */
export function isTestSender(name: string): boolean {
  return TEST_SENDERS.has(name)
}
