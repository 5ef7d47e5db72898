/**
 * Test mode: the simulated environment of keys that begin with `ph_test_`. Their messages go only to simulated carriers
 * and phones, whatever the routes say, are free, and are not counted.
 */
import { CHANNELS, type Channel } from '../channels/channel.ts'
import type { NumberPool } from './route.ts'

/** The simulated carriers. No configured carrier can have such an id, so no route can lead to one of these. */
export const TEST_CARRIERS = Object.fromEntries(CHANNELS.map((channel) => [channel, `@test-${channel}`])) as Readonly<
  Record<Channel, string>
>

export function isTestCarrier(id: string): boolean {
  return id.startsWith('@')
}

/** The operator of the phones that test calls reach. MCC 001 is reserved for test networks. */
export const TEST_OPERATOR = '00101'

/** The calling numbers of test calls. */
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
