/**
 * A fair queue: accounts take turns, one entry each, and the traffic classes of one account share its turns by weight.
 * Entries of one tenant keep their order. Pushing and shifting take the same time however long the queue is.
 */
import { accountOfTenant, weightOfTenant } from '../domain/tenant.ts'

interface TenantQueue<Entry> {
  entries: Entry[]
  /** Entries before it have left. */
  head: number
  readonly weight: number
  /** Of smooth weighted round-robin: the queue with the most credit goes next and pays the sum of all weights. */
  credit: number
}

interface AccountQueues<Entry> {
  /** By tenant, those with entries. */
  readonly queues: Map<number, TenantQueue<Entry>>
  /** The queue whose entry leaves next, once that has been asked; it stays the same until the entry leaves. */
  next: TenantQueue<Entry> | null
}

export class FairLine<Entry extends { readonly tenant: number }> {
  /** By account; the one whose turn it is comes first. */
  readonly #accounts = new Map<number, AccountQueues<Entry>>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(entry: Entry): void {
    const accountId = accountOfTenant(entry.tenant)
    let account = this.#accounts.get(accountId)
    if (account === undefined) {
      account = { queues: new Map(), next: null }
      this.#accounts.set(accountId, account)
    }
    const queue = account.queues.get(entry.tenant)
    if (queue !== undefined) queue.entries.push(entry)
    else
      account.queues.set(entry.tenant, { entries: [entry], head: 0, weight: weightOfTenant(entry.tenant), credit: 0 })
    this.#length += 1
  }

  /** The entry that leaves next; undefined when the queue is empty. */
  get first(): Entry | undefined {
    const [account] = this.#accounts.values()
    if (account === undefined) return undefined
    const queue = nextQueue(account)
    return queue.entries[queue.head]
  }

  /** Removes the first entry; the turn goes to the next account. */
  shift(): void {
    const [turn] = this.#accounts
    if (turn === undefined) return
    const [accountId, account] = turn
    const queue = nextQueue(account)
    const tenant = queue.entries[queue.head]?.tenant ?? 0
    account.next = null
    queue.head += 1
    this.#length -= 1
    if (queue.head === queue.entries.length) account.queues.delete(tenant)
    else if (queue.head > 1_000 && queue.head * 2 > queue.entries.length) {
      queue.entries = queue.entries.slice(queue.head)
      queue.head = 0
    }
    this.#accounts.delete(accountId)
    if (account.queues.size > 0) this.#accounts.set(accountId, account)
  }

  /** Empties the queue and returns what was in it. */
  clear(): readonly Entry[] {
    const rest = [...this.#accounts.values()].flatMap(({ queues }) =>
      [...queues.values()].flatMap(({ entries, head }) => entries.slice(head)),
    )
    this.#accounts.clear()
    this.#length = 0
    return rest
  }
}

function nextQueue<Entry>(account: AccountQueues<Entry>): TenantQueue<Entry> {
  if (account.next !== null) return account.next
  const queues = [...account.queues.values()]
  const sum = queues.reduce((all, { weight }) => all + weight, 0)
  for (const queue of queues) queue.credit += queue.weight
  const next = queues.reduce((best, queue) => (queue.credit > best.credit ? queue : best))
  next.credit -= sum
  account.next = next
  return next
}
