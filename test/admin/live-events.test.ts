/** The live view: what operators see of a gateway while it works, and who may not listen. */
import { type ClientRequest, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let open: ClientRequest[] = []
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(async () => {
  for (const each of open) each.destroy()
  open = []
  await world.stop()
})

interface Stream {
  readonly status: number
  readonly type: string | undefined
  /** The events received, as name and data. */
  readonly events: () => readonly (readonly [name: string, data: Readonly<Record<string, unknown>>])[]
  readonly hasEnded: () => boolean
}

function listen(token = world.adminToken): Promise<Stream> {
  const address = `${world.gateway.adminAddress}/admin/v1/live`
  return new Promise((resolve, reject) => {
    const asked = request(address, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = ''
      let ended = false
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('close', () => (ended = true)).on('error', () => {})
      const events = () =>
        [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(
          ([, name = '', data = '']) => [name, JSON.parse(data)] as const,
        )
      const { statusCode = 0, headers } = response
      resolve({ status: statusCode, type: headers['content-type'], events, hasEnded: () => ended })
    })
    open.push(asked)
    asked.on('error', reject).end()
  })
}
async function tokenOf(user: string, role: string, account?: number): Promise<string> {
  await world.askAdmin('POST', '/users', { body: { user, role, ...(account === undefined ? {} : { account }) } })
  const { body } = await world.askAdmin('POST', `/users/${encodeURIComponent(user)}/tokens`, {
    body: { label: 'live' },
  })
  return String(body['token'])
}
/** Turns the clock on until the stream has so many events. */
async function eventsOf(stream: Stream, count: number) {
  await eventually('events', async () => {
    if (stream.events().length >= count) return true
    await world.pass(2)
    return false
  })
  return stream.events()
}

describe('a listener', () => {
  test('sees at once how things are, and then what happens in a second', async () => {
    const stream = await listen()
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream'])
    const [first] = await eventsOf(stream, 1)
    expect(first).toMatchObject([
      'snapshot',
      {
        ...{ role: 'all', not_ready: null, seconds: null, channels: null, report_results: null },
        messages: { held: 0, in_flight: 0, open: 0 },
        reports: { held: 0, in_flight: 0, waiting: 0, failed: 0 },
      },
    ])
    const carriers = first?.[1]['carriers'] as readonly { readonly id: string }[] | undefined
    expect(carriers?.find(({ id }) => id === 'sandbox-rcs')).toMatchObject({
      ...{ channel: 'rcs', up: true, breaker: 'closed', draining: false, in_flight: 0, waiting: 0 },
    })
    await world.send(rcsItem('491701242000'), rcsItem('491701242000'), rcsItem('491701242001'))
    await world.pass(6)
    const events = await eventsOf(stream, 3)
    expect(events.at(-1)?.[1]).toMatchObject({
      open_alarms: 0,
      unacknowledged_alarms: { count: 0, worst: null },
    })
    /** Messages, from the rates and the seconds that they were measured over. */
    const sum = (name: string) =>
      events.reduce((total, [, { channels, seconds }]) => {
        const rcs = (channels as Record<string, number>[] | null)?.find((each) => String(each['channel']) === 'rcs')
        return total + (rcs?.[name] ?? 0) * Number(seconds ?? 0)
      }, 0)
    expect(['accepted', 'submitted', 'delivered', 'failed'].map((name) => Math.round(sum(name)))).toEqual([3, 2, 2, 1])
    const sent = events.map(([, { report_results, seconds }]) => {
      return Number((report_results as { sent?: number } | null)?.sent ?? 0) * Number(seconds ?? 0)
    })
    expect(Math.round(sent.reduce((total, each) => total + each, 0))).toBeGreaterThanOrEqual(3)
  })

  test('is sent what the others are: one look at the gateway serves all', async () => {
    const [one, other] = [await listen(), await listen()]
    await eventsOf(one, 2)
    await eventsOf(other, 2)
    const times = (stream: Stream) => new Set(stream.events().map(([, { at }]) => at))
    expect([...times(other)].every((at) => times(one).has(at))).toBe(true)
  })

  test('gets nothing more once its token is revoked, and the gateway does not wait for it when it stops', async () => {
    const token = await tokenOf('anna', 'support')
    const [stream, other] = [await listen(token), await listen()]
    await eventsOf(stream, 1)
    await world.askAdmin('DELETE', '/users/anna/tokens/live')
    await eventually('the end', async () => {
      await world.pass(2)
      return stream.hasEnded()
    })
    expect(stream.events().at(-1)).toEqual(['end', {}])
    expect(other.hasEnded()).toBe(false)
    await world.stopGateway()
    await eventually('the end of the other', () => other.hasEnded())
    await world.startGateway()
  })
})

describe('the live view', () => {
  test('is for operators with a token, and only by GET', async () => {
    for (const role of ['owner', 'operator', 'finance', 'support', 'auditor']) {
      expect((await listen(await tokenOf(`u-${role}`, role))).status).toBe(200)
    }
    for (const role of ['client-admin', 'client-reader']) {
      expect((await listen(await tokenOf(`${role}@1`, role, 1))).status).toBe(403)
    }
    expect((await listen('ph_admin_unknown')).status).toBe(401)
    const head = { method: 'HEAD', headers: { authorization: `Bearer ${world.adminToken}` } }
    expect((await fetch(`${world.gateway.adminAddress}/admin/v1/live`, head)).status).toBe(404)
  })

  test('has room for eight of one user, and again when one leaves', async () => {
    for (let count = 0; count < 8; count += 1) expect((await listen()).status).toBe(200)
    expect((await listen()).status).toBe(429)
    expect((await listen(await tokenOf('anna', 'support'))).status).toBe(200)
    open[0]?.destroy()
    await eventually('room', async () => (await listen()).status === 200)
  })
})
