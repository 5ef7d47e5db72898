/**
 * What accepting and delivering cost in a grown store (grown.ts) compared with a new one of as many accounts, a round
 * of each in turn: CPU of this process, and of the thread of the store with SQLite.
 *
 *     node bench/grown-rates.ts <folder of grown.ts> [rounds] [messages of a round]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstallation, openInstallation } from '../src/app/installation/installation.ts'
import { readConfig } from '../src/app/settings/config.ts'
import type { AccountId } from '../src/domain/ids/account-id.ts'
import { makeMessageId } from '../src/domain/ids/message-id.ts'
import type { Message } from '../src/domain/message/message.ts'
import type { Phone } from '../src/domain/numbers/phone.ts'
import type { Store } from '../src/ports/stores/store.ts'
import { buildMessage } from '../test/support/build-message.ts'
import { median } from './child.ts'
import { accept, deliver, inWindow, openAccounts } from './lives.ts'

const [folder = '', ...numbers] = process.argv.slice(2)
const [rounds = 5, perRound = 5_000] = numbers.map(Number)
const WINDOW = 200
const young = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))

interface Subject {
  readonly store: Store
  readonly accountAt: (index: number) => AccountId
}

async function compare(): Promise<void> {
  const { firstAccount, keys } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))
  const accountAt = (index: number) => (firstAccount + ((index * 7_919) % keys.length)) as AccountId
  const grown = { store: await openInstallation(configOf(folder), { role: 'gateway' }), accountAt }
  await createInstallation(configOf(young))
  const store = await openInstallation(configOf(young), { role: 'gateway' })
  const ids = await openAccounts(store, keys.length)
  const fresh = { store, accountAt: (index: number) => ids[(index * 7_919) % ids.length] as AccountId }
  const cpu = { accept: [[], []] as [number[], number[]], deliver: [[], []] as [number[], number[]] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, subject] of [fresh, grown].entries()) {
      const spent = await live(subject, round)
      // The first round warms up.
      if (round > 0) for (const work of ['accept', 'deliver'] as const) cpu[work][place]?.push(spent[work])
    }
  }
  for (const [work, [before, after]] of Object.entries(cpu)) {
    const ratio = median(after.map((micros, index) => micros / (before[index] ?? micros)))
    console.log(
      `${work}: ${median(before).toFixed(0)} µs of CPU in the new store, ${median(after).toFixed(0)} in the grown one: ` +
        `${ratio.toFixed(2)} times (${after.map((micros, index) => (micros / (before[index] ?? micros)).toFixed(2)).join(', ')})`,
    )
  }
  await Promise.all([grown.store.close(), store.close()])
}

async function live({ store, accountAt }: Subject, round: number) {
  const first = await store.reserveIds(perRound)
  const messages = Array.from({ length: perRound }, (_, index): Message => {
    const accountId = accountAt(round * perRound + index)
    const phone = `49151${20_000_000 + (((first + index) * 7_919) % 9_999_991)}` as Phone
    return buildMessage({ id: makeMessageId(first + index, accountId), accountId, phone })
  })
  const each = async (work: (message: Message) => Promise<void>) => {
    const before = process.cpuUsage()
    await inWindow(WINDOW, 0, perRound, (n) => work(messages[n] as Message))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / perRound
  }
  return {
    accept: await each((message) => accept(store, message)),
    deliver: await each((message) => deliver(store, message)),
  }
}

function configOf(dataDir: string) {
  return readConfig({ 'data-dir': dataDir }, {})
}

try {
  await compare()
} finally {
  rmSync(young, { recursive: true })
}
