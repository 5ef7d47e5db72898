/** What the ports of a gateway answer while it starts, and once its store is closed. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../support/relay.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

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
