/** What the ports of a gateway answer while it starts, and once its store is closed. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../support/relay.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

/** Asks again and again until something listens there and has started; returns the status of its first answer. */
async function firstStatus(url: string, init: RequestInit): Promise<number> {
  for (;;) {
    const answer = await fetch(url, init).catch(() => null)
    // 503: the carrier asks again.
    if (answer !== null && answer.status !== 503) return answer.status
    await pause(0)
  }
}

test('a webhook that comes first of all finds its carrier', async () => {
  const world = await SandboxWorld.start()
  try {
    await world.stopGateway()
    const port = await freePort()
    const first = firstStatus(`http://127.0.0.1:${port}/carriers/sandbox-rcs`, { method: 'POST', body: '{}' })
    await world.startGateway({ port })
    // The carrier has read it; 404 would say that there is no such carrier.
    expect(await first).toBe(400)
  } finally {
    await world.stop()
  }
})

test('the probe of the public port answers when the admin port serves and simulated carriers know their webhooks', async () => {
  const world = await SandboxWorld.start()
  try {
    await world.stopGateway()
    const [port, adminPort] = [await freePort(), await freePort()]
    const admin = (path: string) => {
      const headers = { authorization: `Bearer ${world.adminToken}` }
      return fetch(`http://127.0.0.1:${adminPort}${path}`, { headers })
    }
    const probed = firstStatus(`http://127.0.0.1:${port}/healthz`, {}).then(async (status) => {
      return [status, (await admin('/admin/v1/accounts')).status, (await admin('/console/')).status]
    })
    await world.startGateway({ port, adminPort })
    expect(await probed).toEqual([200, 200, 200])
    const id = await world.sendOne(rcsItem('491701234011'))
    await world.pass(10)
    expect((await world.story(id)).steps).toEqual(['rcs DELIVERED'])
  } finally {
    await world.stop()
  }
})

test('the admin API says when to repeat what the store could not do', async () => {
  const world = await SandboxWorld.start()
  try {
    await world.gateway.store.close()
    const headers = { authorization: `Bearer ${world.adminToken}` }
    const answer = await fetch(`${world.gateway.adminAddress}/admin/v1/accounts/1/postings`, { headers })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  } finally {
    await world.stop()
  }
})
