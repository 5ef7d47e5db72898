/**
 * What a configuration file changes: carriers, routes, costs, pools, prices, operators, settings
 * of accounts. Every rule is asked before
 * anything is written; a change that breaks one is refused with a sentence for the operator.
 */
import type { Cost } from '../../domain/cost.ts'
import type { NumberPool, Route } from '../../domain/route.ts'
import type { RoutingChange } from '../../ports/routing-change.ts'
import type { Row } from '../rows/cell.ts'
import { costKey, routeKey, toCostRow, toPoolRow, toRouteRow } from '../rows/directory-rows.ts'
import type { SealedCarrier, SealedRoutingChange } from '../rows/seal-secrets.ts'
import { Accounts } from './accounts.ts'
import { GuardChanges } from './apply-guard-change.ts'
import { PriceRows } from './price-rows.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'

type ChangeOf<Kind extends RoutingChange['kind']> = Extract<RoutingChange, { kind: Kind }>

export class RoutingChanges {
  readonly #rows: SetUpRows
  readonly #prices: PriceRows
  readonly #guards: GuardChanges
  readonly #accounts: Accounts

  constructor(session: Session) {
    this.#rows = new SetUpRows(session)
    this.#prices = new PriceRows(session)
    this.#guards = new GuardChanges(session)
    this.#accounts = new Accounts(session)
  }

  /** In their order. Throws a ChangeRefused; what was written before it is taken back with the change as a whole. */
  async applyAll(changes: readonly SealedRoutingChange[]): Promise<null> {
    for (const change of changes) await this.apply(change)
    return null
  }

  /** Throws a ChangeRefused. */
  apply(change: SealedRoutingChange): Promise<null> {
    switch (change.kind) {
      case 'set carrier':
        return this.#setCarrier(change.carrier)
      case 'set draining':
        return this.#setDraining(change)
      case 'remove carrier':
        return this.#removeCarrier(change.carrierId)
      case 'set account':
        return this.#accounts.set(change)
      case 'set route':
        return this.#setRoute(change.route)
      case 'remove route':
        return this.#remove('route', routeKey(change.route), 'there is no such route')
      case 'set cost':
        return this.#setCost(change.cost)
      case 'remove cost':
        return this.#remove('cost', costKey(change.cost), 'there is no such cost')
      case 'set pool':
        return this.#setPool(change.pool)
      case 'remove pool':
        return this.#removePool(change.poolId)
      case 'set price':
        return this.#prices.set(change.price)
      case 'remove price':
        return this.#prices.remove(change.price)
      case 'set tariff':
        return this.#prices.replaceAll(change.accountId, change.currency, change.prices)
      case 'set operators':
        return this.#rows.put('operators', { one: 1, content: change.operators })
      default:
        return this.#guards.apply(change)
    }
  }

  async #setCarrier({ id, channel, kind, settings }: SealedCarrier): Promise<null> {
    const routed = await this.#rows.cell(
      'SELECT channel FROM route WHERE carrier_id = ? AND channel <> ? LIMIT 1',
      id,
      channel,
    )
    if (routed !== null) refuse(`carrier ${id} has routes for ${routed}: it cannot become a carrier for ${channel}`)
    return this.#rows.put('carrier', { carrier_id: id, channel, kind, settings })
  }

  async #setDraining({ carrierId, draining }: ChangeOf<'set draining'>): Promise<null> {
    const set = 'UPDATE carrier SET draining = ? WHERE carrier_id = ?'
    if ((await this.#rows.run(set, Number(draining), carrierId)) === 0) refuse(`there is no carrier ${carrierId}`)
    return null
  }

  async #removeCarrier(id: string): Promise<null> {
    const routes = await this.#rows.cell('SELECT count(*) FROM route WHERE carrier_id = ?', id)
    if (routes !== 0) refuse(`carrier ${id} has routes (${routes}): remove them first`)
    await this.#rows.remove('cost', { carrier_id: id })
    return this.#remove('carrier', { carrier_id: id }, `there is no carrier ${id}`)
  }

  async #setRoute(route: Route): Promise<null> {
    const { channel, carrierId, poolId, accountId, ringSeconds } = route
    const carried = await this.#rows.cell('SELECT channel FROM carrier WHERE carrier_id = ?', carrierId)
    if (carried === null) refuse(`there is no carrier ${carrierId}`)
    if (carried !== channel) refuse(`carrier ${carrierId} is for ${carried}, not for ${channel}`)
    if (accountId !== null) await this.#rows.needAccount(accountId)
    if ((poolId !== null) !== (channel === 'call')) refuse('a route for calls needs a number pool, others have none')
    if (poolId !== null && (await this.#rows.cell('SELECT 1 FROM pool WHERE pool_id = ?', poolId)) === null) {
      refuse(`there is no number pool ${poolId}`)
    }
    if (ringSeconds !== undefined && channel !== 'call') refuse('only a route for calls has a ring time')
    return this.#rows.put('route', toRouteRow(route))
  }

  async #setCost(cost: Cost): Promise<null> {
    const { carrierId } = cost
    if ((await this.#rows.cell('SELECT 1 FROM carrier WHERE carrier_id = ?', carrierId)) === null) {
      refuse(`there is no carrier ${carrierId}`)
    }
    return this.#rows.put('cost', toCostRow(cost))
  }

  async #setPool(pool: NumberPool): Promise<null> {
    return this.#rows.put('pool', toPoolRow(pool))
  }

  async #removePool(id: string): Promise<null> {
    const routes = await this.#rows.cell('SELECT count(*) FROM route WHERE pool_id = ?', id)
    if (routes !== 0) refuse(`routes call from pool ${id} (${routes}): remove them first`)
    return this.#remove('pool', { pool_id: id }, `there is no number pool ${id}`)
  }

  async #remove(table: string, key: Row, absent: string): Promise<null> {
    if ((await this.#rows.remove(table, key)) === 0) refuse(absent)
    return null
  }
}
