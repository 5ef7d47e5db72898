/**
 * Checks the book against itself: pots against postings, holds against open messages, each message's money against its
 * journey. Reads everything, so it belongs into a tool of its own, not into a busy gateway.
 */
import { MOVES } from '../../domain/ledger.ts'
import type { Cell } from '../rows/cell.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** No more sentences than this of each kind: a broken book is broken. */
const MOST_SENTENCES = 100

interface Check {
  /** Selects the cells of the sentence, one row for each thing that is wrong. */
  readonly sql: string
  readonly sentence: (cells: readonly Cell[]) => string
}

const CHECKS: readonly Check[] = [
  {
    sql: `SELECT account_id, paid + available + held + earned FROM pots WHERE paid + available + held + earned <> 0`,
    sentence: ([account, sum]) => `the pots of account ${account} sum to ${sum} micros instead of zero`,
  },
  {
    sql: `SELECT account_id FROM account WHERE account_id NOT IN (SELECT account_id FROM pots)`,
    sentence: ([account]) => `account ${account} has no pots`,
  },
  {
    sql: `SELECT DISTINCT account_id FROM posting WHERE account_id NOT IN (SELECT account_id FROM pots)`,
    sentence: ([account]) => `there are postings of account ${account}, which has no pots`,
  },
  ...potChecks(),
  {
    sql: `
      WITH open AS (
        SELECT account_id, sum(json_extract(journey, '$.heldMicros')) AS held
        FROM due JOIN message USING (msg_id) GROUP BY account_id
      )
      SELECT account_id, pots.held, coalesce(open.held, 0) FROM pots LEFT JOIN open USING (account_id)
      WHERE pots.held <> coalesce(open.held, 0)`,
    sentence: ([account, held, open]) =>
      `account ${account} has ${held} micros held, and its open messages hold ${open} micros`,
  },
  {
    sql: `
      WITH book AS (
        SELECT message.msg_id AS msg_id,
          coalesce(sum(amount_micros) FILTER (WHERE kind = 'hold'), 0) AS hold,
          coalesce(sum(amount_micros) FILTER (WHERE kind = 'charge'), 0) AS charge,
          coalesce(sum(amount_micros) FILTER (WHERE kind = 'release'), 0) AS release,
          json_extract(journey, '$.heldMicros') AS held,
          json_extract(journey, '$.chargedMicros') AS charged
        FROM message LEFT JOIN posting USING (msg_id) GROUP BY message.msg_id
      )
      SELECT * FROM book WHERE hold <> charge + release + held OR charge <> charged`,
    sentence: ([message, hold, charge, release, held, charged]) =>
      `message ${message} held ${hold} micros, was charged ${charge} and released ${release}, ` +
      `but its journey says ${held} held and ${charged} charged`,
  },
  {
    sql: `SELECT msg_id FROM posting WHERE msg_id IS NOT NULL AND msg_id NOT IN (SELECT msg_id FROM message)`,
    sentence: ([message]) => `there is a posting of message ${message}, which does not exist`,
  },
  {
    sql: `
      SELECT msg_id, json_extract(journey, '$.phase') FROM message
      WHERE (json_extract(journey, '$.phase') = 'ended') = (msg_id IN (SELECT msg_id FROM due))`,
    sentence: ([message, phase]) =>
      `message ${message} is ${phase} and ${phase === 'ended' ? 'still due' : 'will never be due'}`,
  },
]

/** The sentences; none when the book is right. */
export function verifyLedger({ database, purse }: Session): () => string[] {
  return () => {
    purse.flush()
    return CHECKS.flatMap(({ sql, sentence }) =>
      new Statement(database, `SELECT * FROM (${sql}) LIMIT ${MOST_SENTENCES}`).all().map(sentence),
    )
  }
}

/** Each pot equals what the postings moved into it less what they moved out of it. */
function potChecks(): Check[] {
  return ['paid', 'available', 'held', 'earned'].map((pot) => {
    const signs = Object.entries(MOVES).map(([kind, [from, to]]) => {
      return `WHEN '${kind}' THEN ${pot === to ? 1 : pot === from ? -1 : 0}`
    })
    return {
      sql: `
        WITH book AS (
          SELECT account_id, sum(amount_micros * CASE kind ${signs.join(' ')} END) AS amount
          FROM posting GROUP BY account_id
        )
        SELECT account_id, ${pot}, coalesce(amount, 0) FROM pots LEFT JOIN book USING (account_id)
        WHERE ${pot} <> coalesce(amount, 0)`,
      sentence: ([account, inPot, posted]) =>
        `account ${account} has ${inPot} micros ${pot}, and its postings make ${posted} micros`,
    }
  })
}
