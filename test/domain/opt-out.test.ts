import { describe, expect, test } from 'vitest'
import { appliesTo, fold, OptOutLexicon } from '../../src/domain/consent/opt-out.ts'
import { DEFAULT_OPT_OUT_LANGUAGES } from '../../src/domain/consent/opt-out-words.ts'

const lexicon = new OptOutLexicon(DEFAULT_OPT_OUT_LANGUAGES)

describe('an inbound text', () => {
  test.each([
    'STOP',
    'stop',
    ' Stop. ',
    'StOp!!!',
    '"stop"',
    'ＳＴＯＰ',
    'S̈top',
    'Stop all',
    'opt-out',
    'ARRET',
    'arrêt.',
    '\u200eST\u200bOP\ufeff',
    's\u00adtop',
    `stop${' '.repeat(100)}`,
    `stop${'\0'.repeat(156)}`,
    `${'\r\n'.repeat(40)}Stop all${'@'.repeat(80)}`,
    `\u{1d412}\u{1d413}\u{1d40e}\u{1d40f}${' '.repeat(60)}`,
  ])('%j means stop', (text) => {
    expect(lexicon.meaningOf(text)).toBe('stop')
  })

  test.each(['İPTAL', 'IPTAL', 'ıptal', 'СТОП', 'Διακοπή', 'ΔΙΑΚΟΠΗ', 'बंद करें', '退订', 'TD', 'توقف', 'Lõpeta'])(
    '%j means stop in its language',
    (text) => {
      expect(lexicon.meaningOf(text)).toBe('stop')
    },
  )

  test.each(['START', 'unstop', 'Opt in', 'Пуск'])('%j', (text) => {
    expect(lexicon.meaningOf(text)).toBe(text === 'Пуск' ? null : 'start')
  })

  test.each([
    '',
    '...',
    'Stop by at five?',
    'please stop',
    'nonstop',
    'How do I stop this?',
    `stop${' x'.repeat(100)}`,
    'S T O P',
  ])('%j means nothing', (text) => {
    expect(lexicon.meaningOf(text)).toBeNull()
  })

  test('means what the operator says: a word of both means stop, an empty one nothing', () => {
    const own = new OptOutLexicon({ xx: { stop: ['Pause!', ''], start: ['pause', '', 'Go'] } })
    expect(['PAUSE', 'go', '', '!', 'stop'].map((text) => own.meaningOf(text))).toEqual([
      'stop',
      'start',
      null,
      null,
      null,
    ])
  })
})

test('every built-in word is understood, and none means both', () => {
  for (const [language, { stop, start }] of Object.entries(DEFAULT_OPT_OUT_LANGUAGES)) {
    for (const word of stop) expect(lexicon.meaningOf(word), `${language} ${word}`).toBe('stop')
    for (const word of start) expect(lexicon.meaningOf(word), `${language} ${word}`).toBe('start')
    for (const word of [...stop, ...start]) expect(fold(word), `${language} ${word}`).not.toBe('')
  }
})

test('an opt-out is of one sender, in any case of its letters, or of all', () => {
  const ofSender = (name: string) => ({ sharing: [name], isAccountWide: false })
  expect(appliesTo({ sender: 'Shop', by: 'word' }, ofSender('Shop'))).toBe(true)
  expect(appliesTo({ sender: 'Shop', by: 'hand' }, ofSender('sHOP'))).toBe(true)
  expect(appliesTo({ sender: 'Shop', by: 'word' }, ofSender('Bank'))).toBe(false)
  expect(appliesTo({ sender: null, by: 'word' }, ofSender('Bank'))).toBe(true)
})

test('where recipients opt out from accounts, what they wrote to one sender holds for all, but not what operators set', () => {
  const reach = { sharing: ['Bank'], isAccountWide: true }
  for (const by of ['word', 'link', 'carrier'] as const) expect(appliesTo({ sender: 'Shop', by }, reach)).toBe(true)
  expect(appliesTo({ sender: 'Shop', by: 'hand' }, reach)).toBe(false)
})
