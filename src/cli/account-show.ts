/** `posthorn account show`: what is known of one account. It tells no secret: of keys only the names. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { NO_MONEY, toDecimal } from '../domain/money.ts'
import { accountRow } from '../operations/admin/account-row.ts'
import type { Store } from '../ports/store.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'
import { writeFacts } from './text-table.ts'

interface Options {
  readonly account: AccountId
}

type AccountView = Awaited<ReturnType<typeof viewAccount>>

export function accountShowCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'show',
    summary: 'show an account: its money, settings, senders, keys and stopped hooks',
    examples: ['posthorn account show --account 1'],
    settings: INSTALLATION,
  }).requiredOption('--account <id>', 'the account', readAccountId)
  return answerBy<Options>(command, terminal, async (options, config) => {
    const view = await withToolStore(config, (store) => viewAccount(store, options.account))
    return { json: view, text: writeView(view) }
  })
}

async function viewAccount(store: Store, accountId: AccountId) {
  const rows = await store.loadDirectory()
  const { name, state, currency, settings, hookSecrets } = accountRow(rows, accountId)
  const pots = await store.potsOf(accountId)
  const isOurs = (each: { readonly accountId: AccountId | null }) => each.accountId === accountId
  return {
    accountId,
    name,
    state,
    currency,
    available: toDecimal(pots?.available ?? NO_MONEY),
    held: toDecimal(pots?.held ?? NO_MONEY),
    spent: toDecimal(pots?.earned ?? NO_MONEY),
    settings,
    hookSecrets: hookSecrets.length,
    keys: rows.keys.filter(isOurs).map((key) => key.name),
    senders: rows.senders.filter(isOurs).map((sender) => ({
      channel: sender.channel,
      name: sender.name,
      state: sender.state,
    })),
    prices: rows.prices.filter(isOurs).map((price) => ({
      channel: price.channel,
      prefix: price.prefix,
      price: toDecimal(price.priceMicros),
    })),
    stoppedHooks: rows.stoppedHooks.filter(isOurs).map((hook) => hook.address),
  }
}

function writeView(view: AccountView): string {
  const { settings, currency } = view
  const senders = view.senders.map(
    (each) => `${each.name} (${each.channel}${each.state === 'approved' ? '' : `, ${each.state}`})`,
  )
  const prices = view.prices.map((each) => `${each.channel} ${each.prefix || 'all numbers'}: ${each.price}`)
  return writeFacts([
    ['account', String(view.accountId)],
    ['name', view.name],
    ['state', view.state],
    ['available', `${view.available} ${currency}`],
    ['held', `${view.held} ${currency}`],
    ['spent', `${view.spent} ${currency}`],
    ['unique ids', settings.uniqueIds ? 'yes' : 'no'],
    ['step reports', settings.reportSteps ? 'yes' : 'no'],
    ['step lifetime', `${settings.stepLifetimeSeconds} s`],
    ['operations a second', settings.operationsPerSecond === null ? 'no limit' : String(settings.operationsPerSecond)],
    ['transliterate SMS', settings.transliterateSms ? 'yes' : 'no'],
    ['hook secrets', String(view.hookSecrets)],
    ['keys', list(view.keys)],
    ['senders', list(senders)],
    ['own prices', list(prices)],
    ['stopped hooks', list(view.stoppedHooks)],
  ])
}

function list(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.join(', ')
}
