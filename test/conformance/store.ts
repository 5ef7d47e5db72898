/** The tests that every store must pass. A store's own test calls this with a way to install it. */
import { describe } from 'vitest'
import { describeAccepting } from './store/accepting.ts'
import { describeAccountInbound } from './store/account-inbound.ts'
import { describeAlarms } from './store/alarms.ts'
import { describeBook } from './store/book.ts'
import { describeBulks } from './store/bulks.ts'
import { describeCalls } from './store/calls.ts'
import { describeCarrierUsers } from './store/carrier-users.ts'
import { describeClaims } from './store/claims.ts'
import { describeClientHooks } from './store/client-hooks.ts'
import { describeClientLogins } from './store/client-logins.ts'
import { describeEventFeed } from './store/event-feed.ts'
import { describeFailingHooks } from './store/failing-hooks.ts'
import { describeForgetting } from './store/forgetting.ts'
import { describeGoneHooks } from './store/gone-hooks.ts'
import { describeGuards } from './store/guards.ts'
import { describeHookAddresses } from './store/hook-addresses.ts'
import { describeInbound } from './store/inbound.ts'
import { describeKeptAnswers } from './store/kept-answers.ts'
import { describeKeys } from './store/keys.ts'
import { describeLedger } from './store/ledger.ts'
import { describeLinks } from './store/links.ts'
import { describeLogins } from './store/logins.ts'
import { describeLongMessages } from './store/long-messages.ts'
import { describeLookups } from './store/lookups.ts'
import { describeLowBalance } from './store/low-balance.ts'
import { describeMessageStatistics } from './store/message-statistics.ts'
import { describeMessagesByName } from './store/messages-by-name.ts'
import { describePages } from './store/pages.ts'
import { describeQuality } from './store/quality.ts'
import { describeReceipts } from './store/receipts.ts'
import { describeRecords } from './store/records.ts'
import { describeReplays } from './store/replays.ts'
import { describeReports } from './store/reports.ts'
import { describeRetention } from './store/retention.ts'
import { describeSealing } from './store/sealing.ts'
import { describeSetUp } from './store/set-up.ts'
import type { Install } from './store/store-story.ts'
import { describeSweeping } from './store/sweeping.ts'
import { describeTariffs } from './store/tariffs.ts'
import { describeTemplates } from './store/templates.ts'
import { describeTurns } from './store/turns.ts'
import { describeUsage } from './store/usage.ts'

const CHAPTERS = {
  accepting: describeAccepting,
  templates: describeTemplates,
  turns: describeTurns,
  receipts: describeReceipts,
  inbound: describeInbound,
  accountInbound: describeAccountInbound,
  guards: describeGuards,
  alarms: describeAlarms,
  usage: describeUsage,
  quality: describeQuality,
  keptAnswers: describeKeptAnswers,
  calls: describeCalls,
  messageStatistics: describeMessageStatistics,
  carrierUsers: describeCarrierUsers,
  claims: describeClaims,
  reports: describeReports,
  'gone hooks': describeGoneHooks,
  'failing hooks': describeFailingHooks,
  eventFeed: describeEventFeed,
  clientHooks: describeClientHooks,
  replays: describeReplays,
  links: describeLinks,
  messagesByName: describeMessagesByName,
  setUp: describeSetUp,
  keys: describeKeys,
  clientLogins: describeClientLogins,
  tariffs: describeTariffs,
  records: describeRecords,
  logins: describeLogins,
  longMessages: describeLongMessages,
  pages: describePages,
  ledger: describeLedger,
  book: describeBook,
  lookups: describeLookups,
  bulks: describeBulks,
  lowBalance: describeLowBalance,
  sweeping: describeSweeping,
  retention: describeRetention,
  forgetting: describeForgetting,
  sealing: describeSealing,
  hookAddresses: describeHookAddresses,
} as const

export type Chapter = keyof typeof CHAPTERS

const ALL = Object.keys(CHAPTERS) as Chapter[]

/** `chapters` are fewer than all only beside another test file that describes all of them for this store. */
export function describeStore(name: string, install: Install, chapters: readonly Chapter[] = ALL): void {
  describe(`${name}, as every store`, () => {
    // Each apart, for what a chapter does before its stories is not for the stories of others.
    for (const chapter of chapters) describe(chapter, () => CHAPTERS[chapter](install))
  })
}
