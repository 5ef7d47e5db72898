/** What `status` tells at every station is what the last report told. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const ENDINGS = ['00', '01', '02', '03', '04', '05', '06', '09', '10', '11', '12', '13', '14']

test('of every magic phone, from its acceptance to its end', async () => {
  const ids = await world.send(
    ...ENDINGS.map((ending, id) => chainItem(`4917012610${ending}`, { id, rcs_lifetime: LIFETIME_SECONDS })),
  )
  const ask = async () => {
    const { data } = await world.ask(ids.map((msg_id) => ({ type: 'status', msg_id })))
    return data?.map((result) => result.data) ?? []
  }
  expect((await ask()).map(({ id }) => id)).toEqual(ENDINGS.map((_, id) => id))
  for (const seconds of [1, 20, 25, 30]) {
    await world.pass(seconds)
    const traces = await Promise.all(ids.map((id) => world.trace(id)))
    expect((await ask()).map(({ status }) => status)).toEqual(traces.map(({ message }) => message.journey.status))
  }
  for (const [index, facts] of (await ask()).entries()) {
    const last = world.reports.findLast(({ body }) => body['msg_id'] === ids[index])
    const { type, timestamp, ...told } = last?.body ?? {}
    const { accepted_at, ...asked } = facts
    expect(asked).toEqual(told)
  }
})
