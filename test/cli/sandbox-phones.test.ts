/** What the simulated phones get is printed by the sandbox: its user reads a code there and has it checked. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PhoneLog } from '../../src/cli/phone-log.ts'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

let line: CommandLine
let sandbox: ChildProgram
beforeAll(() => {
  line = new CommandLine()
  const flags = ['--port', '0', '--admin-port', '0', '--log-level', 'silent']
  sandbox = new ChildProgram(['sandbox', ...flags], { POSTHORN_DATA_DIR: line.dataDir })
})
afterAll(() => {
  sandbox.end()
  line.close()
})

test('a verification falls from a call to an SMS; the code of the SMS is printed and approved', async () => {
  await eventually('the sandbox to start', () => sandbox.out.includes('number ends in'))
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
