/** All that is known of one message, read in one go. */
import { bucketOfMessage, type MessageId } from '../../domain/message-id.ts'
import type { Trace } from '../../ports/trace.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from '../rows/cell.ts'
import { POSTING_COLUMNS, readPosting } from '../rows/posting-row.ts'
import type { Link } from './link.ts'
import { loadMessages } from './message-statements.ts'
import { inBucket } from './statement.ts'

const EVENTS = inBucket(
  'SELECT at, kind, step, carrier_id, detail FROM event WHERE bucket = $1 AND msg_id = $2 ORDER BY version, number',
)
const POSTINGS = inBucket(
  `SELECT ${POSTING_COLUMNS} FROM posting WHERE bucket = $1 AND msg_id = $2 ORDER BY posting_id`,
)
const REPORTS = inBucket(
  `SELECT msg_id, number, account_id, address, body, tries, created_at, state, detail, tried_at
   FROM report WHERE bucket = $1 AND msg_id = $2 ORDER BY number`,
)
const LINKS = inBucket(
  'SELECT code, msg_id, url, expires_at, people, robots FROM link WHERE bucket = $1 AND msg_id = $2 ORDER BY code',
)

export async function trace(link: Link, vault: Vault, id: MessageId): Promise<Trace | null> {
  const bucket = bucketOfMessage(id)
  const [[message], timeline, postings, reports, links] = await Promise.all([
    loadMessages(link, vault, [id]),
    link.ask(EVENTS, bucket, id),
    link.ask(POSTINGS, bucket, id),
    link.ask(REPORTS, bucket, id),
    link.ask(LINKS, bucket, id),
  ])
  if (message === undefined) return null
  return {
    message,
    timeline: timeline.map(named('at', 'kind', 'step', 'carrierId', 'detail')),
    postings: postings.map(readPosting),
    reports: reports
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
    links: links.map(named('code', 'messageId', 'url', 'expiresAt', 'people', 'robots')).map(opened('url', vault)),
  } as unknown as Trace
}

/** Makes objects of rows by naming their cells. */
function named(...names: readonly string[]): (row: readonly Cell[]) => Readonly<Record<string, unknown>> {
  return (row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))
}

function opened(name: string, vault: Vault): (row: Readonly<Record<string, unknown>>) => object {
  return (row) => ({ ...row, [name]: vault.openText(String(row[name])) })
}
