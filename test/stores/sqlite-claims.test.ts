/** What claims of SQLite read: the same for a backlog of a million as for none. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { pendingReplies } from '../../src/stores/commands/inbound/read-inbound.ts'
import { findQueued } from '../../src/stores/sqlite/claiming/find-queued.ts'
import { claimReports } from '../../src/stores/sqlite/reports/claim-reports.ts'
import { replayReports } from '../../src/stores/sqlite/reports/replay-reports.ts'
import { adoptDatabase } from '../../src/stores/sqlite/session/open-database.ts'
import type { Session } from '../../src/stores/sqlite/session/session.ts'
import { commandRunner } from '../../src/stores/sqlite/statement/run-command.ts'
import { roomFor } from '../support/take-from-queues.ts'

/** Runs `work` on an empty database and returns the plans of its statements. */
function plansOf(work: (session: Session) => void, rows = ''): readonly string[] {
  const database = new DatabaseSync(':memory:')
  adoptDatabase(database, 'tool')
  database.exec(rows)
  const statements = new Set<string>()
  const prepare = database.prepare.bind(database)
  database.prepare = (sql) => {
    statements.add(sql)
    return prepare(sql)
  }
  work({ database } as Session)
  const plans = [...statements].flatMap((sql) => prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
  database.close()
  return plans.map((row) => String(row['detail']))
}

test('a claim passes over the messages of a tenant by all columns of the index', () => {
  const queued = `INSERT INTO due (msg_id, node, channel, tenant, due_at) VALUES (1, 0, 'sms', 1, 0)`
  const plans = plansOf((session) => findQueued(session)({ now: 0, limit: 1, queues: roomFor() }), queued)
  // With two columns, SQLite reads the entries of the last tenant one by one to find the next.
  expect(plans).toEqual([
    'SEARCH due USING COVERING INDEX due_queued ((channel,tenant,due_at)>(?,?,?) AND channel<?)',
    'SEARCH due USING COVERING INDEX due_queued (channel=? AND tenant=?)',
  ])
})

test('a replay of failed reports reads only those that it sends again, and one of each hook', () => {
  const plans = plansOf((session) => {
    const replay = replayReports(session, commandRunner(session))
    for (const hook of [null, 'https://client.example']) replay({ accountId: toAccountId(1), hook, since: 0, at: 0 })
  })
  const found = plans.filter((detail) => detail.includes('report_to_replay') || detail.includes('B-TREE'))
  expect(found.toSorted()).toEqual([
    'SEARCH report USING INDEX report_to_replay (account_id=? AND <expr>=? AND created_at>?)',
    'SEARCH report USING INDEX report_to_replay (account_id=? AND <expr>>?)',
  ])
})

test('automatic replies of the next account are found by an index, however many are pending', () => {
  const plans = plansOf((session) => commandRunner(session)(pendingReplies({ after: null, limit: 1 })))
  expect(plans).toEqual([
    'SEARCH inbound_message USING INDEX inbound_message_to_reply (account_id=?)',
    'SCALAR SUBQUERY 1',
    'SEARCH inbound_message USING COVERING INDEX inbound_message_to_reply (account_id>?)',
  ])
})

test('the reports of a dead node become due slice by slice, beside claims, and those of this node stay', () => {
  const database = new DatabaseSync(':memory:')
  const dead = adoptDatabase(database, 'gateway').node
  const insert = database.prepare(
    `INSERT INTO report (msg_id, number, account_id, address, body, created_at, state, node, due_at, tries, detail)
     VALUES (?, 1, ?, 'https://client.example/hook', '', 0, 'pending', ?, ?, 0, '')`,
  )
  const HOUR = 3_600_000
  for (let id = 1; id <= 5_000; id += 1) insert.run(id, 1 + (id % 2), id % 10 === 0 ? dead : 0, HOUR)
  const { node } = adoptDatabase(database, 'gateway')
  expect(node).toBeGreaterThan(dead)
  insert.run(6_000, 1, node, HOUR)
  const claim = claimReports({ database, node } as Session)
  const countOf = (where: string) =>
    (database.prepare(`SELECT count(*) AS n FROM report WHERE ${where}`).get() as { n: number }).n
  const claims = Array.from({ length: 4 }, () => {
    const { nextDueAt } = claim({ now: 7, limit: 0 })
    return [countOf(`node = ${dead}`), countOf('node = 0 AND due_at = 0'), nextDueAt]
  })
  expect(claims).toEqual([
    [100, 400, 7],
    [0, 500, 7],
    [0, 500, 0],
    [0, 500, 0],
  ])
  expect(countOf(`node = ${node} AND due_at = ${HOUR}`)).toBe(1)
  database.close()
})
