/**
 * Requests as published programs for services of this dialect write them, and what those programs read of the answer.
 * A member that a program reads must not change its place or type. `<…>` stands for a value that differs each time.
 */
export interface Exchange {
  /** What the program does, and what it depends on. */
  readonly program: string
  /** Request headers beside Content-Type. */
  readonly headers?: Readonly<Record<string, string>>
  readonly operations: readonly object[]
  readonly answer: object
}

const PHONE = 491701234500
const TEXT = 'Your parcel arrives today.'
const IMAGE = 'https://client.example/parcel.png'
const PAGE = 'https://client.example/parcels/17'

const sms = { type: 'sms', phone: PHONE, sms_signature: 'SMSTest', sms_message: TEXT }
const rcs = { type: 'rcs', phone: PHONE, rcs_signature: 'RCSTest', rcs_message: TEXT }
const viber = { type: 'viber', phone: PHONE, viber_signature: 'ChatTest', viber_type: 'text', viber_message: TEXT }
const picture = { viber_type: 'text+image+link', viber_image: IMAGE, viber_link: PAGE, viber_button: 'Follow' }

const whole = (...results: readonly object[]) => ({ success: true, data: results })
const done = (data: object) => ({ success: true, data })
const sent = (id: number | string) => done({ id, msg_id: '<msg_id>', data: 1, parts: 1 })
const unnamed = done({ msg_id: '<msg_id>', data: 1, parts: 1 })

export const EXCHANGES: readonly Exchange[] = [
  {
    program: 'reads amount as a number and currency as text',
    operations: [{ type: 'balance' }],
    answer: whole(done({ amount: '<amount>', currency: 'EUR' })),
  },
  {
    program: 'sends a numeric id and refuses an answer in which id, msg_id or parts is no number',
    headers: { accept: 'application/json' },
    operations: [{ ...sms, id: 100500 }],
    answer: whole(sent(100500)),
  },
  {
    program: 'sends id and phone as text, and compares the id as it has sent it',
    operations: [{ ...sms, id: '100500', phone: String(PHONE) }],
    answer: whole(sent('100500')),
  },
  {
    program: 'makes ids of a date, microseconds and a random number: 24 digits as text',
    headers: { encoding: 'UTF-8' },
    operations: [{ ...sms, id: '202603011200001234567890' }],
    answer: whole(sent('202603011200001234567890')),
  },
  {
    program: 'makes ids of letters, a time and the place in the batch',
    operations: [1, 2, 3].map((place) => ({ ...sms, id: `i_1772352000_${place}` })),
    answer: whole(...[1, 2, 3].map((place) => sent(`i_1772352000_${place}`))),
  },
  {
    program: 'sends no id, and reads msg_id of the first result',
    operations: [sms],
    answer: whole(unnamed),
  },
  {
    program: 'sends several messages of different types, and reads results by their place',
    operations: [
      { ...sms, id: 1 },
      { ...viber, id: 2 },
      { ...rcs, id: 3 },
    ],
    answer: whole(sent(1), sent(2), sent(3)),
  },
  {
    program: 'sends a lifetime of two days, with short_link false',
    operations: [{ ...sms, id: 1, sms_lifetime: 172_800, short_link: false }],
    answer: whole(sent(1)),
  },
  {
    program: 'sends RCS with image, link and button',
    operations: [{ ...rcs, id: 1, rcs_image: IMAGE, rcs_link: PAGE, rcs_button: 'Follow', rcs_lifetime: 172_800 }],
    answer: whole(sent(1)),
  },
  {
    program: 'sends RCS with fallback to SMS',
    operations: [{ ...rcs, ...sms, type: 'rcs+sms', id: 1, rcs_lifetime: 172_800 }],
    answer: whole(sent(1)),
  },
  {
    program: 'sends a chain of three channels under the messenger name of the service',
    operations: [{ ...rcs, ...viber, ...picture, ...sms, type: 'rcs+viber+sms', id: 1, rcs_lifetime: 172_800 }],
    answer: whole(sent(1)),
  },
  {
    program: 'sends a messenger text',
    operations: [{ ...viber, id: 1, viber_lifetime: 172_800 }],
    answer: whole(sent(1)),
  },
  {
    program: 'sends a messenger image without text',
    operations: [
      { type: 'viber', id: 1, phone: PHONE, viber_type: 'image', viber_signature: 'ChatTest', viber_image: IMAGE },
    ],
    answer: whole(sent(1)),
  },
  {
    program: 'sends a messenger text with a link',
    operations: [{ ...viber, id: 1, viber_type: 'text+link', viber_link: PAGE, viber_button: 'Follow' }],
    answer: whole(sent(1)),
  },
  {
    program: 'sends a messenger text with image, link and fallback to SMS, in one list of fields',
    operations: [{ ...viber, ...picture, ...sms, type: 'viber+sms', id: 1, viber_lifetime: 3_600, short_link: false }],
    answer: whole(sent(1)),
  },
  {
    program: 'sends a field of its service that the gateway does not know: the message goes, and a warning names it',
    operations: [
      {
        type: 'viber',
        id: 1,
        phone: PHONE,
        viber_type: 'image',
        viber_signature: 'ChatTest',
        viber_image: IMAGE,
        viber_caption: TEXT,
      },
    ],
    answer: whole({ ...sent(1), warnings: ['viber_caption: ignored'] }),
  },
  {
    program: 'sends empty texts for what it leaves out',
    operations: [{ ...rcs, id: 1, rcs_image: '', rcs_link: '', rcs_button: '', hook: '' }],
    answer: whole(sent(1)),
  },
  {
    program: 'calls with a one-time code, without an id, and compares the code as text',
    operations: [{ type: 'call/otp', phone: String(PHONE) }],
    answer: whole(done({ code: '<code>', price: '<amount>' })),
  },
  {
    program: 'keeps the results of a batch in which the sender name of one message is wrong',
    operations: [
      { ...sms, id: 'first' },
      { ...sms, id: 'second', sms_signature: 'Unknown' },
    ],
    answer: whole(sent('first'), {
      success: false,
      error: 'Error in Alpha-name',
      code: 'sender_not_approved',
      data: { id: 'second' },
      field: 'sms_signature',
    }),
  },
]
