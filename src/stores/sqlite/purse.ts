/**
 * The pots of the accounts that a transaction touches: read once, moved in memory, written once before the commit.
 * Never lets a pot of the account's own money go below zero, whatever is asked.
 */
import type { DatabaseSync } from 'node:sqlite'
import { MOVES, type PostingKind, type Pots } from '../../domain/ledger.ts'
import { Statement } from './statement.ts'

/** paid, available, held, earned. */
type PotsRow = [paid: number, available: number, held: number, earned: number]

const PLACE = { paid: 0, available: 1, held: 2, earned: 3 } as const

export class Purse {
  readonly #select: Statement<PotsRow>
  readonly #update: Statement
  readonly #post: Statement
  readonly #pots = new Map<number, PotsRow>()
  readonly #moved = new Set<number>()

  constructor(database: DatabaseSync) {
    this.#select = new Statement(database, 'SELECT paid, available, held, earned FROM pots WHERE account_id = ?')
    this.#update = new Statement(
      database,
      'UPDATE pots SET paid = ?, available = ?, held = ?, earned = ? WHERE account_id = ?',
    )
    this.#post = new Statement(
      database,
      'INSERT INTO posting (account_id, msg_id, kind, amount_micros, at) VALUES (?, ?, ?, ?, ?)',
    )
  }

  /** Null for an account that does not exist. */
  potsOf(accountId: number): Pots | null {
    const pots = this.#find(accountId)
    return pots === undefined ? null : ({ paid: pots[0], available: pots[1], held: pots[2], earned: pots[3] } as Pots)
  }

  available(accountId: number): number {
    return this.#present(accountId)[PLACE.available]
  }

  /** Moves the money and appends the posting. Throws when the money is not there: callers ask before. */
  move(kind: PostingKind, accountId: number, msgId: number | null, amountMicros: number, at: number): void {
    const pots = this.#present(accountId)
    const [from, to] = MOVES[kind]
    if (from !== 'paid' && pots[PLACE[from]] < amountMicros) {
      throw new RangeError(`account ${accountId} has not enough money ${from} for a ${kind}`)
    }
    this.#post.run(accountId, msgId, kind, amountMicros, at)
    pots[PLACE[from]] -= amountMicros
    pots[PLACE[to]] += amountMicros
    this.#moved.add(accountId)
  }

  /** Writes what was moved. The last thing before a commit, and before anything that reads the table itself. */
  flush(): void {
    for (const accountId of this.#moved) this.#update.run(...this.#present(accountId), accountId)
    this.#moved.clear()
  }

  /** Forgets everything: another process may change the pots between two transactions. */
  forget(): void {
    this.#pots.clear()
    this.#moved.clear()
  }

  #present(accountId: number): PotsRow {
    const pots = this.#find(accountId)
    if (pots === undefined) throw new RangeError(`there is no account ${accountId}`)
    return pots
  }

  #find(accountId: number): PotsRow | undefined {
    const known = this.#pots.get(accountId)
    if (known !== undefined) return known
    const pots = this.#select.first(accountId)
    if (pots !== undefined) this.#pots.set(accountId, pots)
    return pots
  }
}
