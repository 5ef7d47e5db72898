/** Inbound messages by an SMSC that loses answers, to a gateway that restarts: each is kept once. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Outcome } from '../../src/wire/smpp/outcome.ts'
import { deliverText } from '../support/deliver-sm.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

const texts = async () => (await world.gateway.store.inboundMessages(10)).map(({ text }) => text)

/** Delivers by the SMSC until it is acknowledged. */
async function deliver(...message: Parameters<typeof deliverText>): Promise<void> {
  expect(await world.box.smsc.deliver(deliverText(...message))).toMatchObject({ answer: { status: 0 } })
}

/** Brought and recorded, but the answer gets lost with the connection. */
async function loseAnswer(...message: Parameters<typeof deliverText>): Promise<Outcome> {
  const { smsc } = world.box
  const outcome = smsc.deliver(deliverText(...message))
  smsc.inject({ kind: 'half-open' })
  await world.rest()
  smsc.cut()
  smsc.inject({ kind: 'none' })
  const isUp = () => world.gateway.delivery.fleet.get('sandbox-sms')?.state().up === true
  await eventually('the loss', () => !isUp())
  await eventually('the bind', () => isUp() && smsc.bound() === 1, world)
  return outcome
}

const join = (number: number) => ({ reference: 7, total: 3, number })

test('a message is recorded before it is answered, and there after a restart', async () => {
  await deliver('Stop {now}')
  const at = world.clock.now()
  await world.stopGateway()
  await world.startGateway()
  expect(await world.gateway.store.inboundMessages(10)).toEqual([
    { carrierId: 'sandbox-sms', sender: '37120000000', recipient: '1234', text: 'Stop {now}', at },
  ])
})

test('a message that is brought again because its answer was lost is kept once, also by the next gateway', async () => {
  expect(await loseAnswer('Yes')).toMatchObject({ kind: 'failed' })
  expect(await texts()).toEqual(['Yes'])
  expect(await loseAnswer('Yes')).toMatchObject({ kind: 'failed' })
  await world.stopGateway()
  await world.startGateway()
  await deliver('Yes')
  expect(await texts()).toEqual(['Yes'])
})

test('a message whose session was lost with the gateway is kept once, and what follows is a new one', async () => {
  const { smsc } = world.box
  const outcome = smsc.deliver(deliverText('Yes'))
  smsc.inject({ kind: 'half-open' })
  await world.rest()
  smsc.cut()
  await world.stopGateway()
  smsc.inject({ kind: 'none' })
  await world.startGateway()
  expect(await outcome).toMatchObject({ kind: 'failed' })
  await deliver('Yes')
  await world.rest()
  expect(await texts()).toEqual(['Yes'])
  await deliver('Yes')
  expect(await texts()).toEqual(['Yes', 'Yes'])
})

test('a text that is sent twice is kept twice', async () => {
  await deliver('Yes')
  await world.rest()
  await deliver('Yes')
  await world.rest()
  await deliver('Yes')
  expect(await texts()).toEqual(['Yes', 'Yes', 'Yes'])
})

test('the parts of a long message outlive the gateway and lost answers, and make one message', async () => {
  await deliver('one, ', join(1))
  await world.rest()
  expect(await loseAnswer('two, ', join(2))).toMatchObject({ kind: 'failed' })
  await world.stopGateway()
  expect(await texts().catch(() => 'closed')).toBe('closed')
  await world.startGateway()
  await deliver('two, ', join(2))
  expect(await texts()).toEqual([])
  expect(await loseAnswer('three.', join(3))).toMatchObject({ kind: 'failed' })
  await deliver('three.', join(3))
  expect(await texts()).toEqual(['one, two, three.'])
})

test('parts that never come leave a mark after a day', async () => {
  await deliver('one, ', join(1))
  await deliver('three.', join(3))
  await world.stopGateway()
  world.clock.advance(86_400_000)
  await world.startGateway()
  expect(await texts()).toEqual([])
  world.clock.advance(60_000)
  await eventually('the sweep', async () => (await texts()).length > 0, { clock: world.clock })
  expect(await texts()).toEqual(['one, […]three.'])
})
