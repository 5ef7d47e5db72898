/**
 * kill -9 of the gateway while it stores the lines of a bulk and while it sends them: every line becomes exactly one
 * message.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { messagesByStatus } from '../../src/domain/bulk/bulk.ts'
import type { BulkId } from '../../src/domain/ids/message-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { Page } from '../../src/ports/records/pages.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { takeStoreOfRun } from '../support/store-of-run.ts'
import { Installation, type TestAccount } from './installation.ts'
import { patiently } from './patiently.ts'
import { postgresPlace, sqlitePlace } from './place.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'
import { Tally } from './tally.ts'

const CRASHES = 3
const LINES = 900
/** At most so many submits until the next crash: all of them before the bulk ends. */
const SUBMITS_BETWEEN_CRASHES = 150
const AGAIN_AFTER_MS = 50

let surroundings: Surroundings | null = null
let installation: Installation | null = null
afterEach(async () => {
  await installation?.destroy()
  await surroundings?.stop()
})

test('every line becomes one message, whenever the gateway dies', { timeout: 180_000 }, async () => {
  const random = new SeededRandom(5)
  const tally = new Tally()
  surroundings = await openSurroundings(random, tally)
  const database = await takeStoreOfRun()
  const place = (folder: string) => (database === null ? sqlitePlace(folder) : postgresPlace(folder, database))
  installation = await Installation.make({ carriers: surroundings.carriers, random, place })
  const [gateway] = installation.gateways
  const [account] = installation.accounts
  if (gateway === undefined || account === undefined) throw new RangeError('the installation is empty')
  surroundings.connect(gateway.address)
  const client = new Client(gateway.address, account)
  await gateway.start()

  const message = { type: 'rcs', rcs_signature: account.name, rcs_message: 'Hello {{name}}' }
  const { bulk_id: id } = await client.ask({ type: 'bulk/create', message, pace: 300 })
  const broken = client.uploadHalf(id)
  await client.untilLines(id, 200)
  gateway.kill()
  await broken
  await gateway.buried()
  await gateway.start()
  await client.upload(id)

  await client.ask({ type: 'bulk/start', bulk_id: id })
  for (let crash = 0; crash < CRASHES; crash += 1) {
    await tally.await('submitted', 1 + random.below(SUBMITS_BETWEEN_CRASHES), () => gateway.kill())
    await gateway.buried()
    await gateway.start()
  }
  await installation.withStore(async (store) => {
    await patiently(async () => {
      const bulk = await store.findBulk(account.id, id as BulkId)
      return bulk?.state === 'finished' ? null : `the bulk is ${bulk?.state} at line ${bulk?.nextLine}`
    })
    const bulk = await store.findBulk(account.id, id as BulkId)
    expect(bulk).toMatchObject({ lines: LINES, refused: 0, accepted: LINES })
    const lines = await linesOf(store, account)
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LINES }, (_, index) => index + 1))
    expect(Object.values(bulk === null ? {} : messagesByStatus(bulk)).reduce((sum, count) => sum + count, 0)).toBe(
      LINES,
    )
  })
})

/** The lines of all messages of the account, by their ids. */
async function linesOf(store: Store, account: TestAccount): Promise<readonly number[]> {
  const lines: number[] = []
  let after: number | null = null
  do {
    const page: Page<Message> = await store.page<'messages'>({
      ...{ of: 'messages', accountId: account.id, phone: null, status: null, limit: 500 },
      after,
    })
    lines.push(...page.rows.map(({ clientId }) => Number(JSON.parse(clientId ?? '0'))))
    after = page.next
  } while (after !== null)
  return lines
}

const HEADER = 'phone,id,name\n'
const rowsOf = (from: number, through: number) =>
  Array.from({ length: through - from + 1 }, (_, index) => {
    return `4917${String(from + index).padStart(6, '0')}06,${from + index},Name ${from + index}\n`
  }).join('')

/** Asks again whenever there is no answer. */
class Client {
  readonly #address: string
  readonly #account: TestAccount

  constructor(address: string, account: TestAccount) {
    this.#address = address
    this.#account = account
  }

  async ask(item: object): Promise<{ readonly bulk_id: number; readonly lines: number }> {
    const body = JSON.stringify({ auth: this.#account.key, data: [item] })
    const { data } = await this.#again(() => this.#post('/api/json.php', 'application/json', body))
    expect(data[0]).toMatchObject({ success: true })
    return data[0].data
  }

  async untilLines(id: number, lines: number): Promise<void> {
    while ((await this.ask({ type: 'bulk/status', bulk_id: id })).lines < lines) await pause(AGAIN_AFTER_MS)
  }

  /** Sends half of the lines, and then nothing more until the connection breaks. */
  async uploadHalf(id: number): Promise<void> {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(HEADER + rowsOf(1, LINES / 2))),
    })
    await this.#post(`/api/bulk/${id}/lines`, 'text/csv', body).catch(() => null)
  }

  /** Sends all lines from the first on: those that are stored are skipped. */
  async upload(id: number): Promise<void> {
    const answer = await this.#again(() => this.#post(`/api/bulk/${id}/lines`, 'text/csv', HEADER + rowsOf(1, LINES)))
    expect(answer.data).toMatchObject({ lines: LINES, refused: 0 })
    expect(answer.data.skipped).toBeGreaterThanOrEqual(200)
  }

  async #again<T extends { readonly success: boolean } | null>(ask: () => Promise<T>): Promise<NonNullable<T>> {
    for (;;) {
      const answer = await ask().catch(() => null)
      if (answer?.success === true) return answer
      await pause(AGAIN_AFTER_MS)
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answer is compared as a whole.
  async #post(path: string, type: string, body: string | ReadableStream): Promise<any> {
    const headers = { 'Content-Type': type, Authorization: `Bearer ${this.#account.key}` }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    return (await fetch(this.#address + path, init)).json()
  }
}
