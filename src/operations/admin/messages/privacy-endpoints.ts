/** Erases personal data on request. Phone numbers must not appear in URLs, so they are sent in bodies. */
import Type from 'typebox'
import { endpoint } from '../endpoint/endpoint.ts'
import { readPhoneField } from '../fields/field-refused.ts'
import { OPERATORS, whole } from '../fields/shapes.ts'
import { forgetPhone } from './forget-phone.ts'

export const PRIVACY_ENDPOINTS = [
  endpoint({
    name: 'forgetPhone',
    method: 'POST',
    path: '/forgotten-phones',
    ownCommand: 'forget',
    summary: 'erase the personal data of a phone number; statuses and amounts of its messages stay',
    may: OPERATORS,
    body: { phone: Type.String({ description: 'with its country code', examples: ['37120000000'] }) },
    result: Type.Object({
      phone_hash: Type.String({ description: 'keyed hash, as in the audit log' }),
      messages: whole({ description: 'forgotten' }),
      replies: whole({ description: 'deleted inbound messages' }),
      opt_outs: whole({ description: 'opt-outs that stay in force without the number' }),
      leftovers: Type.Enum(['none', 'room', 'log', 'server'], {
        description:
          'where bytes of the phone may remain: nowhere; in free space of the database file, which is overwritten ' +
          'when this is repeated while no gateway runs; in the log of a busy database: repeat it; or in files of a ' +
          'PostgreSQL server, until VACUUM and its log have overwritten them',
      }),
    }),
    run: async ({ store, clock, live }, { phone }) => {
      live?.lookups.forget(readPhoneField(phone))
      const { phoneHash, messages, replies, optOuts, leftovers } = await forgetPhone(store, phone, clock.now())
      return { phone_hash: phoneHash, messages, replies, opt_outs: optOuts, leftovers }
    },
  }),
]
