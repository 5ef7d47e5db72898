/** Addresses are found as linkify-it finds them; its own search is too slow for untrusted texts. */
import { linkifyit } from 'linkify-it'
import { expect, test, vi } from 'vitest'
import { findLinks } from '../../src/operations/links/find-links.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const library = linkifyit({
  fuzzyLink: true,
  fuzzyEmail: false,
  urlAuth: true,
  tlds: ['com', 'net', 'org', 'info', 'biz', 'io', 'eu'],
})
  .add('ftp:', null)
  .add('mailto:', null)
  .add('//', null)

const PIECES = [
  ...['http://', 'https://', 'HTTP://', 'ftp:', '//', 'mailto:', 'www.', 'user:pw@', 'localhost', '1.2.3.4'],
  ...['a.com', 'client.io', '.org', '.eu/x', '.xn--p1ai', 'xn--p1ai', 'пример', 'é', '中', '😀', 'b', 'a'.repeat(70)],
  ...['/', '/path', '?q=1', '#f', ':80', '%20', '&', '*', '~', '@', ':', '-', '_', '.', '..', '…', '．'],
  ...['(', ')', '[', ']', '{', '}', '"', "'", '<', '>', '|', '=', '+', '$', '^', '`', ',', ';', '!', ' ', '\n'],
]

test('the same addresses as linkify-it, in texts of all their pieces', () => {
  const random = new SeededRandom()
  const pick = () => PIECES[random.below(PIECES.length)]
  let found = 0
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: 1 + random.below(9) }, pick).join('')
    // The library joins two addresses with a comma to one.
    if (/[,;]https?:\/\//i.test(text)) continue
    const links = [...findLinks(text)].map(({ url, start, end }) => [url, start, end])
    const expected = (library.match(text) ?? []).map(({ url, index, lastIndex }) => [url, index, lastIndex])
    expect(links, JSON.stringify(text)).toEqual(expected)
    found += links.length
  }
  expect(found).toBeGreaterThan(1_000)
})

test('a text of thousands of pieces between hidden characters is searched with one pattern', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
  const text = `${family.repeat(500)} https://a.com/x\u200b b.com`
  const exec = vi.spyOn(RegExp.prototype, 'exec')
  const urls = [...findLinks(text)].map(({ url }) => url)
  const patterns = new Set(exec.mock.contexts)
  vi.restoreAllMocks()
  expect(urls).toEqual(['https://a.com/x', 'http://b.com'])
  expect(patterns.size).toBeLessThan(10)
})

test.each([
  ['See https://client.example/a?b=(c)[d]{e}.', ['https://client.example/a?b=(c)[d]{e}']],
  ['(see client.com/a_(b))', ['http://client.com/a_(b)']],
  ['client.com/(open and more', ['http://client.com/']],
  ['https://a.eu/1,https://b.eu/2;HTTPS://c.eu/3', ['https://a.eu/1', 'https://b.eu/2', 'HTTPS://c.eu/3']],
  ['https://a.eu/?u=https://b.eu/2', ['https://a.eu/?u=https://b.eu/2']],
  ['https://a.eu/1\u200b next', ['https://a.eu/1']],
  ['\u200ehttps://a.eu/1\u200eand\u2060a.com\ufeff', ['https://a.eu/1', 'http://a.com']],
  ['https://a.eu\u00ad/1', ['https://a.eu']],
  ['x =client.com, www.client.eu!', ['http://client.com', 'http://www.client.eu']],
])('in %j', (text, expected) => {
  expect([...findLinks(text)].map(({ url }) => url)).toEqual(expected)
})

test('the same when two texts are searched in turn', () => {
  const [one, other] = ['a.eu and b.eu', 'and c.eu, d.eu\u200be.eu'].map((text) => findLinks(text))
  const found = [one, other, other, one, other].map((links) => links?.next().value?.url)
  expect(found).toEqual(['http://a.eu', 'http://c.eu', 'http://d.eu', 'http://b.eu', 'http://e.eu'])
})

test('takes no host that is longer than any name, however it is made', () => {
  expect([...findLinks(`http://${`xn--${'a'.repeat(59)}.`.repeat(127)}`)]).toEqual([])
})

// Where a pattern tries each label in several ways, one of these takes years.
test.each([
  ['dotted names', `${'xn--a.'.repeat(10)}xn--${'a'.repeat(40)}_`],
  ['long names', `${`xn--${'a'.repeat(58)}.`.repeat(10)}xn--a_`],
  ['dashes', `${'xn--a-a.'.repeat(10)}a-_`],
  ['digits', `${'xn--1.'.repeat(10)}xn--1:99999`],
  ['a user', `${'a'.repeat(49)}_@${'xn--a.'.repeat(10)}a-.`],
])('gives up at once on hosts that fail: %s', (_, host) => {
  expect([...findLinks(`http://${host} `.repeat(100))]).toEqual([])
})
