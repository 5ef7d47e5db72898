/**
 * What an operator changes. Every rule is asked before anything is written; a change that breaks one is refused with a
 * sentence for the operator.
 */
import type { Account } from '../../domain/account.ts'
import type { CarrierSetup, Sender } from '../../domain/directory.ts'
import type { Price } from '../../domain/price.ts'
import type { NumberPool, Route } from '../../domain/route.ts'
import type { ChatTemplate } from '../../domain/template.ts'
import { type Change, ChangeRefused } from '../../ports/store.ts'
import { bumpRevision } from './load-directory.ts'
import type { Session } from './session.ts'
import { type Cell, Statement } from './statement.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/** A Change whose secrets are sealed. */
export type SealedChange =
  | Exclude<Change, { kind: 'create account' | 'set hook secrets' | 'set carrier' }>
  | { readonly kind: 'create account'; readonly account: Omit<Account, 'id' | 'hookSecrets'> & { hookSecrets: string } }
  | (Omit<ChangeOf<'set hook secrets'>, 'hookSecrets'> & { readonly hookSecrets: string })
  | { readonly kind: 'set carrier'; readonly carrier: Omit<CarrierSetup, 'settings'> & { readonly settings: string } }

/** Answers with the id of a created account, otherwise null. Throws a ChangeRefused. */
export function applyChange(session: Session): (change: SealedChange) => number | null {
  const changes = new Changes(session)
  const bump = bumpRevision(session)
  return (change) => {
    const id = changes.apply(change)
    if (change.kind !== 'top up') bump()
    return id
  }
}

/** Changes are rare: their statements are prepared when they are needed. */
class Changes {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  apply(change: SealedChange): number | null {
    switch (change.kind) {
      case 'create account':
        return this.#createAccount(change.account)
      case 'set account state':
        return this.#setAccount(change.accountId, 'state', change.state)
      case 'set account settings':
        return this.#setAccount(change.accountId, 'settings', JSON.stringify(change.settings))
      case 'set hook secrets':
        return this.#setAccount(change.accountId, 'hook_secrets', change.hookSecrets)
      case 'add key':
        return this.#addKey(change)
      case 'set sender':
        return this.#setSender(change.sender)
      case 'set price':
        return this.#setPrice(change.price)
      case 'set carrier':
        return this.#setCarrier(change.carrier)
      case 'set route':
        return this.#setRoute(change.route)
      case 'set pool':
        return this.#setPool(change.pool)
      case 'set chat template':
        return this.#setChatTemplate(change.template)
      case 'top up':
        return this.#topUp(change)
      case 'resume hook':
        return this.#resumeHook(change)
    }
  }

  #createAccount({
    name,
    currency,
    state,
    hookSecrets,
    settings,
  }: Extract<SealedChange, { kind: 'create account' }>['account']): number {
    if (this.#cell('SELECT 1 FROM account WHERE name = ?', name) !== null) {
      refuse(`there is an account named ${JSON.stringify(name)} already`)
    }
    const id = Number(
      this.#cell(
        `INSERT INTO account (name, currency, state, hook_secrets, settings) VALUES (?, ?, ?, ?, ?)
         RETURNING account_id`,
        name,
        currency,
        state,
        hookSecrets,
        JSON.stringify(settings),
      ),
    )
    this.#run('INSERT INTO pots (account_id, paid, available, held, earned) VALUES (?, 0, 0, 0, 0)', id)
    return id
  }

  #setAccount(accountId: number, column: 'state' | 'settings' | 'hook_secrets', value: string): null {
    this.#needAccount(accountId)
    this.#run(`UPDATE account SET ${column} = ? WHERE account_id = ?`, value, accountId)
    return null
  }

  #addKey({ key, createdAt }: ChangeOf<'add key'>): null {
    this.#needAccount(key.accountId)
    if (this.#cell('SELECT 1 FROM api_key WHERE hash = ?', key.hash) !== null) refuse('this key exists already')
    return this.#put('api_key', { hash: key.hash, account_id: key.accountId, name: key.name, created_at: createdAt })
  }

  #setSender({ accountId, channel, name, approved }: Sender): null {
    this.#needAccount(accountId)
    return this.#put('sender', { account_id: accountId, channel, name, approved: Number(approved) })
  }

  #setPrice({ accountId, currency, channel, prefix, priceMicros }: Price): null {
    if (accountId !== null) this.#needAccount(accountId)
    return this.#put('price', { account_id: accountId ?? 0, currency, channel, prefix, price_micros: priceMicros })
  }

  #setPool({ id, numbers, codeDigits }: NumberPool): null {
    return this.#put('pool', { pool_id: id, numbers: JSON.stringify(numbers), code_digits: codeDigits })
  }

  #setChatTemplate({ id, accountId, template, signature, status }: ChatTemplate): null {
    this.#needAccount(accountId)
    const owner = this.#cell('SELECT account_id FROM chat_template WHERE template_id = ?', id)
    if (owner !== null && owner !== accountId) refuse(`template ${id} belongs to another account`)
    return this.#put('chat_template', { template_id: id, account_id: accountId, template, signature, status })
  }

  #setCarrier({ id, channel, kind, settings }: Extract<SealedChange, { kind: 'set carrier' }>['carrier']): null {
    const routed = this.#cell('SELECT channel FROM route WHERE carrier_id = ? AND channel <> ? LIMIT 1', id, channel)
    if (routed !== null) refuse(`carrier ${id} has routes for ${routed}: it cannot become a carrier for ${channel}`)
    return this.#put('carrier', { carrier_id: id, channel, kind, settings })
  }

  #setRoute({ channel, prefix, operators, carrierId, priority, poolId }: Route): null {
    const carried = this.#cell('SELECT channel FROM carrier WHERE carrier_id = ?', carrierId)
    if (carried === null) refuse(`there is no carrier ${carrierId}`)
    if (carried !== channel) refuse(`carrier ${carrierId} is for ${carried}, not for ${channel}`)
    if ((poolId !== null) !== (channel === 'call')) refuse('a route for calls needs a number pool, others have none')
    if (poolId !== null && this.#cell('SELECT 1 FROM pool WHERE pool_id = ?', poolId) === null) {
      refuse(`there is no number pool ${poolId}`)
    }
    const list = operators === null ? null : JSON.stringify(operators)
    return this.#put('route', { channel, prefix, carrier_id: carrierId, operators: list, priority, pool_id: poolId })
  }

  #topUp({ accountId, amountMicros, at }: ChangeOf<'top up'>): null {
    const pots = this.#session.purse.potsOf(accountId)
    if (pots === null) return refuse(`there is no account ${accountId}`)
    if (amountMicros <= 0) refuse('a top-up is more than nothing')
    if (!Number.isSafeInteger(amountMicros - pots.paid)) refuse('the account cannot hold that much')
    this.#session.purse.move('top-up', accountId, null, amountMicros, at)
    return null
  }

  #resumeHook({ hook }: ChangeOf<'resume hook'>): null {
    const { accountId, address } = hook
    if (this.#run('DELETE FROM stopped_hook WHERE account_id = ? AND address = ?', accountId, address) === 0) {
      refuse('this hook is not stopped')
    }
    return null
  }

  #needAccount(id: number): void {
    if (this.#cell('SELECT 1 FROM account WHERE account_id = ?', id) === null) refuse(`there is no account ${id}`)
  }

  /** Inserts the row, or changes the one with the same primary key. */
  #put(table: string, row: Readonly<Record<string, Cell>>): null {
    const columns = Object.keys(row)
    const changed = columns.map((column) => `${column} = excluded.${column}`).join(', ')
    const places = columns.map(() => '?').join(', ')
    this.#run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO UPDATE SET ${changed}`,
      ...Object.values(row),
    )
    return null
  }

  #run(sql: string, ...values: readonly Cell[]): number {
    return new Statement(this.#session.database, sql).run(...values)
  }

  /** The first cell of the first row; null when there is none. */
  #cell(sql: string, ...values: readonly Cell[]): Cell {
    return new Statement(this.#session.database, sql).first(...values)?.[0] ?? null
  }
}

function refuse(sentence: string): never {
  throw new ChangeRefused(sentence)
}
