/** The setting of carriers whose receipts are checked by texts to numbers of ours. */
import Type from 'typebox'
import {
  CHECK_DEFAULTS,
  CHECK_PLACEHOLDER,
  checkNumbers,
  MAX_CHECKED_NUMBERS,
} from '../../domain/routing/carrier-check.ts'
import { group, parsed, seconds, text } from './setting-kinds.ts'

const TEXT_RULE = `text of at most 100 characters with ${CHECK_PLACEHOLDER}`

export const CHECK = Type.Optional(
  group(
    {
      numbers: parsed(
        Type.Array(text('A number with its country code.'), {
          minItems: 1,
          maxItems: MAX_CHECKED_NUMBERS,
          of: 'numbers',
          description: 'Inbound numbers of an account, one of each country; best at another carrier.',
        }),
        (numbers) => {
          checkNumbers(numbers)
          return numbers
        },
      ),
      sender: Type.Optional(text('The sender of the texts; by default that of the account for SMS.')),
      text: parsed(
        text('The text, with `{{token}}`.', { default: CHECK_DEFAULTS.text, rule: TEXT_RULE }),
        (content) => {
          if (content.length <= 100 && content.includes(CHECK_PLACEHOLDER)) return content
          throw new Error(`should be ${TEXT_RULE}`)
        },
      ),
      every: seconds(3_600, 2_592_000, 'How often each number gets a text.', CHECK_DEFAULTS.every),
      within: seconds(60, 86_400, 'How long a text may take to come back.', CHECK_DEFAULTS.within),
    },
    'Checks of the receipts of a carrier of SMS: a text to a number of yours, which has to come back as an inbound message.',
    'Check of receipts',
  ),
)
