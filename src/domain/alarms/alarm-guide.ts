/** What each kind of alarm means for messages, what an operator does, and which page of the console shows it. */
import type { Alarm, AlarmKind } from './alarm.ts'

interface Guide {
  /** In one sentence; an alarm that knows more has its own. */
  readonly effect: string
  readonly action: string
  /** Below /console, of the subject. */
  readonly page: (subject: string) => string
}

/** After the id of the carrier, with an operator or without. */
const IN_COUNTRY = / in [A-Z]{2}(, operator \d+)?$/
const carrierPage = (subject: string) => `/carriers/${encodeURIComponent(subject)}`
const accountPage = (subject: string, tab: string) => `/accounts/${subject.replace('account ', '')}?tab=${tab}`

const GUIDES: Readonly<Record<AlarmKind, Guide>> = {
  carrier_down: {
    effect: 'Its messages wait, or take other routes, until their lifetime ends.',
    action: 'Check its settings and the network, then ask the carrier; drain it if it stays away.',
    page: carrierPage,
  },
  carrier_failing: {
    effect: 'Messages prefer other carriers.',
    action: 'Compare its rate with the agreed throughput, and lower that if it asks to slow down.',
    page: carrierPage,
  },
  delivery_share: {
    effect: 'Fewer messages reach their recipients, or their receipts are missing.',
    action: 'Compare carriers and statuses, change the routes, and ask the carrier.',
    page: (subject) =>
      subject.startsWith('carrier ') ? carrierPage(subject.slice('carrier '.length)) : '/statistics?by=operator',
  },
  hook_stopped: {
    effect: 'The client gets no reports at these hooks.',
    action: 'Ask the client, then resume the hook and send the reports again.',
    page: (subject) => accountPage(subject, 'hooks'),
  },
  queue_old: {
    effect: 'What is due is not sent.',
    action: 'Look at the gateways and their logs: does one deliver, and is it busy?',
    page: () => '/system',
  },
  balance_low: {
    effect: 'Messages are refused once the money is used up.',
    action: 'Top up the account when it pays; if it is a carrier, pay the carrier.',
    page: (subject) =>
      subject.startsWith('carrier ') ? carrierPage(subject.slice('carrier '.length)) : accountPage(subject, 'ledger'),
  },
  pumping: {
    effect: 'An attacker may earn money with messages that an account pays for.',
    action: 'Look at the traffic, then allow or block it.',
    page: () => '/alarms?tab=traffic',
  },
  ledger_discrepancy: {
    effect: 'Balances may be wrong.',
    action: 'Run posthorn ledger verify, and correct nothing before the cause is known.',
    page: () => '/alarms',
  },
  disk_full: {
    effect: 'Once the disk is full, requests are refused; nothing is lost.',
    action: 'Free space, enlarge the disk, or keep data for a shorter time.',
    page: () => '/system',
  },
  keyword_lost: {
    effect: 'Recipients who have opted out may still get messages.',
    action: 'Find their messages, opt them out, and mend the number of the sender or the account.',
    page: carrierPage,
  },
  check_failed: {
    effect: 'Receipts of the carrier may not be true.',
    action: 'Compare the check with its message, and ask the carrier.',
    page: (subject) => carrierPage(subject.replace(IN_COUNTRY, '')),
  },
  carrier_demoted: {
    effect: 'Its messages there take other carriers.',
    action: 'Compare its statuses there with those of others, and ask the carrier.',
    page: (subject) => carrierPage(subject.replace(IN_COUNTRY, '')),
  },
}

export interface AlarmGuide {
  readonly effect: string
  readonly action: string
  /** Path of the console. */
  readonly page: string
}

export function guideOf({ kind, subject, effect }: Pick<Alarm, 'kind' | 'subject' | 'effect'>): AlarmGuide {
  const { page, ...guide } = GUIDES[kind]
  return { ...guide, effect: effect ?? guide.effect, page: `/console${page(subject)}` }
}
