/** The directory as rows, and the revision that says when to load it again. Secrets are still sealed here. */
import type { Account } from '../../domain/account.ts'
import type { DirectoryRows, InstalledCarrier } from '../../domain/directory.ts'
import type { Session } from './session.ts'
import { type Cell, Statement } from './statement.ts'

export interface SealedDirectory extends Omit<DirectoryRows, 'accounts' | 'carriers'> {
  readonly accounts: readonly (Omit<Account, 'hookSecrets'> & { readonly hookSecrets: string })[]
  readonly carriers: readonly (Omit<InstalledCarrier, 'settings'> & { readonly settings: string })[]
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
    routes: table(
      session,
      'channel, prefix, priority, carrier_id, account_id, sender, operators, weight, pool_id FROM route',
      (row) => {
        const [channel, prefix, priority, carrierId, account, sender, operators, weight, poolId] = row
        const accountId = account === 0 ? null : account
        const list = operators === null ? null : JSON.parse(String(operators))
        const whose = { accountId, sender: sender === '' ? null : sender }
        return { channel, ...whose, prefix, operators: list, carrierId, priority, weight, poolId }
      },
    ),
    costs: table(session, 'carrier_id, prefix, price_micros FROM cost', ([carrierId, prefix, priceMicros]) => {
      return { carrierId, prefix, priceMicros }
    }),
    carriers: table(session, 'carrier_id, channel, kind, settings, draining FROM carrier', (row) => {
      const [id, channel, kind, settings, draining] = row
      return { id, channel, kind, settings, draining: draining === 1 }
    }),
    pools: table(session, 'pool_id, code_digits, numbers FROM pool', ([id, codeDigits, numbers]) => {
      return { id, numbers: JSON.parse(String(numbers)), codeDigits }
    }),
    chatTemplates: table(
      session,
      'template_id, account_id, template, signature, status, carrier_id FROM chat_template',
      (row) => {
        const [id, accountId, template, signature, status, carrierId] = row
        return { id, accountId, template, signature, status, ...(carrierId === null ? {} : { carrierId }) }
      },
    ),
    stoppedHooks: table(session, 'account_id, address FROM stopped_hook', ([accountId, address]) => {
      return { accountId, address }
    }),
    adminUsers: table(session, 'name, role, state, password_hash, totp_secret FROM admin_user', (row) => {
      const [name, role, state, passwordHash, totpSecret] = row
      return { name, role, state, passwordHash, totpSecret }
    }),
    adminTokens: table(session, 'user, label, hash, created_at, expires_at FROM admin_token', (row) => {
      const [user, label, hash, createdAt, expiresAt] = row
      return { hash, user, label, createdAt, expiresAt }
    }),
  }
  const operators = new Statement<[content: string]>(session.database, 'SELECT content FROM operators')
  return () => {
    const rows = Object.entries(tables).map(([name, load]) => [name, load()])
    const rest = { revision: revision(), operators: operators.first()?.[0] ?? '' }
    return { ...rest, ...Object.fromEntries(rows) } as SealedDirectory
  }
}

/** Every row of a table in the order of its first two columns, made into an object. */
function table(session: Session, columns: string, read: (row: readonly Cell[]) => object): () => object[] {
  const select = new Statement(session.database, `SELECT ${columns} ORDER BY 1, 2`)
  return () => select.all().map(read)
}
