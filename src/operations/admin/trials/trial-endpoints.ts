/** Tries what would happen to a message: where it would go, for how much, and what would keep it from its recipient. */
import Type from 'typebox'
import { defaultSenderOf } from '../../../domain/accounts/account.ts'
import { CHANNELS, carriesTexts, MESSAGE_CHANNELS } from '../../../domain/channels/channel.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { readRecipientField } from '../fields/field-refused.ts'
import { ACCOUNT, READERS, RECIPIENT } from '../fields/shapes.ts'
import { findObstacles } from './find-obstacles.ts'
import { Trial, viewTrial } from './trial-view.ts'
import { findNumber, openTrial, tryStep } from './try-steps.ts'

/** Longer than any text that fits into the parts of an SMS. */
const MAX_TEXT = 10_000

export const TRIAL_ENDPOINTS = [
  endpoint({
    name: 'tryRoute',
    needsGateway: true,
    method: 'POST',
    path: '/routes/trial',
    command: 'route try',
    summary: 'show where a message would go and for how much; nothing is sent, charged or counted',
    may: READERS,
    body: {
      account: ACCOUNT,
      phone: RECIPIENT,
      channels: Type.Optional(
        Type.Array(Type.Enum([...CHANNELS]), {
          minItems: 1,
          maxItems: CHANNELS.length,
          uniqueItems: true,
          description: `channels to try, separated by commas; ${MESSAGE_CHANNELS.join(', ')} by default`,
        }),
      ),
      sender: Type.Optional(
        Type.String({
          maxLength: 100,
          description: "sender name; by default the account's for SMS, and none in other channels",
        }),
      ),
      text: Type.Optional(Type.String({ maxLength: MAX_TEXT, description: 'text to count; empty by default' })),
    },
    result: Trial,
    run: async (
      tools,
      { account: id, phone: text, channels = MESSAGE_CHANNELS, sender, text: body = '' },
      { role },
    ) => {
      const live = runningGateway(tools, 'knows its carriers')
      const scope = openTrial(live, { account: id, test: false, now: tools.clock.now() })
      const number = findNumber(scope, readRecipientField(text))
      const tried = channels.map((channel) => {
        const from = sender ?? defaultSenderOf(scope.account, channel)
        const asked = { channel, sender: carriesTexts(channel) ? from : null, text: body }
        return tryStep(scope, number, asked, live.explainRouting)
      })
      const obstacles = await findObstacles(scope, number.phone, tried)
      return viewTrial(scope, { number, tried, obstacles }, role)
    },
  }),
]
