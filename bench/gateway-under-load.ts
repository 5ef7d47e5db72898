/**
 * A gateway in a process of its own, set up for a benchmark: one account with money, one SMPP carrier that `rcs` is
 * routed to (so that the shortest request is one `submit_sm`), durable storage in a folder that is thrown away or in a
 * database that is given. Receives the port of the SMSC from its parent and sends it the port of its API.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/app/config.ts'
import { startGateway } from '../src/app/gateway.ts'
import { createInstallation, openInstallation } from '../src/app/installation.ts'
import { openLog } from '../src/app/json-log.ts'
import { systemClock } from '../src/app/system-clock.ts'
import { systemRandom } from '../src/app/system-random.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../src/domain/account.ts'
import { toMicros } from '../src/domain/money.ts'
import { approvedSender } from '../src/domain/sender.ts'
import { hashKey, makeKey } from '../src/operations/api-key.ts'
import { buildKey } from '../test/support/build-message.ts'
import { buildPrice } from '../test/support/build-price.ts'

const [smscPort = '0', database] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const config = readConfig(
  {
    ...{ port: '0', 'admin-port': '0', 'data-dir': folder, 'hook-allow': '127.0.0.0/8' },
    ...(database === undefined ? {} : { database }),
  },
  {},
)
const key = makeKey('live', systemRandom)

async function setUp(): Promise<void> {
  await createInstallation(config)
  const store = await openInstallation(config, { role: 'tool' })
  const account = {
    name: 'Bench',
    currency: 'EUR',
    state: 'active' as const,
    hookSecrets: ['whsec_YmVuY2gtc2VjcmV0LWJlbmNo'],
  }
  const accountId = await store.change({
    kind: 'create account',
    account: { ...account, settings: DEFAULT_ACCOUNT_SETTINGS },
  })
  if (accountId === null) throw new Error('no account was made')
  const settings = {
    host: '127.0.0.1',
    port: Number(smscPort),
    systemId: 'bench',
    password: 'bench',
    window: 400,
    responseTimeoutMs: 600_000,
  }
  for (const change of [
    { kind: 'add key', key: buildKey({ hash: hashKey(key), accountId }) },
    { kind: 'top up', accountId, amountMicros: toMicros(1_000_000_000_000), at: 0 },
    { kind: 'set carrier', carrier: { id: 'smsc', channel: 'rcs', kind: 'smpp', settings } },
    { kind: 'set sender', sender: approvedSender(accountId, 'rcs', 'Posthorn') },
    {
      kind: 'set price',
      price: buildPrice({ channel: 'rcs', priceMicros: toMicros(10) }),
    },
    {
      kind: 'set route',
      route: {
        channel: 'rcs',
        accountId: null,
        sender: null,
        prefix: '',
        operators: null,
        carrierId: 'smsc',
        priority: 0,
        weight: 1,
        poolId: null,
      },
    },
  ] as const) {
    await store.change(change)
  }
  await store.close()
}

await setUp()
const gateway = await startGateway({ config, clock: systemClock, random: systemRandom, log: openLog('error') })
process.send?.({ port: Number(new URL(gateway.address).port), key })

process.on('message', (question) => {
  if (question === 'usage')
    process.send?.({ cpu: process.cpuUsage(), main: process.threadCpuUsage(), rss: process.memoryUsage.rss() })
  if (question === 'counts') void gateway.store.counts().then((counts) => process.send?.(counts))
})
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
process.on('SIGTERM', () => {})
