/** The reports of one message or event: their state, their payload, and sending one of them again. */
import Type from 'typebox'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { isFeed } from '../../../domain/reports/event-feed.ts'
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import type { TracedReport } from '../../../ports/records/pending-report.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { RESENDERS } from '../endpoint/hook-address.ts'
import { OWN_MESSAGE } from '../endpoint/own-message.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { PAGING, pageOf, READERS, readTimeField } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { listStoppedHooks } from './hooks.ts'
import { EVENT, REPORT_NUMBER, ShownReport, viewReport } from './report-view.ts'

/** Of one message or event, whose reports are all of one account. */
const OWN_REPORTS = {
  record: 'report',
  accountOf: async (store: Store, { message }: { readonly message: number }) => {
    const [report] = await store.reportsOf(message as MessageId)
    return report?.accountId ?? OWN_MESSAGE.accountOf(store, { message })
  },
}

export const REPORT_ENDPOINTS = [
  endpoint({
    name: 'listReports',
    method: 'GET',
    path: '/reports/{message}',
    command: 'report show',
    columns: ['number', 'type', 'address', 'state', 'failed_tries', 'tried_at', 'waits_for', 'next_at', 'detail'],
    summary: 'list the reports of a message or event, with their payloads',
    may: READERS,
    clients: { may: CLIENTS, scope: OWN_REPORTS },
    params: { message: EVENT },
    query: PAGING,
    result: pageOf(ShownReport),
    run: async ({ store }, { message, ...paging }, { role }) => {
      const id = message as MessageId
      const reports = await store.reportsOf(id)
      if (reports.length === 0 && (await store.loadMessages([id])).length === 0)
        throw new UnknownThing(unknown(message))
      return takePage(reports, paging, (report) => viewReport(report, role))
    },
  }),
  endpoint({
    name: 'resendReport',
    method: 'POST',
    path: '/reports/{message}/{number}/resend',
    command: 'report send-again',
    summary: 'send one report again now, with all retries, also one that was delivered or waits for a retry',
    may: RESENDERS,
    clients: { may: CLIENT_ADMINS, scope: OWN_REPORTS },
    params: { message: EVENT, number: REPORT_NUMBER },
    body: {
      tried_at: Type.Optional(
        Type.String({
          description:
            'the last try that the caller has seen: a delivered or failed report that was tried since is not sent again, ' +
            'so that two operators send it once',
        }),
      ),
    },
    result: ShownReport,
    hint: () => 'The next try begins now. If it fails, all retries follow, the first after 5 seconds.',
    run: async (tools, { message, number, tried_at: seen }, { role, account }) => {
      const id = message as MessageId
      const triedAt = readTimeField('tried_at', seen) ?? null
      const one = { messageId: id, number, accountId: account, address: null, since: null, triedAt }
      const resent = await tools.store.change({ kind: 'resend reports', ...one, pending: true, at: tools.clock.now() })
      const report = (await tools.store.reportsOf(id)).find((each) => each.number === number)
      if (report === undefined) throw new UnknownThing(`there is no report ${number} of message ${message}`)
      const isOlder = triedAt !== null && triedAt !== report.triedAt
      if (resent === 0 && !isOlder) throw new ChangeRefused(await whyNot(tools, report))
      return viewReport(report, role)
    },
  }),
]

function unknown(message: number): string {
  return `there is no message or report ${message}`
}

async function whyNot(
  { store, clock }: AdminTools,
  { state, address, accountId, body }: TracedReport,
): Promise<string> {
  if (isFeed(address)) return 'the report is in the event feed, which the client reads'
  if (state === 'pending') return 'the report waits for an earlier report of its message: send that one'
  if (body === '') return 'the payload of the report is no longer kept'
  const stops = await listStoppedHooks(store, accountId, clock.now())
  const isStopped = stops.some((stop) => stop.address === hookOf(address))
  return isStopped ? 'the hook is stopped: resume it first' : 'the client has deleted the hook'
}
