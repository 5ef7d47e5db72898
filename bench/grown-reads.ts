/**
 * How long the console's reads take in a grown store (grown.ts): ten calls of each to a gateway in a process of its
 * own. Another read that needs the store, ten a second, shows for how long others wait for it.
 *
 *     node bench/grown-reads.ts <folder> [calls] [--database=postgres://…] [--only=part of a name]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openInstallation } from '../src/app/installation/installation.ts'
import { readConfig } from '../src/app/settings/config.ts'
import { systemRandom } from '../src/app/system/system-random.ts'
import { hashKey, makeKey } from '../src/operations/request/api-key.ts'
import { Child, median } from './child.ts'
import type { GatewayNews, GatewaySetup } from './gateway-under-load.ts'
import { SERVICE_ENVIRONMENT } from './gateways.ts'
import { LARGE_ACCOUNTS, RARE_SENDER } from './grown-rows.ts'
import { usageOf } from './process-usage.ts'

const options = process.argv.slice(2)
const [folder = '', calls = 10] = options.filter((word) => !word.startsWith('--'))
const optionOf = (name: string) => options.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const [database, only] = [optionOf('database'), optionOf('only')]
const DAY_MS = 86_400_000
const PROBE_EVERY_MS = 100

interface Read {
  readonly name: string
  readonly path: string
  /** POSTed if given. */
  readonly body?: object
}

function readsOf(large: number, small: number): readonly Read[] {
  const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10)
  const hour = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 13)
  const month = day(1).slice(0, 7)
  const statistics = (name: string, query: string) => ({ name: `statistics ${name}`, path: `/statistics?${query}` })
  const find = (name: string, body: object) => ({
    name: `messages ${name}`,
    path: '/messages/find',
    body: { most: 50, ...body },
  })
  const ago = (from: number, until: number) => ({
    from: new Date(Date.now() - from * DAY_MS).toISOString(),
    until: new Date(Date.now() - until * DAY_MS).toISOString(),
  })
  const month30 = `from=${day(29)}&through=${day(0)}`
  const yesterday = `from=${day(1)}&through=${day(1)}`
  return [
    statistics('24 h by hour', `from=${hour(1)}&through=${hour(0)}&resolution=hour&by=none`),
    statistics('7 days by hour', `from=${hour(7)}&through=${hour(0)}&resolution=hour&by=none`),
    statistics('30 days by day', `${month30}&resolution=day&by=none`),
    ...['channel', 'operator', 'country', 'carrier', 'status'].map((by) =>
      statistics(`30 days by ${by}`, `${month30}&by=${by}`),
    ),
    ...['account', 'sender'].flatMap((by) => [
      statistics(`a day by ${by}`, `${yesterday}&by=${by}`),
      statistics(`30 days by ${by}`, `${month30}&by=${by}`),
    ]),
    statistics('large account, 30 days by day', `${month30}&resolution=day&by=none&account=${large}`),
    statistics(
      'large account, 7 days by hour',
      `from=${hour(7)}&through=${hour(0)}&resolution=hour&by=none&account=${large}`,
    ),
    statistics('large account, 30 days by operator', `${month30}&by=operator&account=${large}`),
    statistics('small account, 30 days by day', `${month30}&resolution=day&by=none&account=${small}`),
    find('newest', {}),
    find('of a large account', { account: large }),
    find('of a small account', { account: small }),
    find('of a small account that failed', { account: small, status: 'UNDELIVERABLE' }),
    find('by phone', { phone: '4915120000000' }),
    find('by client id', { id: 'order-2654435761' }),
    find('by client id of an account', { id: 'order-2654435761', account: small }),
    find('by status', { status: 'UNDELIVERABLE' }),
    find('by rare status', { status: 'REJECTED' }),
    find('by rare sender', { sender: RARE_SENDER }),
    find('by carrier', { carrier: 'sms-2' }),
    find('by channel', { channel: 'sms' }),
    find('of an hour 20 days ago', ago(20, 20 - 1 / 24)),
    find('of a small account, 20 to 25 days ago', { account: small, ...ago(25, 20) }),
    find('before all', ago(100, 50)),
    { name: 'accounts', path: '/accounts?most=100' },
    { name: 'accounts by name', path: '/accounts?search=Client+9999' },
    { name: 'account', path: `/accounts/${small}` },
    { name: 'balance', path: `/accounts/${small}/balance` },
    { name: 'postings of a large account', path: `/accounts/${large}/postings` },
    { name: 'postings of a small account', path: `/accounts/${small}/postings` },
    { name: 'statement of a large account', path: `/accounts/${large}/statements/${month}` },
    { name: 'margin', path: `/margin?from=${month}&through=${month}` },
    { name: 'failed reports', path: '/failed-reports' },
    { name: 'failed reports of a small account', path: `/failed-reports?account=${small}` },
    { name: 'failed reports, count', path: '/failed-reports/count' },
    { name: 'failed reports of a small account, count', path: `/failed-reports/count?account=${small}` },
    { name: 'hooks of a large account', path: `/accounts/${large}/hooks` },
    { name: 'stopped hooks', path: '/stopped-hooks' },
    { name: 'audit log', path: '/audit' },
    { name: 'audit log by actor', path: '/audit?actor=owner' },
    { name: 'audit log by rare actor', path: '/audit?actor=rare' },
    { name: 'inbound messages', path: '/inbound-messages' },
    { name: 'inbound of a phone', path: '/inbound-messages?sender=4915120000000' },
    { name: 'conversation', path: `/accounts/${small}/conversation`, body: { phone: '4915120000000' } },
    { name: 'alarms', path: '/alarms' },
    { name: 'senders of a state', path: '/senders?state=requested' },
    { name: 'senders', path: '/senders' },
    { name: 'prices', path: '/prices' },
    { name: 'carriers', path: '/carriers' },
    { name: 'routes', path: '/routes' },
    { name: 'client hooks', path: '/client-hooks' },
    { name: 'users', path: '/users' },
  ].filter(({ name }) => only === undefined || name.includes(only))
}

async function measure(): Promise<void> {
  const { firstAccount, keys } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))
  const token = await makeToken()
  const setup: GatewaySetup = { smscPort: 0, refusingPort: 0, folder, ...(database === undefined ? {} : { database }) }
  const startedAt = performance.now()
  const gateway = new Child('./gateway-under-load.ts', [JSON.stringify(setup)], { env: SERVICE_ENVIRONMENT })
  const { adminPort } = await gateway.receive<GatewayNews>()
  console.log(`started in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${mebibytesOf(gateway)} MiB`)
  const call = async ({ path, body }: Pick<Read, 'path' | 'body'>) => {
    const begunAt = performance.now()
    const response = await fetch(`http://127.0.0.1:${adminPort}/admin/v1${path}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    return { ms: performance.now() - begunAt, answer, status: response.status }
  }
  const probe = { path: `/accounts/${firstAccount}/balance` }
  console.log('| read | rows | p50 ms | max ms | another waited ms |\n|---|---|---|---|---|')
  for (const read of readsOf(firstAccount, firstAccount + LARGE_ACCOUNTS + Math.floor(keys.length / 2))) {
    const taken: number[] = []
    const waited: number[] = []
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        waited.push((await call(probe)).ms)
        await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS))
      }
    })()
    let last = ''
    for (let n = 0; n < Number(calls); n += 1) {
      const { ms, answer, status } = await call(read)
      taken.push(ms)
      last = status === 200 ? rowsIn(answer) : `${status} ${answer.slice(0, 120)}`
    }
    isOver = true
    await others
    const [p50, max, other] = [median(taken), Math.max(...taken), Math.max(...waited)].map((ms) =>
      ms.toFixed(ms < 10 ? 1 : 0),
    )
    console.log(`| ${read.name} | ${last} | ${p50} | ${max} | ${other} |`)
  }
  console.log(`${mebibytesOf(gateway)} MiB`)
  await gateway.end()
}

/** `50`, or `50 +` if more follow. */
function rowsIn(answer: string): string {
  const { data, next } = JSON.parse(answer)
  if (!Array.isArray(data)) return '1'
  return `${data.length}${next === null || next === undefined ? '' : ' +'}`
}

function mebibytesOf(gateway: Child): string {
  return (usageOf([gateway.pid]).rss / 2 ** 20).toFixed(0)
}

async function makeToken(): Promise<string> {
  const flags = { 'data-dir': folder, ...(database === undefined ? {} : { database }) }
  const store = await openInstallation(readConfig(flags, {}), { role: 'tool' })
  const token = makeKey('live', systemRandom)
  const user = 'grown'
  await store.change({
    kind: 'set admin user',
    user: {
      name: user,
      role: 'owner',
      state: 'active',
      accountId: null,
      passwordHash: null,
      totpSecret: null,
      subject: null,
    },
  })
  const label = `reads ${Date.now()}`
  await store.change({
    kind: 'add admin token',
    token: { hash: hashKey(token), user, label, createdAt: Date.now(), expiresAt: null, provedAt: null },
  })
  await store.close()
  return token
}

await measure()
