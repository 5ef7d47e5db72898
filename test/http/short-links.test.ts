import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { ClickCounter } from '../../src/delivery/links/clicks.ts'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { hourOf } from '../../src/domain/statistics/message-statistics.ts'
import { createShortLinkHandler } from '../../src/http/links/short-links.ts'
import { startHttpServer } from '../../src/http/server/server.ts'
import type { ShortLink } from '../../src/ports/records/short-link.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { buildAccount, buildMessage, buildStep } from '../support/build-message.ts'
import { eventually } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const BROWSER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1'
const URL_OF_LINK = 'https://shop.example/größe?q=a b#top'
const HOUR_MS = 3_600_000
const LIFETIME_MS = 3 * HOUR_MS

/** Whether the server may use the fast path. */
let isPlain = true

const endings: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

interface Bench {
  readonly clock: VirtualClock
  readonly log: SilentLog
  readonly store: Store
  readonly clicks: ClickCounter
  readonly reported: (readonly [code: string, at: number])[]
  follow(path: string, headers?: Record<string, string>, method?: string): Promise<Followed>
  counts(): Promise<readonly (readonly [code: string, humans: number, robots: number])[]>
}

interface Followed {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
}

/** A message with three links, one of which is nothing to redirect to, behind a real server. */
async function openBench(
  setup: {
    readonly tamper?: (store: Store) => Pick<Store, 'findLinks' | 'countClicks'>
    readonly report?: () => Promise<void>
  } = {},
): Promise<Bench> {
  const { tamper = (store: Store) => store, report = async () => {} } = setup
  const clock = new VirtualClock()
  const log = new SilentLog()
  const store = await openSqliteStore({ file: ':memory:', inline: true, keys: TEST_KEYS })
  const { id: _, ...account } = buildAccount()
  const accountId: AccountId = (await store.change({ kind: 'create account', account })) ?? toAccountId(1)
  const message = buildMessage({ accountId, plan: [buildStep('sms', { priceMicros: toMicros(0) })] })
  const expiresAt = clock.now() + LIFETIME_MS
  const links: ShortLink[] = [
    { code: 'aaaaaaaaaa', messageId: message.id, url: URL_OF_LINK, expiresAt },
    { code: 'bbbbbbbbbb', messageId: message.id, url: 'https://shop.example/two', expiresAt },
    { code: 'cccccccccc', messageId: message.id, url: 'javascript:alert(1)', expiresAt },
  ]
  const item = { kind: 'message', message, waits: true, links, uniqueId: false } as const
  await store.accept({ accountId, now: clock.now(), idempotency: null, items: [item] })

  const reported: (readonly [string, number])[] = []
  const onFirstClick = (link: ShortLink, at: number) => {
    reported.push([link.code, at])
    return report()
  }
  const clicks = new ClickCounter({ store: tamper(store), clock, log, onFirstClick })
  const route = createShortLinkHandler({ clicks, clock })
  const server = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log })
  const { plain: _plain, ...withoutPlain } = route
  server.serve([isPlain ? route : withoutPlain])
  const agent = new Agent({ keepAlive: true })
  endings.push(
    () => store.close(),
    () => server.stop(),
    () => agent.destroy(),
  )
  const port = Number(new URL(server.address).port)
  const follow: Bench['follow'] = (path, headers = { 'user-agent': BROWSER }, method = 'GET') =>
    new Promise((resolve, reject) => {
      const asking = request({ port, host: '127.0.0.1', path, headers, method, agent }, (response) => {
        response.resume().on('end', () => resolve({ status: response.statusCode, headers: response.headers }))
      })
      asking.on('error', reject).end()
    })
  const counts: Bench['counts'] = async () => {
    await eventually('the clicks to be counted', () => clicks.idle, { clock })
    const traced = (await store.trace(message.id))?.links ?? []
    return traced.map(({ code, humans, robots }) => [code, humans, robots] as const).toSorted()
  }
  return { clock, log, store, clicks, reported, follow, counts }
}

describe.each([
  ['over the fast path', true],
  ["over Node's server", false],
])('%s', (_, plain) => {
  beforeEach(() => {
    isPlain = plain
  })

  test('a link leads to its address, and no cache may keep the answer', async () => {
    const bench = await openBench()
    const { status, headers } = await bench.follow('/l/aaaaaaaaaa')
    expect(status).toBe(302)
    expect(headers.location).toBe(new URL(URL_OF_LINK).href)
    expect(headers['cache-control']).toBe('private, no-store')
    expect('keep-alive' in headers).toBe(!isPlain)
    expect((await bench.follow('/l/bbbbbbbbbb?utm=x')).headers.location).toBe('https://shop.example/two')
  })

  test('the address of a link is parsed twice, for its visitors and their count, however often it is followed', async () => {
    const bench = await openBench()
    const parse = vi.spyOn(URL, 'parse')
    endings.push(() => parse.mockRestore())
    for (let visit = 0; visit < 5; visit += 1) expect((await bench.follow('/l/aaaaaaaaaa')).status).toBe(302)
    expect(parse.mock.calls.filter(([url]) => url === URL_OF_LINK).length).toBeLessThanOrEqual(2)
  })

  test('an unknown link is 404 and is not counted', async () => {
    const bench = await openBench()
    const nonsense = [
      '/l/',
      '/l/zzzzzzzzzz',
      '/l/aaaaaaaaaa/a',
      '/l/%61aaaaaaaaa',
      `/l/${'a'.repeat(5_000)}`,
      '/l/cccccccccc',
    ]
    for (const path of [...nonsense, "/l/'%20OR%201=1", '/l/__proto__']) {
      expect((await bench.follow(path)).status).toBe(404)
    }
    expect(await bench.counts()).toEqual([
      ['aaaaaaaaaa', 0, 0],
      ['bbbbbbbbbb', 0, 0],
      ['cccccccccc', 0, 0],
    ])
  })

  test('an expired link is 410 from its last moment on, and no click', async () => {
    const bench = await openBench()
    bench.clock.advance(LIFETIME_MS - 1)
    expect((await bench.follow('/l/aaaaaaaaaa')).status).toBe(302)
    bench.clock.advance(1)
    expect((await bench.follow('/l/aaaaaaaaaa')).status).toBe(410)
    expect((await bench.counts())[0]).toEqual(['aaaaaaaaaa', 1, 0])
  })

  test('counts humans apart from robots, previews and prefetching browsers', async () => {
    const bench = await openBench()
    const robots: (readonly [Record<string, string>, string?])[] = [
      [{}],
      [{ 'user-agent': '' }],
      [{ 'user-agent': 'WhatsApp/2.23.20.0' }],
      [{ 'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' }],
      [{ 'user-agent': 'curl/8.5.0' }],
      [{ 'user-agent': BROWSER }, 'HEAD'],
      [{ 'user-agent': BROWSER, purpose: 'prefetch' }],
      [{ 'user-agent': BROWSER, 'sec-purpose': 'prefetch;prerender' }],
      [{ 'user-agent': BROWSER, 'x-moz': 'prefetch' }],
      [{ 'user-agent': BROWSER, 'x-purpose': 'preview' }],
    ]
    for (const [headers, method] of robots) {
      expect((await bench.follow('/l/aaaaaaaaaa', headers, method)).status).toBe(302)
    }
    expect((await bench.counts())[0]).toEqual(['aaaaaaaaaa', 0, robots.length])
    expect(bench.reported).toEqual([])
    for (let click = 0; click < 3; click += 1) await bench.follow('/l/aaaaaaaaaa')
    expect((await bench.counts())[0]).toEqual(['aaaaaaaaaa', 3, robots.length])
  })

  test('reports the first human click with its time, once while it is being recorded', async () => {
    const recorded = Promise.withResolvers<void>()
    const bench = await openBench({ report: () => recorded.promise })
    bench.clock.advance(5_000)
    const at = bench.clock.now()
    await bench.follow('/l/aaaaaaaaaa')
    await eventually('the first click', () => bench.reported.length === 1)
    bench.clock.advance(5_000)
    await bench.follow('/l/aaaaaaaaaa')
    await bench.follow('/l/bbbbbbbbbb')
    await eventually('the click on the other', () => bench.reported.length === 2)
    expect(bench.reported).toEqual([
      ['aaaaaaaaaa', at],
      ['bbbbbbbbbb', at + 5_000],
    ])
    recorded.resolve()
    await bench.counts()
  })

  test('reports a first click again at the next one if it could not be recorded', async () => {
    const bench = await openBench({
      report: async () => {
        if (bench.reported.length === 1) throw new StoreError('the disk is full')
      },
    })
    await bench.follow('/l/aaaaaaaaaa')
    await bench.counts()
    await bench.follow('/l/aaaaaaaaaa')
    await bench.counts()
    expect(bench.reported).toHaveLength(2)
    expect(bench.log.lines).toHaveLength(1)
  })

  test('clicks that the store does not take are counted once it does, none twice', async () => {
    let refusals = 2
    const bench = await openBench({
      tamper: (store) => ({
        findLinks: (codes) => store.findLinks(codes),
        countClicks: async (clicks) => {
          if (refusals > 0) throw new StoreError(`the disk is full, ${refusals--}`)
          return store.countClicks(clicks)
        },
      }),
    })
    await Promise.all(Array.from({ length: 20 }, () => bench.follow('/l/aaaaaaaaaa')))
    expect((await bench.counts())[0]).toEqual(['aaaaaaaaaa', 20, 0])
    expect(refusals).toBe(0)
  })

  test('clicks count in the hour in which they were made, whenever the store takes them', async () => {
    let broken = true
    const bench = await openBench({
      tamper: (store) => ({
        findLinks: (codes) => store.findLinks(codes),
        countClicks: async (clicks) => {
          if (broken) throw new StoreError('the disk is full')
          return store.countClicks(clicks)
        },
      }),
    })
    const first = hourOf(bench.clock.now())
    await bench.follow('/l/aaaaaaaaaa')
    await bench.follow('/l/aaaaaaaaaa')
    bench.clock.advance(HOUR_MS)
    await bench.follow('/l/aaaaaaaaaa')
    await bench.follow('/l/aaaaaaaaaa', { 'user-agent': 'curl/8' })
    broken = false
    expect((await bench.counts())[0]).toEqual(['aaaaaaaaaa', 3, 1])
    const hours = { from: first, through: first + 2, source: 'hours', slotHours: 1, limit: 100 } as const
    const totals = await bench.store.messageTotals({ ...hours, accountId: null, only: {}, by: [] })
    const clicks = totals.filter(({ event }) => event.endsWith('click'))
    expect(clicks.map(({ slot, event, messages }) => [slot - first, event, messages]).sort()).toEqual([
      [0, 'human click', 2],
      [1, 'human click', 1],
      [1, 'robot click', 1],
    ])
  })

  test('while the store cannot look links up, those that are known lead on and the others are asked to come again', async () => {
    let broken = false
    const bench = await openBench({
      tamper: (store) => ({
        findLinks: async (codes) => {
          if (broken) throw new StoreError('the disk is gone')
          return store.findLinks(codes)
        },
        countClicks: (clicks) => store.countClicks(clicks),
      }),
    })
    await bench.follow('/l/aaaaaaaaaa')
    broken = true
    expect((await bench.follow('/l/aaaaaaaaaa')).status).toBe(302)
    expect(await bench.follow('/l/bbbbbbbbbb')).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    broken = false
    expect((await bench.follow('/l/bbbbbbbbbb')).status).toBe(302)
  })
})
