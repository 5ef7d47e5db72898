/**
 * The commands that wait for their batch, and how much of each tenant may wait. Accounts, inbound messages, short links and
 * operators take turns, and the gateway's own work (turns, receipts, reports) has the longest of them: what one of them
 * asks for never keeps the others waiting for more than a batch. Commands of one tenant keep their order.
 */
import { FairQueue } from '../../domain/fair-queue.ts'
import { allowance } from '../../domain/memory-share.ts'
import { StoreError } from '../../ports/store-errors.ts'

/** Who asks: an account by its id, or one of these. */
export const GATEWAY = 0
export const INBOUND = -1
export const SHORT_LINKS = -2
export const OPERATORS = -3

/** Unanswered rows of the gateway's own work. It is bounded where it arises as well. */
const MAX_GATEWAY_ROWS = 40_000
/** Unanswered rows of all others. Each may hold as much as it leaves free, so that one who holds little finds room. */
const MAX_SHARED_ROWS = 40_000

/** Rows of one turn. Larger commands are taken whole, and their tenant sits out the turns that they used up. */
const TURN_ROWS = 16
const GATEWAY_TURN_ROWS = 256

/** The rows that are not answered yet, over all queues of a store. */
export class UnansweredRows {
  readonly #byTenant = new Map<number, number>()
  #shared = 0

  /** The reason not to take more of this tenant; null when there is room, and then it is taken. */
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
  /** How much work it is: messages, turns, reports. */
  readonly rows: number
}

export class CommandQueue<Waiting extends WaitingCommand> {
  readonly #queue = new FairQueue<Waiting>({
    tenantOf: ({ tenant }) => tenant,
    groupOf: (tenant) => tenant,
    weightOf: () => 1,
    costOf: ({ rows }) => rows,
    turnOf: (tenant) => (tenant === GATEWAY ? GATEWAY_TURN_ROWS : TURN_ROWS),
  })

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  push(waiting: Waiting): void {
    this.#queue.push(waiting)
  }

  /** Removes the commands of the next batch: those that fit together, or one that is larger. */
  nextBatch(maxRows: number, fits: (first: Waiting, next: Waiting) => boolean = () => true): readonly Waiting[] {
    const batch: Waiting[] = []
    let rows = 0
    // Whose turn comes after a full batch is left open: whoever asks while it is under way has a part in that.
    while (rows < maxRows) {
      const next = this.#queue.first
      if (next === undefined) break
      const [first] = batch
      if (first !== undefined && (rows + next.rows > maxRows || !fits(first, next))) break
      batch.push(next)
      rows += next.rows
      this.#queue.shift()
    }
    return batch
  }
}

/** The parts of something long, asked one after the other, so that others get their turn between two of them. */
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

/** Rows of a slice of something long. */
export const SLICE_ROWS = 256
