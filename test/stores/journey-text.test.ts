/** Journeys are stored as objects or lists; both say the same to TypeScript and to SQL. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Journey } from '../../src/domain/message/message.ts'
import { withoutRefs, withoutTexts } from '../../src/stores/rows/erasure/without-texts.ts'
import {
  HAS_CARRIER,
  memberOfJourney,
  readJourney,
  writeList,
  writeObject,
} from '../../src/stores/rows/messages/message-row.ts'
import { buildMessage, buildPlan } from '../support/build-message.ts'
import { receipt, refused, taken } from '../support/make-turn.ts'

const begun = buildMessage({ plan: buildPlan('rcs', 'sms') })
const fallenBack = refused(begun, 'no such "carrier-9",[ here', { carrierId: 'rcs-1' }).message
const carried = taken(fallenBack, ['ref-"1"'], { carrierId: 'sms-1' }).message
const ended = receipt(carried, 'delivered', { carrierId: 'sms-1' }).message.journey
const rare: Journey = {
  ...ended,
  sendAt: 7,
  verification: { state: 'pending', expiresAt: 8, wrongCodes: 1 },
  consent: { steps: [1], changes: 2 },
  bulk: 9 as MessageId,
  trace: '00-ab-cd-01',
  clicked: ['x', 'y'],
  postponed: { until: 10, reason: 'quiet', rules: 'r' },
  urgent: true,
  sentNowAt: 6,
  steps: ended.steps.map((step) => ({
    ...step,
    tried: ['sms-2'],
    uncertain: true,
    closed: true,
    parts: step.parts.map((part) => ({
      ...part,
      carrierId: 'sms-3',
      category: 'utility',
      perPart: true,
      noted: { read: 2 },
    })),
  })),
}
const journeys: readonly (readonly [string, Journey])[] = [
  ['that begins', begun.journey],
  ['that fell back', fallenBack.journey],
  ['that ended', ended],
  ['with everything', rare],
]

describe.each(journeys)('a journey %s', (_, journey) => {
  it.each([writeList, writeObject])('is read as it was written by %o', (write) => {
    expect(readJourney(write(journey))).toStrictEqual(journey)
    expect(write(readJourney(write(journey)))).toBe(write(journey))
  })

  it('is changed in its form', () => {
    for (const change of [withoutRefs, (text: string) => withoutTexts(['[]', text])?.[1] ?? text]) {
      const [list, object] = [change(writeList(journey)), change(writeObject(journey))]
      expect(list).toBe(writeList(readJourney(object)))
      expect(object.startsWith('{')).toBe(true)
    }
  })

  it.each([writeList, writeObject])('is read by SQL as it was written by %o', (write) => {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE message (journey TEXT)')
    database.prepare('INSERT INTO message VALUES (?)').run(write(journey))
    const members = ['step', 'phase', 'dueAt', 'heldMicros', 'chargedMicros'] as const
    const select = members.map((member) => `${memberOfJourney(member)} AS ${member}`)
    const found = database.prepare(`SELECT ${select.join(', ')} FROM message`).get()
    expect(journey).toMatchObject({ ...found })

    const search = database.prepare(`SELECT 1 FROM message WHERE ${HAS_CARRIER}`)
    const carriers = ['rcs-1', 'sms-1', 'sms-2', 'sms-3', 'carrier-9', 'delivered', 'x']
    const matches = carriers.filter((id) => search.get(`"carrierId":"${id}"`) !== undefined)
    expect(matches).toEqual(carriers.filter((id) => JSON.stringify(journey).includes(`"carrierId":"${id}"`)))
  })
})

it('has no names in a list', () => {
  expect(writeList(begun.journey)).toBe(
    '[0,"QUEUED",0,"open",0,1767229200000,1767225600000,50000,0,0,null,' +
      '[["QUEUED",1767225600000,null,[["open",null]],null]]]',
  )
})
