/** What an installation needs before its first message is delivered, for the account that lacks least. */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { DAY_HOURS, hourOf } from '../../../domain/statistics/message-statistics.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { LiveGateway } from '../endpoint/endpoint.ts'
import {
  type AccountChecklist,
  checkAccount,
  isReady,
  needed,
  type Point,
  type PointName,
} from './account-checklist.ts'

/** Accounts that are tried until one can send. */
const MAX_ACCOUNTS = 20
/** Within which a message was delivered. */
export const DELIVERED_DAYS = 31

export interface InstallationChecklist extends Omit<AccountChecklist, 'account' | 'channel'> {
  /** Null without an active account. */
  readonly account: AccountChecklist['account'] | null
  readonly channel: AccountChecklist['channel'] | null
}

interface Facts {
  readonly rows: DirectoryRows
  readonly store: Pick<QueryStore, 'messageTotals'>
  readonly now: number
}

/** Rejects with StoreError. */
export async function checkInstallation(
  live: LiveGateway,
  { rows, store, now }: Facts,
): Promise<InstallationChecklist> {
  const best = await findAccount(live, rows, now)
  const message = needed('message', await wasDelivered(store, now))
  if (best === null) {
    return { account: null, channel: null, points: [...withoutAccount(live, rows), message], channels: [] }
  }
  return { ...best, points: [...best.points.filter(({ state }) => state !== 'advised'), message] }
}

async function findAccount(live: LiveGateway, rows: DirectoryRows, now: number): Promise<AccountChecklist | null> {
  let best: AccountChecklist | null = null
  for (const { id } of rows.accounts.filter(({ state }) => state === 'active').slice(0, MAX_ACCOUNTS)) {
    const checked = await checkAccount(live, { rows, account: id, now })
    if (best === null || missingOf(checked) < missingOf(best)) best = checked
    if (isReady(best.points)) break
  }
  return best
}

function missingOf({ points }: AccountChecklist): number {
  return points.filter(({ state }) => state === 'missing').length
}

/** What does not belong to an account can be there before one. */
function withoutAccount(live: LiveGateway, { carriers, routes, prices }: DirectoryRows): readonly Point[] {
  const isUp = live.carriers().some(({ id, up }) => up && carriers.some((carrier) => carrier.id === id))
  const done: Readonly<Partial<Record<PointName, boolean>>> = {
    ...{ carrier: isUp, route: routes.length > 0, price: prices.length > 0 },
    ...{ account: false, sender: false, balance: false, key: false },
  }
  return Object.entries(done).map(([point, isDone]) => needed(point as PointName, isDone))
}

async function wasDelivered(store: Facts['store'], now: number): Promise<boolean> {
  const end = hourOf(now) - (hourOf(now) % DAY_HOURS) + DAY_HOURS
  const range = { from: end - DELIVERED_DAYS * DAY_HOURS, through: end - 1, source: 'days', slotHours: null } as const
  const query = { ...range, accountId: null, only: {}, by: [], ranking: 'delivered', limit: 1 } as const
  const [total] = await store.messageTotals(query)
  return (total?.messages ?? 0) > 0
}
