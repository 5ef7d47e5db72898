/** The requests that the compose page offers to copy mean the same in every language, whatever the text holds. */
import { execFileSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { EMPTY_DRAFT, messageOf } from '../../console/src/features/compose/draft.ts'
import { SAMPLES, writeSample } from '../../console/src/pages/compose/samples.ts'

const TEXT = `It's "here" \\ $5 \`now\`,\nnot €later 😀\ttab`
const MESSAGE = messageOf({
  ...EMPTY_DRAFT,
  phone: '+49 170 1234500',
  text: TEXT,
  senders: { rcs: 'RCSTest', chatapp: 'ChatTest', sms: "Joe's" },
  contents: 'card',
  title: 'Parcel',
  replies: 'Yes\n\nNo',
  link: 'https://shop.example/17',
  lifetime: '60',
  hook: 'feed:',
})
const REQUEST = { auth: '<API_KEY>', data: [MESSAGE] }

test('the message has the fields of its channels, and none without a value', () => {
  expect(MESSAGE).toEqual({
    ...{ type: 'rcs+chatapp+sms', phone: 491701234500, rcs_lifetime: 60, hook: 'feed:' },
    ...{ rcs_signature: 'RCSTest', rcs_message: TEXT },
    ...{ chatapp_type: 'text', chatapp_signature: 'ChatTest', chatapp_message: TEXT },
    ...{ sms_signature: "Joe's", sms_message: TEXT },
    rich: {
      ...{ type: 'card', title: 'Parcel', description: TEXT },
      suggestions: [
        { type: 'reply', text: 'Yes', postback: 'Yes' },
        { type: 'reply', text: 'No', postback: 'No' },
        { type: 'url', text: 'https://shop.example/17', url: 'https://shop.example/17' },
      ],
    },
  })
})

test('a user id stays as it is', () => {
  const draft = { ...EMPTY_DRAFT, phone: ' US.4917012345 ', channels: ['chatapp'] } as const
  expect(messageOf(draft)).toMatchObject({ type: 'chatapp', phone: 'US.4917012345' })
})

test('an SMS alone has no rich content and no lifetime, and a picture needs a link in the chat app', () => {
  const draft = { ...EMPTY_DRAFT, phone: '491701234500', text: 'Hi', contents: 'card', lifetime: '60' } as const
  expect(messageOf({ ...draft, channels: ['sms'] })).toEqual({ type: 'sms', phone: 491701234500, sms_message: 'Hi' })
  const picture = { ...draft, contents: 'image', image: 'https://shop.example/a.png' } as const
  expect(messageOf({ ...picture, channels: ['chatapp'] })).toMatchObject({ chatapp_type: 'text' })
  expect(messageOf({ ...picture, link: 'https://shop.example', button: 'Go', channels: ['chatapp'] })).toMatchObject({
    ...{ chatapp_type: 'text+image+link', chatapp_image: picture.image },
    ...{ chatapp_link: 'https://shop.example', chatapp_button: 'Go' },
  })
})

test('JSON and curl carry the request', () => {
  expect(JSON.parse(writeSample('json', MESSAGE))).toEqual(REQUEST)
  // The shell passes its arguments to a program instead of curl.
  const print = 'process.stdout.write(process.argv.at(-1))'
  const script = `curl() { "$NODE" -e '${print}' -- "$@"; }\n${writeSample('curl', MESSAGE)}`
  const sent = execFileSync('sh', ['-c', script], { env: { ...process.env, NODE: process.execPath }, encoding: 'utf8' })
  expect(JSON.parse(sent)).toEqual(REQUEST)
})

test('TypeScript calls the client with the message', async () => {
  const [, call = ''] = writeSample('typescript', MESSAGE).split(/(?=const sent)/)
  const sent: unknown[] = []
  const client = { send: async (message: unknown) => ({ msg_id: sent.push(message) }) }
  const run = new Function('posthorn', 'console', `return (async () => { ${stripTypeScriptTypes(call)} })()`)
  await run(client, { log: () => undefined })
  expect(sent).toEqual([MESSAGE])
})

test('Python and PHP quote the text, and no language holds a key', () => {
  const python = writeSample('python', MESSAGE)
  expect(python).toContain(`"sms_message": ${JSON.stringify(TEXT)},`)
  const php = writeSample('php', MESSAGE)
  expect(php).toContain(`'sms_signature' => 'Joe\\'s',`)
  expect(php).toContain(`'sms_message' => '${TEXT.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}',`)
  for (const sample of SAMPLES) expect(writeSample(sample, MESSAGE)).toContain('<API_KEY>')
})
