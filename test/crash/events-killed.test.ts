/**
 * kill -9 of the gateway while it writes events, hands them out and takes acknowledgements: a client that keeps its
 * cursor with its work processes each event exactly once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { takeStoreOfRun } from '../support/store-of-run.ts'
import { Installation, type TestAccount } from './installation.ts'
import { patiently } from './patiently.ts'
import { postgresPlace, sqlitePlace } from './place.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'
import { Tally } from './tally.ts'

const CRASHES = 3
const MESSAGES_BETWEEN_CRASHES = 60
const AGAIN_AFTER_MS = 50

interface Event {
  readonly event_id: string
  readonly cursor: string
  readonly msg_id: number
  readonly status: string
}

let surroundings: Surroundings | null = null
let installation: Installation | null = null
afterEach(async () => {
  await installation?.destroy()
  await surroundings?.stop()
})

test('every event is processed once, in order, whenever the gateway dies', { timeout: 180_000 }, async () => {
  const random = new SeededRandom(3)
  const tally = new Tally()
  surroundings = await openSurroundings(random, tally)
  const database = await takeStoreOfRun()
  const place = (folder: string) => (database === null ? sqlitePlace(folder) : postgresPlace(folder, database))
  installation = await Installation.make({ carriers: surroundings.carriers, random, place })
  const [gateway] = installation.gateways
  const [account] = installation.accounts
  if (gateway === undefined || account === undefined) throw new RangeError('the installation is empty')
  surroundings.connect(gateway.address)
  const client = new Client(gateway.address, account, tally)
  await gateway.start()

  const ids: number[] = []
  const reading = client.readUntilStopped()
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const dies = tally.await('reported', 1 + random.below(MESSAGES_BETWEEN_CRASHES), () => gateway.kill())
    const sent = client.send(MESSAGES_BETWEEN_CRASHES, crash)
    await dies
    await gateway.buried()
    await gateway.start()
    ids.push(...(await sent))
  }
  await installation.withStore((store) =>
    patiently(async () => {
      const { open, unreadEvents } = await store.counts()
      const missing = 2 * ids.length - client.events.length
      if (open + unreadEvents === 0 && missing <= 0) return null
      return `${open} messages are open, ${unreadEvents} events unread, ${missing} missing`
    }),
  )
  client.stop()
  await reading

  expect(client.events.map(({ cursor }) => Number(cursor))).toEqual(client.events.map((_, index) => index + 1))
  expect(new Set(client.events.map((event) => event.event_id)).size).toBe(client.events.length)
  const statuses = Object.fromEntries(ids.map((id) => [id, [] as string[]]))
  for (const { msg_id: id, status } of client.events) statuses[id]?.push(status)
  expect(Object.values(statuses)).toEqual(ids.map(() => ['DELIVERED', 'READ']))
})

/** Asks again whenever there is no answer. */
class Client {
  readonly events: Event[] = []
  readonly #address: string
  readonly #account: TestAccount
  readonly #tally: Tally
  #cursor: string | undefined
  #stopped = false

  constructor(address: string, account: TestAccount, tally: Tally) {
    this.#address = address
    this.#account = account
    this.#tally = tally
  }

  stop(): void {
    this.#stopped = true
  }

  /** Returns the ids of the messages. */
  async send(count: number, serial: number): Promise<readonly number[]> {
    const { name } = this.#account
    const items = Array.from({ length: count }, (_, index) => ({
      type: 'rcs',
      phone: `4917${String(serial * count + index).padStart(6, '0')}06`,
      rcs_signature: name,
      rcs_message: 'Hello',
      hook: 'feed:',
    }))
    const results = await this.#ask<{ readonly msg_id: number }>(items, { 'Idempotency-Key': `load-${serial}` })
    return results.map(({ msg_id: id }) => id)
  }

  async readUntilStopped(): Promise<void> {
    while (!this.#stopped) {
      const item = { type: 'event/list', after: this.#cursor, limit: 7 }
      const [page] = await this.#ask<{ readonly events: readonly Event[]; readonly next: string }>([item], {})
      for (const event of page?.events ?? []) {
        this.events.push(event)
        this.#cursor = event.cursor
        this.#tally.happened('reported')
      }
      if (page?.events.length === 0) await pause(AGAIN_AFTER_MS)
    }
  }

  async #ask<T>(data: readonly object[], headers: Readonly<Record<string, string>>): Promise<readonly T[]> {
    const body = JSON.stringify({ auth: this.#account.key, data })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body }
    for (;;) {
      const answer = await fetch(`${this.#address}/api/json.php`, init)
        .then((response) => response.json() as Promise<{ success: boolean; data: { success: boolean; data: T }[] }>)
        .catch(() => null)
      if (answer?.success === true) {
        expect(answer.data.filter(({ success }) => !success)).toEqual([])
        return answer.data.map((result) => result.data)
      }
      await pause(AGAIN_AFTER_MS)
    }
  }
}
