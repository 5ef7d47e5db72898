/** The directory as rows, and the revision that says when to load it again. Secrets are still sealed here. */
import type { Account } from '../../domain/account.ts'
import type { CarrierSetup, DirectoryRows } from '../../domain/directory.ts'
import type { Session } from './session.ts'
import { type Cell, Statement } from './statement.ts'

export interface SealedDirectory extends Omit<DirectoryRows, 'accounts' | 'carriers'> {
  readonly accounts: readonly (Omit<Account, 'hookSecrets'> & { readonly hookSecrets: string })[]
  readonly carriers: readonly (Omit<CarrierSetup, 'settings'> & { readonly settings: string })[]
}

export function directoryRevision({ database }: Session): () => number {
  const revision = new Statement<[revision: number]>(database, 'SELECT revision FROM meta')
  return () => revision.first()?.[0] ?? 0
}

export function bumpRevision({ database }: Session): () => void {
  const bump = new Statement(database, 'UPDATE meta SET revision = revision + 1')
  return () => void bump.run()
}

export function loadDirectory(session: Session): () => SealedDirectory {
  const revision = directoryRevision(session)
  const tables = {
    accounts: table(session, 'account_id, name, currency, state, hook_secrets, settings FROM account', (row) => {
      const [id, name, currency, state, hookSecrets, settings] = row
      return { id, name, currency, state, hookSecrets, settings: JSON.parse(String(settings)) }
    }),
    keys: table(session, 'account_id, created_at, hash, name FROM api_key', ([accountId, , hash, name]) => {
      return { hash, accountId, name }
    }),
    senders: table(session, 'account_id, channel, name, approved FROM sender', (row) => {
      const [accountId, channel, name, approved] = row
      return { accountId, channel, name, approved: approved === 1 }
    }),
    prices: table(session, 'account_id, currency, channel, prefix, price_micros FROM price', (row) => {
      const [accountId, currency, channel, prefix, priceMicros] = row
      return { accountId: accountId === 0 ? null : accountId, currency, channel, prefix, priceMicros }
    }),
    routes: table(session, 'channel, prefix, priority, carrier_id, operators, pool_id FROM route', (row) => {
      const [channel, prefix, priority, carrierId, operators, poolId] = row
      const list = operators === null ? null : JSON.parse(String(operators))
      return { channel, prefix, operators: list, carrierId, priority, poolId }
    }),
    carriers: table(session, 'carrier_id, channel, kind, settings FROM carrier', ([id, channel, kind, settings]) => {
      return { id, channel, kind, settings }
    }),
    pools: table(session, 'pool_id, code_digits, numbers FROM pool', ([id, codeDigits, numbers]) => {
      return { id, numbers: JSON.parse(String(numbers)), codeDigits }
    }),
    chatTemplates: table(session, 'template_id, account_id, template, signature, status FROM chat_template', (row) => {
      const [id, accountId, template, signature, status] = row
      return { id, accountId, template, signature, status }
    }),
    stoppedHooks: table(session, 'account_id, address FROM stopped_hook', ([accountId, address]) => {
      return { accountId, address }
    }),
  }
  return () => {
    const rows = Object.entries(tables).map(([name, load]) => [name, load()])
    return { revision: revision(), ...Object.fromEntries(rows) } as SealedDirectory
  }
}

/** Every row of a table in the order of its first two columns, made into an object. */
function table(session: Session, columns: string, read: (row: readonly Cell[]) => object): () => object[] {
  const select = new Statement(session.database, `SELECT ${columns} ORDER BY 1, 2`)
  return () => select.all().map(read)
}
