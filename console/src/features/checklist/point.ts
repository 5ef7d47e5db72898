/** A point of a checklist: what is missing, what happens because of it, and where the user can add it. */
import type { AnswerOf } from '../../api/api.ts'
import type { ActionName } from '../../api/me.ts'
import type { CHECKLIST_EN } from './texts-en.ts'

export type Checklist = AnswerOf<'GET', '/checklist'>
export type Point = Pick<Checklist['points'][number], 'point' | 'state' | 'about'>
type Name = Point['point']
type Texts = typeof CHECKLIST_EN

/** A point as the user reads it. */
export interface ShownPoint {
  readonly name: string
  readonly state: Point['state']
  readonly effect: string
  readonly mend: Mend | null
}

interface Mend {
  readonly label: string
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

interface Place {
  /** What adds it. */
  readonly needs: ActionName
  /** A tab of the account. */
  readonly tab?: string
  /** Where there is no account, or no such tab. */
  readonly page?: string
  /** The dialog that opens there. */
  readonly open?: string
}

const PLACES: Readonly<Record<Name, Place>> = {
  carrier: { needs: 'setCarrier', page: '/carriers', open: 'carrier' },
  route: { needs: 'setRoute', page: '/routes', open: 'route' },
  account: { needs: 'createAccount', page: '/accounts/new' },
  price: { needs: 'setPrice', tab: 'prices', page: '/prices', open: 'price' },
  sender: { needs: 'requestSender', tab: 'senders', open: 'sender' },
  destination: { needs: 'changeAccount', tab: 'guards' },
  balance: { needs: 'topUp', tab: 'ledger', open: 'top-up' },
  limit: { needs: 'changeAccount', tab: 'guards' },
  key: { needs: 'issueKey', tab: 'keys', open: 'key' },
  message: { needs: 'sendMessage', page: '/compose' },
  countries: { needs: 'setPrice', tab: 'prices', open: 'price' },
  hook: { needs: 'changeAccount', tab: 'hooks' },
  'spending limit': { needs: 'changeAccount', tab: 'guards' },
}

/** What only the operator adds: users of an account see it as one point. */
const OF_OPERATORS: readonly Name[] = ['carrier', 'route', 'price']

interface Reader {
  readonly account: number | null
  readonly isClient: boolean
  readonly may: (action: ActionName) => boolean
}

export function shownPoints(points: readonly Point[], texts: Texts, reader: Reader): readonly ShownPoint[] {
  if (!reader.isClient) return points.map((point) => shownPoint(point, texts, reader))
  const ofOperators = points.filter(({ point }) => OF_OPERATORS.includes(point))
  const isOpen = ofOperators.some(({ state }) => state === 'missing')
  const { connection: name, setUp: effect, effects } = texts.ofClients
  const own = points.filter(({ point, state }) => !OF_OPERATORS.includes(point) && !isOperatorsAdvice(point, state))
  const state = isOpen ? 'missing' : 'done'
  return [
    ...(ofOperators.length === 0 ? [] : [{ name, state, effect, mend: null } as const]),
    ...own.map((point) => shownPoint(point, { ...texts, effects: { ...texts.effects, ...effects } }, reader)),
  ]
}

/** Limits are set by the operator. */
function isOperatorsAdvice(point: Name, state: Point['state']): boolean {
  return point === 'spending limit' && state !== 'missing'
}

function shownPoint({ point, state, about }: Point, texts: Texts, reader: Reader): ShownPoint {
  return {
    name: texts.points[point],
    state,
    effect: effectOf(point, about, texts),
    mend: mendOf(point, about, texts, reader),
  }
}

/** Returns the names of what a channel lacks. */
export function lacksOf(lacks: readonly Pick<Point, 'point'>[], texts: Texts, isClient: boolean): readonly string[] {
  const names = lacks.map(({ point }) =>
    isClient && OF_OPERATORS.includes(point) ? texts.ofClients.connection : texts.points[point],
  )
  return [...new Set(names)]
}

function effectOf(point: Name, about: string | null, texts: Texts): string {
  if (about === null) return texts.effects[point]
  if (point === 'carrier') return texts.notNow(about)
  return point === 'account' ? texts.isNotActive(about) : `${texts.effects[point]} (${about})`
}

function mendOf(point: Name, about: string | null, texts: Texts, { account, may }: Reader): Mend | null {
  const { needs, tab, page, open } = PLACES[point]
  if (!may(needs)) return null
  // What is there already is only shown.
  if (about !== null && point === 'carrier') return { label: texts.show, to: `/carriers/${encodeURIComponent(about)}` }
  if (about !== null && point === 'account') return { label: texts.show, to: `/accounts/${account}` }
  const label = point === 'sender' && !may('approveSender') ? texts.ofClients.requestSender : texts.mend[point]
  const dialog = open === undefined ? {} : { open }
  if (account !== null && tab !== undefined) return { label, to: `/accounts/${account}`, search: { tab, ...dialog } }
  if (page === undefined) return null
  return { label, to: page, search: page === '/compose' && account !== null ? { account: String(account) } : dialog }
}
