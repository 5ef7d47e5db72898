/** The settings of a lookup carrier: how a service is asked about a number, and where its answer says what. */
import Type, { type StaticDecode } from 'typebox'
import { NUMBER_STATUSES } from '../../domain/numbers/number-facts.ts'
import { finder, meaningsOfStatuses, words } from '../http/places/finder.ts'
import { REQUEST } from '../http/request-settings.ts'
import { readSettings, WrongSetting } from '../shared/read-settings.ts'
import { COMMON_SETTINGS, flag, group, HTTP_LINK_SETTINGS, parsed } from '../shared/setting-kinds.ts'

export type LookupSettings = ReturnType<typeof readLookupSettings>
export type LookupAnswerSettings = StaticDecode<typeof ANSWER>

const MEANINGS = ['answered', 'invalid', 'slow', 'failed'] as const
/** What an answer is: facts, the fact that the number does not exist, a request to slow down, or useless. */
export type LookupMeaning = (typeof MEANINGS)[number]

const ANSWER = parsed(
  group(
    {
      statuses: meaningsOfStatuses(
        { '2xx': 'answered', '429': 'slow' },
        MEANINGS,
        'Meanings of HTTP statuses besides `{"2xx": "answered", "429": "slow"}`; others are `failed`.',
      ),
      error: Type.Optional(
        words(MEANINGS, 'A word that says more than the status; a word without a meaning is `failed`.'),
      ),
      mccmnc: Type.Optional(
        finder(
          'Where the operator is; required without `mcc` and `mnc`. Anything but 5 or 6 digits counts as unknown.',
        ),
      ),
      mcc: Type.Optional(finder('Where the MCC is, if the answer has it apart.')),
      mnc: Type.Optional(finder('Where the MNC is.')),
      network: Type.Optional(finder('Where the name of the operator is.')),
      country: Type.Optional(
        finder('Where the ISO 3166 code of the country is; without it the country is that of the number.'),
      ),
      ported: Type.Optional(
        finder(
          'Where it says whether the number was ported: `true`, `1`, `yes`, `y`, `ported`, or `false`, `0`, `no`, `n`, `not_ported`, `original`; anything else is unknown.',
        ),
      ),
      imsi: Type.Optional(finder('Where the IMSI is; leave it out to keep it from clients.')),
      status: Type.Optional(words(NUMBER_STATUSES, 'Where the state of the phone is; other words are `unknown`.')),
    },
    'What answers mean, and where they say what.',
  ),
  ({ mccmnc, mcc, mnc, ...given }) => ({
    statuses: given.statuses,
    error: given.error ?? null,
    /** As one value, or as MCC and MNC. */
    operator: readOperator(mccmnc, mcc, mnc),
    operatorName: given.network ?? null,
    country: given.country ?? null,
    ported: given.ported ?? null,
    imsi: given.imsi ?? null,
    status: given.status ?? null,
  }),
)

export const LOOKUP_SETTINGS = group(
  {
    request: REQUEST,
    answer: ANSWER,
    showImsi: flag('Whether clients see the whole IMSI, or its first five digits.', false),
    ...HTTP_LINK_SETTINGS,
    ...COMMON_SETTINGS,
  },
  'An HTTP service that is asked about numbers.',
  'Lookup',
)

/** @throws Error that names the invalid setting: `answer.mccmnc.path: should be …`. */
export function readLookupSettings(json: unknown) {
  return readSettings(LOOKUP_SETTINGS, json)
}

function readOperator<F>(mccmnc?: F, mcc?: F, mnc?: F): readonly F[] {
  if (mccmnc !== undefined) {
    if (mcc !== undefined || mnc !== undefined) throw new WrongSetting('mccmnc', 'should not stand beside mcc and mnc')
    return [mccmnc]
  }
  if (mcc === undefined && mnc === undefined) throw new WrongSetting('mccmnc', 'should be an object')
  if (mcc === undefined) throw new WrongSetting('mcc', 'should be an object')
  if (mnc === undefined) throw new WrongSetting('mnc', 'should be an object')
  return [mcc, mnc]
}
