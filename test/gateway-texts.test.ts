/** Texts of the gateway in German: the catalog has all that the console shows, and no others. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CATALOG_DE } from '../console/src/texts/gateway/catalog-de.ts'
import { countryNames } from '../console/src/texts/gateway/country-names.ts'
import { inForms, makeTranslator } from '../console/src/texts/gateway/translator.ts'
import { limitReached } from '../src/contract/request/error-texts.ts'
import {
  balanceConditions,
  carrierConditions,
  hookConditions,
  keywordConditions,
  trafficConditions,
} from '../src/domain/alarms/alarm-conditions.ts'
import { toAccountId } from '../src/domain/ids/account-id.ts'
import type { Amount } from '../src/domain/money/ledger.ts'
import { toMicros } from '../src/domain/money/money.ts'
import { RouteTable } from '../src/domain/routing/route.ts'
import { ruleOf, wholeNumber } from '../src/domain/text/schema-rule.ts'
import { refuseRole } from '../src/operations/admin/endpoint/admin-problem.ts'
import { findTexts } from './support/gateway-texts.ts'

/** Drivers of carriers are not among them: their settings and errors have the words of the carrier. */
const FOLDERS = [
  ...['admin', 'bulk', 'links', 'lookup', 'read', 'request', 'send', 'verify'].map((name) => `src/operations/${name}`),
  ...['src/carriers/shared', 'src/contract', 'src/domain/alarms', 'src/domain/routing', 'src/domain/text'],
  ...['src/domain/accounts', 'src/http/admin', 'src/stores/changes'],
]
/** What takes a text for an error, and in which argument. */
const SINKS = {
  ...{
    AdminProblem: 1,
    ChangeRefused: 0,
    FieldRefused: 1,
    checkField: 2,
    ItemRefused: 0,
    Refused: 0,
    Unreadable: 0,
    WrongSetting: 1,
  },
  ...{ textOf: 1, item: 0, orRefuse: 0 },
}
const FIELDS = ['action', 'detail', 'doubt', 'effect', 'endReason', 'lastError', 'reason', 'rule']
const FUNCTIONS = [
  'notATime',
  'lacksItsOffset',
  'noSuchTime',
  'ignored',
  'moreIgnored',
  'senderWarning',
  'waitsBecause',
]

/** The console sends no request that they answer. */
const OF_PROGRAMS = /^(?:Idempotency-Key|data: |send one JSON-RPC|The (?:JSON|body) |hook: )/
/** The console has words of its own for effects of a checklist, and patterns for a timeline (phrases.test.ts). */
const SOURCES_OF_OTHERS = ['checklist-endpoints.ts', 'trace-message.ts']
/** What only looks like a text, and what is the same in German. */
const NO_TEXTS = [
  ...['{} parts', 'send now', 'not stopped', 'HTTP {}', '{}{}; to do it anyway, add --confirm (confirm: true)'],
  'the range  must go from a number to a higher one of the same length',
]

/** Of constants that have the same name. */
const JUMBLED = /\bgets? keywords? without effect\b/
/** What only English texts have: a value has taken some of the text. */
const ENGLISH = /(?<![<-])\b(?:and|are|did|has|is|must|of|or|such|that|the|to|where|which|with|without|you)\b/

const found = findTexts(FOLDERS, { sinks: SINKS, fields: FIELDS, functions: FUNCTIONS })
const german = makeTranslator({ ...countryNames('de'), ...CATALOG_DE })

const ACCOUNT = toAccountId(7)
const STOP = { accountId: ACCOUNT, stopped: true, test: false, changedAt: 5 }
const STOPS = ['https://a.example/x', 'https://b.example/y'].map((address) => ({ ...STOP, address }))
const TRAFFIC = {
  accountId: null,
  kind: 'messages',
  prefix: '371',
  raisedAt: 5,
  seen: 90,
  usual: 3,
  until: null,
} as const
const LOST = { carrierId: 'acme', reason: 'its sender is no phone number or user id' }
const ROUTE = {
  channel: 'sms',
  accountId: null,
  sender: null,
  operators: null,
  carrierId: 'acme',
  poolId: null,
} as const
const AWAY = { id: 'acme', up: false, draining: false, lastError: 'not bound', degraded: null, waiting: 12 }

function carrierAlarm(prefixes: readonly string[], holds: readonly Amount[] = []) {
  const routes = prefixes.map((prefix) => ({ ...ROUTE, prefix, priority: 1, weight: 1 }))
  const [alarm] = carrierConditions([AWAY], {
    where: 'gateway 2: ',
    routes: new RouteTable(routes),
    holdsFor: () => holds,
  })
  return { detail: alarm?.detail ?? '', effect: alarm?.effect ?? '' }
}

function lowBalance(creditLimit: number): string {
  const amounts = { availableMicros: toMicros(5_000_000), thresholdMicros: toMicros(9_000_000) }
  const low = { accountId: ACCOUNT, ...amounts, creditLimitMicros: toMicros(creditLimit) }
  return balanceConditions([low], () => 'EUR')[0]?.effect ?? ''
}

function only(alarms: readonly { readonly detail: string }[]): string {
  return alarms.map(({ detail }) => detail).join()
}

/** Without places for values. */
function asTarget(key: string): string {
  return key.replaceAll('{', '(')
}

/** What the gateway puts together of several texts. */
const JOINED: readonly (readonly [text: string, german: string])[] = [
  [
    only(hookConditions(STOPS.slice(0, 1))),
    'Ein Hook, der mit 410 antwortete, erhält keine Berichte, zuletzt bei a.example',
  ],
  [only(hookConditions(STOPS)), '2 Hooks, die mit 410 antworteten, erhalten keine Berichte, zuletzt bei a.example'],
  [
    only(hookConditions([1, 2].map(() => ({ ...STOP, address: '' })))),
    '2 Hooks, die mit 410 antworteten, erhalten keine Berichte, zuletzt bei einem unbekannten Host',
  ],
  [
    only(trafficConditions([{ ...TRAFFIC, state: 'raised' }], 9)),
    '90 in fünf Minuten, sonst 3; der Verkehr ist nicht gestoppt',
  ],
  [
    only(trafficConditions([{ ...TRAFFIC, state: 'stopped' }], 9)),
    '90 in fünf Minuten, sonst 3; der Verkehr ist gestoppt',
  ],
  [
    only(keywordConditions([{ ...LOST, count: 1 }], '')),
    '1 Schlüsselwort ohne Wirkung, das letzte, weil sein Absender keine Telefonnummer oder Benutzerkennung ist',
  ],
  [
    only(keywordConditions([{ ...LOST, count: 2 }], '')),
    '2 Schlüsselwörter ohne Wirkung, das letzte, weil sein Absender keine Telefonnummer oder Benutzerkennung ist',
  ],
  [carrierAlarm([]).detail, 'gateway 2: Keine Verbindung: nicht verbunden'],
  [carrierAlarm([]).effect, 'Keine Route führt dorthin, keine Nachricht ist betroffen'],
  [
    carrierAlarm(['49', '43']).effect,
    'SMS (Deutschland, Österreich): 12 warten hier; kein anderer Carrier hat eine Route dorthin, also warten sie bis zum Ende ihrer Frist',
  ],
  [
    carrierAlarm(['']).effect,
    'SMS (alle Nummern): 12 warten hier; kein anderer Carrier hat eine Route dorthin, also warten sie bis zum Ende ihrer Frist',
  ],
  [
    carrierAlarm(['49'], [{ micros: toMicros(600_000), currency: 'EUR' }]).effect,
    'SMS (Deutschland): 12 warten hier; für sie sind €0.60 reserviert; kein anderer Carrier hat eine Route dorthin, also warten sie bis zum Ende ihrer Frist',
  ],
  [lowBalance(0), 'Es kann noch €5.00 ausgeben; dann werden seine Nachrichten abgelehnt.'],
  [
    lowBalance(2_000_000),
    'Mit seinem Kreditrahmen kann es noch €7.00 ausgeben; dann werden seine Nachrichten abgelehnt.',
  ],
  [ruleOf({ type: 'array', maxItems: 3 }), 'eine Liste mit höchstens 3 Einträgen'],
  [
    refuseRole('finance', 'change accounts', ['owner', 'operator', 'support']),
    'Die Rolle Finanzen darf das nicht; es darf: Inhaber, Betreiber und Support',
  ],
  [limitReached('phone', 'messages'), 'Zu viele Nachrichten an diese Nummer, versuchen Sie es später noch einmal'],
  [limitReached('country', 'messages'), 'Zu viele Nachrichten in dieses Land, versuchen Sie es später noch einmal'],
  [
    limitReached('prefix', 'messages'),
    'Zu viele Nachrichten an Nummern wie diese, versuchen Sie es später noch einmal',
  ],
]

describe('the German catalog', () => {
  test('has each text that an error of the admin API, an alarm or a state may be', () => {
    const missing = [...found].filter(([text, path]) => {
      if (
        OF_PROGRAMS.test(text) ||
        NO_TEXTS.includes(text) ||
        JUMBLED.test(text) ||
        SOURCES_OF_OTHERS.includes(basename(path))
      )
        return false
      // A value may itself be a text of the catalog; the name of a gateway stands before a text.
      const shown = german(inForms(text.replace(/^\{\}(?=[a-z])/, '{}: ')).replaceAll('{}', 'required'))
      return shown === null || ENGLISH.test(shown)
    })
    expect(found.size).toBeGreaterThan(500)
    expect(missing.map(([text, path]) => `${path}: ${text}`)).toEqual([])
  })

  test('has no text that the gateway does not write', () => {
    const sources = ['src', 'console/src/api']
      .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
    const written = new Set([...found.keys()].map(inForms))
    const isWritten = (part: string) => part.trim().length < 5 || sources.includes(part.trim())
    // The key instead of its German text.
    const keyOf = makeTranslator(Object.fromEntries(Object.keys(CATALOG_DE).map((key) => [key, asTarget(key)])))
    const joined = new Set(JOINED.map(([text]) => keyOf(text)))
    const unknown = Object.keys(CATALOG_DE).filter(
      (key) =>
        !written.has(key.replaceAll('{…}', '{}')) &&
        !key.split(/[{}…:;,?]+/).every(isWritten) &&
        !joined.has(asTarget(key)),
    )
    expect(unknown).toEqual([])
  })

  test.each(JOINED)('has %j', (text, expected) => expect(german(text)).toBe(expected))

  test.each([
    [
      'of a field',
      `phone: must be ${ruleOf(wholeNumber(1, 10_000))}`,
      'phone: muss eine ganze Zahl von 1 bis 10000 sein',
    ],
    ['of a choice', inForms('must be one of day, month or null'), 'muss einer dieser Werte oder leer sein: day, month'],
    [
      'of speed',
      '12 % of 210 deliveries within 30 s, others at least 90 % within 10 s',
      '12 % von 210 Zustellungen binnen 30 s, andere mindestens 90 % binnen 10 s',
    ],
    ['in a line', 'line 7: the country is unknown', 'Zeile 7: Das Land ist unbekannt'],
    [
      'with a name that is a text itself',
      'there is an account named required already',
      'Es gibt schon ein Konto namens required',
    ],
    ['of two', 'host: required; port: unknown field', 'host: ist erforderlich; port: ist kein bekanntes Feld'],
  ])('reads a text %s', (_, text, expected) => expect(german(text)).toBe(expected))

  test.each(['acme: bind refused by us', 'required or so', 'required '.repeat(9_000)])(
    'leaves %# to its writer',
    (text) => expect(german(text)).toBeNull(),
  )
})
