/** All that is known of one message, read in one go. */
import type { MessageId } from '../../domain/message-id.ts'
import type { Trace } from '../../ports/trace.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from '../rows/cell.ts'
import type { MessageRow } from '../rows/message-row.ts'
import { POSTING_COLUMNS, readPosting } from '../rows/posting-row.ts'
import { loadMessages } from './claim-due.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** A Trace with its message still a row. */
export interface TraceRows extends Omit<Trace, 'message'> {
  readonly message: MessageRow
}

export function trace(session: Session): (id: MessageId) => TraceRows | null {
  const { database, vault } = session
  const load = loadMessages(session)
  const events = new Statement(
    database,
    'SELECT at, kind, step, carrier_id, detail FROM event WHERE msg_id = ? ORDER BY version, number',
  )
  const postings = new Statement(
    database,
    `SELECT ${POSTING_COLUMNS} FROM posting WHERE msg_id = ? ORDER BY posting_id`,
  )
  const reports = new Statement(
    database,
    `SELECT msg_id, number, account_id, address, body, tries, created_at, state, detail, tried_at
     FROM report WHERE msg_id = ? ORDER BY number`,
  )
  const links = new Statement(
    database,
    'SELECT code, msg_id, url, expires_at, people, robots FROM link WHERE msg_id = ? ORDER BY code',
  )
  return (id) => {
    const [message] = load([id])
    if (message === undefined) return null
    return {
      message,
      timeline: events.all(id).map(named('at', 'kind', 'step', 'carrierId', 'detail')),
      postings: postings.all(id).map(readPosting),
      reports: reports
        .all(id)
        .map(
          named(
            'messageId',
            'number',
            'accountId',
            'address',
            'body',
            'tries',
            'createdAt',
            'state',
            'detail',
            'triedAt',
          ),
        )
        .map(opened('body', vault)),
      links: links
        .all(id)
        .map(named('code', 'messageId', 'url', 'expiresAt', 'people', 'robots'))
        .map(opened('url', vault)),
    } as unknown as TraceRows
  }
}

/** Makes objects of rows by naming their cells. */
function named(...names: readonly string[]): (row: readonly Cell[]) => Readonly<Record<string, unknown>> {
  return (row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))
}

function opened(name: string, vault: Vault): (row: Readonly<Record<string, unknown>>) => object {
  return (row) => ({ ...row, [name]: vault.openText(String(row[name])) })
}
