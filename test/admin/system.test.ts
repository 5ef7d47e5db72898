/** An operator asks what runs: the program, its database and, in a cluster, its gateways. */
import { expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { SandboxWorld } from '../support/sandbox-world.ts'

test('the versions of the program and of the database are known, and since when the gateway runs', async () => {
  const world = await SandboxWorld.start()
  const { status, body } = await world.askAdmin('GET', '/system')
  const { schema, kind } = world.gateway.store.database
  expect({ status, body }).toEqual({
    status: 200,
    body: { version: about.version, database: kind, schema, role: 'all', started_at: expect.stringMatching(/^20.*Z$/) },
  })
  expect(schema).toBeGreaterThan(20)
  await world.stop()
})
