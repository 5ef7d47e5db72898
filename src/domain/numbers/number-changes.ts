/**
 * Phones that are written in more than one way: with a digit that not every record has, as a country's numbers were
 * before it changed its plan, or under either of two country codes. A change is listed if old forms are still in
 * address books or in the ids of chat apps, and if no form of one phone is a form of another.
 */

/** Digits before and after the part that differs (regular expressions), and that part; its first form is current. */
type NumberChange = readonly [before: string, parts: readonly [string, string, ...string[]], after: string]

export const NUMBER_CHANGES: readonly NumberChange[] = [
  // Argentina: the 9 of mobiles in international form. Area and number identify one phone with or without it.
  ['54', ['9', ''], '(?:11|[23]\\d)\\d{8}'],
  // Brazil: the ninth digit of mobiles since 2012; fixed lines begin with 2 to 5 and never had it.
  ['55\\d\\d', ['9', ''], '[6-9]\\d{7}'],
  // Mexico: the 1 of mobiles until 2019, which WhatsApp still writes.
  ['52', ['', '1'], '[2-9]\\d{9}'],
  // Ivory Coast, 2021: two digits that follow from the operator (Moov, MTN, Orange) of the old number.
  ['225', ['01', ''], '(?:0[1-3]|[457][0-3])\\d{6}'],
  ['225', ['05', ''], '[04-9][4-6]\\d{6}'],
  ['225', ['07', ''], '(?:[04-9][78]|[04578]9)\\d{6}'],
  // Benin, November 2024.
  ['229', ['01', ''], '[24-69]\\d{7}'],
  // Mauritius, mobiles, 2013. Other numbers of seven digits are fixed lines.
  ['230', ['5', ''], '[79]\\d{6}'],
  // Cameroon, mobiles, 2014.
  ['237', ['6', ''], '[5-79]\\d{7}'],
  // Gabon, mobiles, 2019 to 2024, written with and without the 0 before.
  ['241', ['6', '0', ''], '[256]\\d{6}'],
  ['241', ['7', '0', ''], '[47]\\d{6}'],
  // Ecuador, mobiles, 2012.
  ['593', ['9', ''], '[89]\\d{7}'],
  // Vietnam, mobiles, 2018: eleven digits became ten.
  ['84', ['3', '16'], '[2-9]\\d{7}'],
  ['84', ['5', '18'], '[68]\\d{7}'],
  ['84', ['59', '199'], '\\d{7}'],
  ...Object.entries({ 120: 70, 121: 79, 122: 77, 126: 76, 128: 78, 123: 83, 124: 84, 125: 85, 127: 81, 129: 82 }).map(
    ([former, current]): NumberChange => ['84', [`${current}`, former], '\\d{7}'],
  ),
  // Kosovo, 2017: its mobiles had the codes of Monaco and Slovenia, whose own numbers begin otherwise.
  ['3', ['83', '77'], '4[45]\\d{6}'],
  ['38', ['3', '6'], '4[39]\\d{6}'],
  // Palestine: its mobiles can be dialled under Israel's code too.
  ['97', ['0', '2'], '5[69]\\d{7}'],
]
