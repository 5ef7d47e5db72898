/** Values of a line are percent-encoded in addresses, and nowhere else. */
import { expect, test } from 'vitest'
import { fillPlaceholders } from '../../src/domain/text/placeholders.ts'

const VALUES = {
  code: 'a b',
  sign: 'ä&=#?%',
  path: 'sale/new shoes',
  host: 'eu.shop',
  base: 'https://shop.example',
  half: '\ud800',
}

test.each([
  ['https://shop.example/v/{{code}}', 'https://shop.example/v/a%20b'],
  [
    'See https://shop.example/?c={{sign}}&p={{path}}.',
    'See https://shop.example/?c=%C3%A4%26%3D%23%3F%25&p=sale%2Fnew%20shoes.',
  ],
  ['https://shop.example/{{path}}#{{code}}', 'https://shop.example/sale/new%20shoes#a%20b'],
  ['(shop.com/{{code}})', '(shop.com/a%20b)'],
  ['https://{{host}}.example/{{code}}', 'https://eu.shop.example/a%20b'],
  ['{{base}}/{{code}}', 'https://shop.example/a%20b'],
  ['https://shop.example/{{half}}', 'https://shop.example/%EF%BF%BD'],
  ['{{base}} {{code}}', 'https://shop.example a b'],
  ['https://shop.example/x {{code}}', 'https://shop.example/x a b'],
  ['https://shop.example/x\n{{sign}}', 'https://shop.example/x\nä&=#?%'],
  ['and/or/{{code}}, 1.5/{{code}}', 'and/or/a b, 1.5/a b'],
  ['https://shop.example/\\{{code}}', 'https://shop.example/{{code}}'],
])('%j', (text, filled) => {
  expect(fillPlaceholders({ text }, VALUES)).toEqual({ text: filled })
})
