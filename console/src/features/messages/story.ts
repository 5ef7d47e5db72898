/** The entries of a message's timeline as they are shown: titles, tones, fallbacks. */
import type { Formats } from '../../texts/make-formats.ts'
import { isOfStep, readSteps, type Trace, type TraceEvent } from './message-facts.ts'
import { channelName, type MessageTexts } from './message-texts.ts'
import { translateDetail } from './phrases.ts'

export type StoryTone = 'good' | 'bad' | 'warn' | 'plain' | 'quiet'
export type StoryKind = 'message' | 'fallback' | 'money' | 'report' | 'link'

export interface StoryEntry {
  readonly key: string
  /** RFC 3339. */
  readonly at: string
  readonly kind: StoryKind
  readonly tone: StoryTone
  readonly title: string
  readonly carrier: string | null
  /** In the words of the carrier or ours; empty for none. */
  readonly detail: string
}

type Line = Pick<StoryEntry, 'kind' | 'tone' | 'title'> & { readonly detail?: string }

interface StoryTools {
  readonly texts: MessageTexts
  readonly formats: Formats
}

/** Returns the entries ordered by time, the earliest first. */
export function storyOf(trace: Trace, { texts, formats }: StoryTools): readonly StoryEntry[] {
  const entries = trace.timeline.map((event, index) => {
    const line = lineOf(event, trace, { texts, formats })
    const key = `${event.at} ${event.component} ${event.event} ${index}`
    const detail = translateDetail(event.detail, { details: texts.details, formats })
    return { event, entry: { detail, ...line, key, at: event.at, carrier: event.carrier ?? null } }
  })
  const story = entries.map(({ entry }) => entry)
  // A fallback goes before the first event of the step that it leads to.
  for (const { channel, startAt } of readSteps(trace).slice(1).toReversed()) {
    const place = entries.findIndex(({ event }) => isOfStep(event, channel))
    const title = texts.story.fallback(texts.explain.channels[channel] ?? channel)
    const at = new Date(startAt).toISOString()
    const fallback: StoryEntry = {
      key: `to ${channel}`,
      at,
      kind: 'fallback',
      tone: 'warn',
      title,
      carrier: null,
      detail: '',
    }
    if (place === -1) story.push(fallback)
    else story.splice(place, 0, fallback)
  }
  return story
}

function lineOf(event: TraceEvent, trace: Trace, { texts, formats }: StoryTools): Line {
  const { story } = texts
  if (event.component === 'money') return moneyLine(event, { texts, formats })
  if (event.component === 'report') return reportLine(event, story)
  if (event.component === 'link') {
    return { kind: 'link', tone: 'plain', title: event.event === 'clicked' ? story.clicked : story.linkMade }
  }
  if (['client', 'operator'].includes(event.component) && event.event === 'accepted') {
    const plan = trace.steps.map(({ channel }) => channelName(texts, channel)).join(' → ')
    const title = event.component === 'operator' ? story.tested : story.requested
    return { kind: 'message', tone: 'plain', title, detail: story.plan(plan) }
  }
  return stepLine(event, texts)
}

/** Titles of what happens to a step: the name of the text, and its tone. */
const STEP_LINES = {
  taken: ['taken', 'plain'],
  accepted: ['accepted', 'plain'],
  delivered: ['delivered', 'good'],
  read: ['read', 'good'],
  answered: ['answered', 'good'],
  unanswered: ['unanswered', 'plain'],
  refused: ['refused', 'bad'],
  failed: ['failed', 'bad'],
  'no route': ['noRoute', 'bad'],
  filtered: ['filtered', 'bad'],
  unreachable: ['unreachable', 'warn'],
  unclear: ['unclear', 'warn'],
  slow: ['slow', 'warn'],
  expired: ['expired', 'warn'],
  postponed: ['postponed', 'plain'],
  resumed: ['resumed', 'plain'],
  late: ['late', 'quiet'],
  revoked: ['revoked', 'quiet'],
} as const

const WHOLE_LINES = {
  cancelled: ['cancelled', 'warn'],
  approved: ['approved', 'good'],
  'wrong code': ['wrongCode', 'warn'],
  resent: ['resent', 'plain'],
  'opted out': ['optedOut', 'warn'],
  'opted in': ['optedIn', 'good'],
} as const

function stepLine({ event, channel, component }: TraceEvent, texts: MessageTexts): Line {
  if (event in WHOLE_LINES) {
    const [name, tone] = WHOLE_LINES[event as keyof typeof WHOLE_LINES]
    return { kind: 'message', tone, title: texts.story[name] }
  }
  if (event in STEP_LINES) {
    const [name, tone] = STEP_LINES[event as keyof typeof STEP_LINES]
    return { kind: 'message', tone, title: texts.story[name](channelName(texts, channel ?? component)) }
  }
  return { kind: 'message', tone: 'plain', title: event }
}

function moneyLine({ event, detail }: TraceEvent, { texts: { story }, formats }: StoryTools): Line {
  const [, number, currency] = /^(-?[\d.]+) ([A-Z]{3})$/.exec(detail) ?? []
  const amount = number === undefined || currency === undefined ? detail : formats.exactMoney(number, currency)
  const titles: Readonly<Record<string, (amount: string) => string>> = {
    hold: story.hold,
    charge: story.charge,
    release: story.release,
    refund: story.refund,
  }
  const title = titles[event]?.(amount) ?? `${event} ${amount}`
  return { kind: 'money', tone: 'quiet', title, detail: '' }
}

function reportLine({ event }: TraceEvent, story: MessageTexts['story']): Line {
  if (event === 'written') return { kind: 'report', tone: 'quiet', title: story.reportWritten }
  if (event === 'sent') return { kind: 'report', tone: 'good', title: story.reportSent }
  if (event === 'failed') return { kind: 'report', tone: 'bad', title: story.reportFailed }
  return { kind: 'report', tone: 'warn', title: story.reportTried }
}
