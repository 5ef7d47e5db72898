/** What the simulated phones get is printed by the sandbox: its user reads a code there and has it checked. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PhoneLog } from '../../src/cli/run/phone-log.ts'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

let line: CommandLine
let sandbox: ChildProgram
beforeAll(async () => {
  // The sandbox creates the installation.
  line = new CommandLine({ initialized: false })
  const flags = ['--port', '0', '--admin-port', '0', '--log-level', 'silent']
  sandbox = new ChildProgram(['sandbox', ...flags], { POSTHORN_DATA_DIR: line.dataDir })
  await eventually('the sandbox to start', () => sandbox.out.includes('number ends in'))
})
afterAll(() => {
  sandbox.end()
  line.close()
})

test('a verification falls from a call to an SMS; the code of the SMS is printed and approved', async () => {
  const [, address = ''] = /^API +(\S+)$/m.exec(sandbox.out) ?? []
  const [, key = ''] = /^key +(\S+)$/m.exec(sandbox.out) ?? []
  const ask = async (item: object) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ auth: key, data: [item] })
    const response = await fetch(`${address}/api/json.php`, { method: 'POST', headers, body })
    return ((await response.json()) as { data: { data: Record<string, unknown> }[] }).data[0]?.data
  }
  const phone = 491701234508
  const started = await ask({ type: 'verify/start', phone, channels: ['call', 'sms'], sms_signature: 'SMSTest' })
  expect(started).toMatchObject({ channel: 'call' })
  const printed = () => /^phone 491701234508: sms from "SMSTest": "Your code is (\d{6})\."$/m.exec(sandbox.out)?.[1]
  await eventually('the phone to get the SMS', () => printed() !== undefined)
  const checked = await ask({ type: 'verify/check', verify_id: started?.['verify_id'], code: printed() })
  expect(checked).toMatchObject({ status: 'approved' })
})

test('texts cannot control the terminal, and a flood is shown in part', () => {
  const clock = new VirtualClock()
  const lines: string[] = []
  const log = new PhoneLog(clock, (text) => lines.push(text))
  const arrival = { channel: 'sms', phone: '491701234500', sender: 'S', text: 'Hi\u001b[2J' }
  for (let count = 0; count < 25; count += 1) log.add(arrival)
  expect(lines).toEqual(Array(20).fill('phone 491701234500: sms from "S": "Hi\\u001b[2J"\n'))
  clock.advance(1_000)
  log.add({ ...arrival, channel: 'call', sender: '', text: '4930123400017' })
  expect(lines.slice(20)).toEqual(['phones: 5 more not shown\n', 'phone 491701234500: call from 4930123400017\n'])
})

test('what the recipient can tap is shown behind the text', () => {
  const lines: string[] = []
  const log = new PhoneLog(new VirtualClock(), (text) => lines.push(text))
  const arrival = { channel: 'rcs', phone: '491701234500', sender: 'S' }
  log.add({ ...arrival, text: 'Will you come?', suggestions: [{ text: 'Yes' }, { text: 'No' }] })
  log.add({
    ...arrival,
    text: '',
    cards: [{ text: 'A shoe', suggestions: [{ text: 'Buy\u001b' }] }, { text: 'A boot' }],
  })
  expect(lines).toEqual([
    'phone 491701234500: rcs from "S": "Will you come?" ["Yes"] ["No"]\n',
    'phone 491701234500: rcs from "S": "" "A shoe" ["Buy\\u001b"] "A boot"\n',
  ])
})

test('a phone taps a suggestion that it got', async () => {
  const [, address = ''] = /^API +(\S+)$/m.exec(sandbox.out) ?? []
  const [, key = ''] = /^key +(\S+)$/m.exec(sandbox.out) ?? []
  const rich = { type: 'suggestions', suggestions: [{ type: 'reply', text: 'Yes', postback: 'fitting-17-yes' }] }
  const item = { type: 'rcs', phone: 491701234500, rcs_signature: 'RCSTest', rcs_message: 'Will you come?', rich }
  await fetch(`${address}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: key, data: [item] }),
  })
  await eventually('the phone to get the message', () => sandbox.out.includes('"Will you come?" ["Yes"]'))
  const from = ['phone', 'reply', '--from', '491701234500']
  const tapped = await line.run([...from, '--channel', 'rcs', '--tap', 'Yes'])
  expect(tapped).toMatchObject({ exitCode: 0, out: '491701234500 tapped "Yes" by rcs.\n' })
  const wrong = await line.run([...from, '--channel', 'rcs', '--tap', 'Maybe'])
  expect(wrong).toMatchObject({
    exitCode: 1,
    err: 'error: tap: 491701234500 got no "Maybe" by rcs since the start of the sandbox\n',
  })
  for (const options of [[], ['--text', 'Yes', '--tap', 'Yes']]) {
    const { exitCode, err } = await line.run([...from, ...options])
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/^error: --text or --tap: one of them is required/)])
  }
})
