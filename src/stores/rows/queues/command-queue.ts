/**
 * The queue of commands that wait for a batch, bounded per tenant. Accounts, inbound messages, short links and
 * operators take turns with the gateway's own work (turns, receipts, reports), which has the longest turns: no tenant
 * delays another by more than a batch. Commands of one tenant keep their order.
 */
import { allowance, FairQueue } from '../../../domain/structures/fair-queue.ts'
import { IdMap } from '../../../domain/structures/id-map.ts'
import { StoreError } from '../../../ports/records/store-errors.ts'

/** The tenant: an account's id, or one of these. */
export const GATEWAY = 0
export const INBOUND = -1
export const SHORT_LINKS = -2
export const BY_OPERATORS = -3

/** Unanswered rows of the gateway's own work, which is also bounded at its source. */
const MAX_GATEWAY_ROWS = 40_000
/** Unanswered rows of all others. Each may hold as many as remain free, so that small tenants always find room. */
const MAX_SHARED_ROWS = 40_000

/** Rows per turn. A larger command is taken whole, and its tenant skips the turns it used. */
const TURN_ROWS = 16
const GATEWAY_TURN_ROWS = 256

/** Unanswered rows over all queues of a store. */
export class UnansweredRows {
  readonly #byTenant = new IdMap<number, number>()
  #shared = 0

  /** Reserves rows for this tenant; returns the reason if there is no room, otherwise null. */
  take(tenant: number, rows: number): StoreError | null {
    const held = this.#byTenant.get(tenant) ?? 0
    const hasRoom =
      tenant === GATEWAY ? held < MAX_GATEWAY_ROWS : rows <= allowance(held, MAX_SHARED_ROWS - this.#shared)
    if (!hasRoom) return new StoreError('the store is too busy')
    this.#byTenant.set(tenant, held + rows)
    if (tenant !== GATEWAY) this.#shared += rows
    return null
  }

  answered(tenant: number, rows: number): void {
    const left = (this.#byTenant.get(tenant) ?? 0) - rows
    if (left > 0) this.#byTenant.set(tenant, left)
    else this.#byTenant.delete(tenant)
    if (tenant !== GATEWAY) this.#shared -= rows
  }
}

export interface WaitingCommand {
  readonly tenant: number
  /** The amount of work: messages, turns, reports. */
  readonly rows: number
}

export class CommandQueue<Waiting extends WaitingCommand> {
  readonly #queue = new FairQueue<Waiting>({
    tenantOf: ({ tenant }) => tenant,
    costOf: ({ rows }) => rows,
    turnOf: (tenant) => (tenant === GATEWAY ? GATEWAY_TURN_ROWS : TURN_ROWS),
  })

  #rows = 0

  /** Of all commands that wait. */
  get rows(): number {
    return this.#rows
  }

  get first(): Waiting | undefined {
    return this.#queue.first
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  push(waiting: Waiting): void {
    this.#queue.push(waiting)
    this.#rows += waiting.rows
  }

  /** Removes and returns the commands of the next batch: those that fit together, or a single larger one. */
  nextBatch(maxRows: number, fits: (first: Waiting, next: Waiting) => boolean = () => true): readonly Waiting[] {
    const batch: Waiting[] = []
    let rows = 0
    // The tenant after a full batch is chosen later, so that commands arriving until then take part.
    while (rows < maxRows) {
      const next = this.#queue.first
      if (next === undefined) break
      const [first] = batch
      if (first !== undefined && (rows + next.rows > maxRows || !fits(first, next))) break
      batch.push(next)
      rows += next.rows
      this.#rows -= next.rows
      this.#queue.shift()
    }
    return batch
  }
}

/** Runs a long list in slices one after the other, so that other commands get their turn between two of them. */
export async function inSlices<Thing, Answer>(
  things: readonly Thing[],
  ask: (slice: readonly Thing[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  if (things.length <= SLICE_ROWS) return ask(things)
  const answers: Answer[] = []
  for (let start = 0; start < things.length; start += SLICE_ROWS) {
    answers.push(...(await ask(things.slice(start, start + SLICE_ROWS))))
  }
  return answers
}

/** Rows per slice of a long list. */
export const SLICE_ROWS = 256
