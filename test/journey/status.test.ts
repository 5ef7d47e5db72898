/** At every stage, `status` returns what the last report contained. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
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
    // On a busy machine a carrier may answer between the two reads.
    await eventually(`the same statuses in both after ${seconds} s`, async () => {
      const traces = await Promise.all(ids.map((id) => world.trace(id)))
      expect((await ask()).map(({ status }) => status)).toEqual(traces.map(({ message }) => message.journey.status))
      return true
    })
  }
  for (const [index, facts] of (await ask()).entries()) {
    const last = world.reports.findLast(({ body }) => body['msg_id'] === ids[index])
    const { type, timestamp, ...reported } = last?.body ?? {}
    const { accepted_at, type: sent, reports, ...asked } = facts
    expect(asked).toEqual(reported)
    expect(sent).toBe('rcs+chatapp+sms')
    expect(reports).toMatchObject({ pending: 0, failed: 0, error: null })
  }
})

test('what became of its reports: a hook that fails, and then answers', async () => {
  world.sink.answer = () => ({ status: 500 })
  const [msg_id] = await world.send(chainItem('491701262000'))
  const reports = async () => (await world.ask([{ type: 'status', msg_id }])).data?.[0]?.data['reports']
  expect(await reports()).toEqual({ sent: 0, pending: 0, failed: 0, tried_at: null, error: null })
  await world.pass(2)
  const tried_at = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(await reports()).toEqual({ sent: 0, pending: 1, failed: 0, tried_at, error: 'HTTP 500' })
  world.sink.answer = () => ({ status: 200 })
  await world.pass(10)
  expect(await reports()).toEqual({ sent: 1, pending: 0, failed: 0, tried_at, error: null })
})
