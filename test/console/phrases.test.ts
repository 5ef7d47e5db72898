/** Details of a timeline in German: fixed phrases are the gateway's, and words of carriers stay as they are. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DETAILS_DE, DETAILS_EN } from '../../console/src/features/messages/details.ts'
import { translateDetail } from '../../console/src/features/messages/phrases.ts'
import { makeFormats } from '../../console/src/texts/make-formats.ts'

const formats = makeFormats('de', 'Europe/Berlin')
const german = (detail: string) => translateDetail(detail, { details: DETAILS_DE, formats })
const english = (detail: string) => translateDetail(detail, { details: DETAILS_EN, formats })

test('every translated phrase is one that the gateway writes', () => {
  const sources = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const unknown = Object.keys(DETAILS_DE.fixed).filter((phrase) => !sources.includes(`'${phrase}'`))
  expect(unknown).toEqual([])
})

test.each([
  ['not delivered within its lifetime', 'nicht innerhalb der Frist zugestellt'],
  ['quiet hours until 2026-11-23T08:00:00.000Z', 'Ruhezeit bis 23.11.2026, 09:00'],
  [
    'accepted, to be sent at 2026-11-23T08:00:30.500Z, a verification until 2026-12-01',
    'accepted, to be sent at 23.11.2026, 09:00:30, a verification until 01.12.2026',
  ],
  ['number 0', ''],
  ['number 0: HTTP 500, 1 failed try', 'HTTP 500 · 1 erfolgloser Versuch'],
  [
    'number 3: not sent: the hook was deleted, 12 failed tries',
    'nicht gesendet: Der Hook wurde gelöscht · 12 erfolglose Versuche',
  ],
  [
    'aB3 for https://shop.example/x, opened by 1 humans and 2 robots',
    'aB3 für https://shop.example/x, geöffnet von 1 Nutzer und 2 Bots',
  ],
  ['as 17; as 18', 'mit der Kennung 17; mit der Kennung 18'],
  ['Absent subscriber', 'Absent subscriber'],
])('%j is %j', (detail, translated) => expect(german(detail)).toBe(translated))

test('in English the tries are those that were made, and numbers of reports are left out', () => {
  expect(english('number 0: HTTP 500, 1 failed try')).toBe('HTTP 500 · 1 failed try')
  expect(english('not delivered within its lifetime')).toBe('not delivered within its lifetime')
})
