/** The built client reads events, page by page, until its program ends the loop. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Posthorn } from '../../client/src/posthorn-client.ts'
import { BuiltClient } from '../support/built-client.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let built: BuiltClient
let posthorn: Posthorn
beforeAll(async () => {
  built = new BuiltClient()
  const client = await built.load()
  world = await SandboxWorld.start()
  posthorn = new client.Posthorn({ baseUrl: world.gateway.address, apiKey: world.key })
})
afterAll(async () => {
  built.remove()
  await world.stop()
})

test('a program that stores its cursor reads each event once, in order', async () => {
  const phones = Array.from({ length: 12 }, (_, index) => `4917016${String(index).padStart(3, '0')}00`)
  const ids = await world.send(...phones.map((phone) => ({ ...rcsItem(phone), hook: 'feed:' })))
  await world.pass(10)
  const seen: unknown[] = []
  let cursor: string | undefined
  // Stops in the middle of a page, twice.
  for (const most of [4, 5, 12]) {
    for await (const event of posthorn.events({ after: cursor, limit: 3 })) {
      if (event.report.type === 'message.status') seen.push(event.report.msg_id)
      cursor = event.cursor
      if (seen.length === ids.length || seen.length % most === 0) break
    }
  }
  expect(seen).toHaveLength(ids.length)
  expect(new Set(seen)).toEqual(new Set(ids))
})

test('the loop waits for events and ends with the reason of its signal', async () => {
  const controller = new AbortController()
  const events = posthorn.events({ after: '12', signal: controller.signal, intervalMs: 60_000 })
  const next = events.next()
  controller.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
})

test('a cursor of another account is an error', async () => {
  await expect(posthorn.events({ after: '1000' }).next()).rejects.toThrow(/^after: must be next or a cursor/)
})
