/**
 * A database that goes back in time under its gateways, as after a failover to a server that lacked acknowledged
 * changes: the files of a server are restored to an earlier state. A gateway with newer acknowledgements notices it,
 * stops writing and reports it; the next one continues with the present data.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { eventually } from '../support/eventually.ts'
import { whyPostgresIsMissing } from '../support/postgres-programs.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

describe.skipIf((await whyPostgresIsMissing()) !== null)('a database that went back in time', () => {
  let server: PostgresServer
  let clock: VirtualClock
  let store: PostgresStore
  let story: StoreStory
  let client: AccountId
  let lost: string[]
  beforeEach(async () => {
    server = await startPostgres()
    lost = []
    store = await open()
    story = await StoreStory.begin(async () => ({
      open: async () => store,
      openTool: async () => store,
      remove: async () => {},
    }))
    client = await story.account(1e9)
  }, 60_000)
  afterEach(async () => {
    await store.close()
    await server.stop()
  }, 60_000)

  const open = () => {
    clock = new VirtualClock()
    const onLost = (reason: string) => lost.push(reason)
    return openPostgresStore({ url: server.urlOf('postgres'), keys: TEST_KEYS, clock, onLost })
  }
  const copy = (from: string, to: string) => {
    execFileSync('rm', ['-rf', join(server.folder, to)])
    execFileSync('cp', ['-a', join(server.folder, from), join(server.folder, to)])
  }
  /** Everything in between is lost afterwards. */
  const goBackAfter = async (work: () => Promise<void>) => {
    await server.halt()
    copy('data', 'kept')
    await server.start()
    await work()
    await server.halt()
    copy('kept', 'data')
    await server.start()
  }
  const beat = async () => {
    clock.advance(1_000)
    await eventually('the heartbeat', () => clock.nextAt() === clock.now() + 1_000 || lost.length > 0)
  }

  it('gets no writes from a gateway with newer acknowledgements', async () => {
    const before = await story.accepted(client)
    let after = before
    await goBackAfter(async () => {
      after = await story.accepted(client)
    })
    await expect(story.accepted(client)).rejects.toMatchObject({ name: 'StoreError' })
    expect(lost).toEqual([
      expect.stringMatching(
        /^the database went back in time: it has batch \d+ of node 1 in bucket \d+, and acknowledged \d+/,
      ),
    ])
    expect(store.cluster.whyIdle()).toBe(lost[0])
    expect(store.cluster.mayAct()).toBe(false)

    await store.close()
    store = await open()
    expect((await store.loadMessages([before.id, after.id])).map(({ id }) => id)).toEqual([before.id])
    expect(store.cluster.rewoundAt()).toBeNull()
    await eventually('the alarm to stand', () => store.cluster.rewoundAt() !== null, { clock })
    expect(await store.verifyLedger()).toEqual([])
  }, 60_000)

  it('is noticed by the heartbeat of an idle gateway', async () => {
    await beat()
    await goBackAfter(async () => {
      await beat()
      await beat()
    })
    await eventually('the gateway to notice', () => lost.length > 0, { clock })
    expect(lost).toEqual([
      expect.stringMatching(/^the database went back in time: it has heartbeat \d+ of node 1, and acknowledged \d+/),
    ])
  }, 60_000)

  it('is noticed by a gateway that is newer than it', async () => {
    await goBackAfter(async () => {
      await store.close()
      // Sequences are written ahead by 32 values.
      for (let started = 0; started < 40; started += 1) {
        store = await open()
        if (started < 39) await store.close()
      }
    })
    await eventually('the gateway to notice', () => lost.length > 0, { clock })
    expect(lost).toEqual([expect.stringMatching(/^the database went back in time: it has no node 41/)])
  }, 120_000)

  it('is not reported if another gateway has taken over', async () => {
    await story.accepted(client)
    await server.query('postgres', 'DELETE FROM lease; DELETE FROM node')
    await expect(story.accepted(client)).rejects.toMatchObject({ name: 'StoreError' })
    expect(lost).toEqual(['another node has taken over from this one'])
  }, 60_000)

  it('is not reported if the server only crashed', async () => {
    await beat()
    await story.accepted(client)
    await server.halt('at once')
    await server.start()
    await story.accepted(client)
    await beat()
    expect(lost).toEqual([])
  }, 60_000)
})
