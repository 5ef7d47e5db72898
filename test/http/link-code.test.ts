/** Programs that find links in texts take the punctuation behind a short link for a part of it. */
import { expect, test } from 'vitest'
import { readLinkCode } from '../../src/http/links/link-code.ts'

const ENDS = ['', '.', ',', ')', '/', ';', '!', '"', '’', '…', '。', '».', '/)', '-', '_', '\u200b', '\u00a0']

test.each(ENDS)('a link before %j is found', (end) => {
  expect(readLinkCode(`/l/aB3${encodeURI(end)}`, '/l/')).toBe('aB3')
  expect(readLinkCode(`/u/aB3${encodeURI(end)}?x=1`, '/u/')).toBe('aB3')
})

test('unescaped bytes of UTF-8 count as what they mean', () => {
  expect(readLinkCode(`/l/aB3${Buffer.from('’').toString('latin1')}`, '/l/')).toBe('aB3')
})

test.each(['', '.', '/', 'a/b', 'a.b', 'aé', 'a%', 'a%ff', `a${'.'.repeat(65)}`, 'a'.repeat(65)])(
  '%j is no code',
  (code) => {
    expect(readLinkCode(`/l/${code}`, '/l/')).toBeNull()
  },
)
