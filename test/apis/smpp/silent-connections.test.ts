/** Of several connections of a login, one that does not acknowledge receipts leaves them to the others. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import type { MessageAnswer } from '../../../src/wire/smpp/pdu.ts'
import { eventually } from '../../support/eventually.ts'
import { type SmppClient, submitTo } from '../../support/smpp-client.ts'
import { SmppWorld } from '../../support/smpp-world.ts'

let world: SmppWorld
let silent: SmppClient
let healthy: SmppClient
beforeEach(async () => {
  world = await SmppWorld.start()
  silent = await world.bound()
  healthy = await world.bound()
})
afterEach(() => world.stop())

/** Returns the receipts to expect. */
async function submit(client: SmppClient, count: number): Promise<readonly string[]> {
  const sequences = client.sendTogether(...Array.from({ length: count }, () => submitTo('37120000000')))
  const answers = await Promise.all(sequences.map((sequence) => client.answerTo<MessageAnswer>(sequence)))
  return answers.map(({ messageId }) => `${messageId} DELIVRD`)
}

/** In steps in which all sockets are read: a client that answers is never taken for a silent one. */
const soon = (what: string, look: () => boolean) => eventually(what, look, { clock: world.sandbox.clock, stepMs: 500 })
const gets = (client: SmppClient, receipts: readonly string[]) =>
  soon('the receipts', () => receipts.every((receipt) => client.receipts.includes(receipt)))

test('one that never acknowledges holds few receipts, which the other one gets after its time', async () => {
  silent.answersWith = null
  const left = await submit(silent, 60)
  const own = await submit(healthy, 5)
  await gets(healthy, own)
  await soon('all but a few', () => healthy.receipts.length === 61)
  expect(silent.receipts).toHaveLength(4)
  await gets(healthy, left)
  await gets(healthy, await submit(silent, 5))
  expect(healthy.receipts).toHaveLength(70)
  expect(silent.receipts).toHaveLength(4)
})

test('one that stops to acknowledge gets receipts again after its first answer', async () => {
  await gets(silent, await submit(silent, 3))
  silent.answersWith = null
  const held = await submit(silent, 1)
  await gets(silent, held)
  await gets(healthy, held)
  await gets(healthy, await submit(silent, 1))
  const late = silent.received.findLast(({ pdu }) => pdu.command === 'deliver_sm')
  silent.answersWith = STATUS.ok
  silent.send({ command: 'deliver_sm_resp', status: STATUS.ok, messageId: '', tlvs: [] }, late?.sequence)
  await gets(silent, await submit(silent, 1))
  expect(healthy.receipts).toHaveLength(2)
})

test('receipts that one refuses for now go to the other at once', async () => {
  silent.answersWith = STATUS.queueFull
  await gets(healthy, await submit(silent, 20))
  expect(healthy.receipts).toHaveLength(20)
})

test('a sole connection that does not acknowledge still gets all', async () => {
  healthy.close()
  silent.answersWith = null
  await gets(silent, await submit(silent, 8))
})
