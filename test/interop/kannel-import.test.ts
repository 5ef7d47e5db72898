/**
 * A kannel.conf of the kind that is found in public, with a modem that Posthorn does not have, starts an installation:
 * the program of its user sends through it and gets its callback, and its service gets what phones write and answers.
 */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { GatewayProcess } from '../crash/gateway-process.ts'
import { CommandLine } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { HookSink } from '../support/hook-sink.ts'

const SMSC_LOGIN = { systemId: 'clinic', password: 'smsc' }

function config(smscPort: number, hook: string): string {
  return `# The gateway of the clinic
group = smsc
smsc = smpp
smsc-id = North Net   # the only one that works

host = 127.0.0.1
port = ${smscPort}
transceiver-mode = "true"
smsc-username = ${SMSC_LOGIN.systemId}
smsc-password = '${SMSC_LOGIN.password}'
system-type = ''
my-number = 80008

group = smsc
smsc = at
device = /dev/ttyUSB0

group = core
admin-port = 13000
group = smsbox
bearerbox-host = 127.0.0.1
global-sender = +15723  
group = sendsms-user
username = clinic
password = clinic1
user-deny-ip = "*.*.*.*"
user-allow-ip = "127.0.0.*"

group = sms-service
keyword = hours
aliases = open
get-url = "${hook}?from=%p&words=%a&smsc=%i"

group = sms-service
catch-all = yes
post-url = ${hook}?rest=%p
max-messages = 0     # no answer
`
}

let line: CommandLine
let smsc: Smsc
let sink: HookSink
let gateway: GatewayProcess
const traffic = new PhoneTraffic()

beforeAll(async () => {
  line = new CommandLine()
  line.environment = { POSTHORN_HOOK_ALLOW: '127.0.0.0/8' }
  sink = await HookSink.open(systemClock)
  sink.answer = () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('8 to 17') })
  smsc = await startSmsc({ clock: systemClock, random: systemRandom, traffic, ...SMSC_LOGIN })
  writeFileSync(line.path('kannel.conf'), config(smsc.port, sink.address))
  await line.ask(['account', 'create', '--name', 'Clinic'])
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '10'])
  await line.ask(['price', 'set', '--channel', 'sms', '--price', '0.05', '--currency', 'EUR'])
  await line.ask(['import', line.path('kannel.conf'), '--account', '1', '--apply'])
  gateway = await GatewayProcess.make({ POSTHORN_DATA_DIR: line.dataDir, POSTHORN_APIS: 'kannel' })
  await gateway.start()
  await eventually('the bind', () => smsc.bound() === 1)
})

afterAll(async () => {
  gateway.kill()
  await gateway.buried()
  await smsc.stop()
  await sink.close()
  line.close()
})

const callsOf = (part: string) => sink.calls.filter(({ path }) => path.includes(part))

test('the program sends, and gets its callback', async () => {
  const query = new URLSearchParams({
    ...{ username: 'clinic', password: 'clinic1', to: '+491701234500', text: 'Come at 10' },
    ...{ 'dlr-mask': '1', 'dlr-url': `${sink.address}?dlr=%d&to=%p&from=%P` },
  })
  const answer = await fetch(`${gateway.address}/cgi-bin/sendsms?${query}`)
  expect([answer.status, await answer.text()]).toStrictEqual([202, '0: Accepted for delivery'])
  const [callback] = await eventually('the callback', () => (callsOf('dlr=').length > 0 ? callsOf('dlr=') : null))
  expect(callback?.path).toBe('/hook?dlr=1&to=%2B491701234500&from=15723')
  expect(traffic.to('491701234500')).toMatchObject([{ sender: '15723', text: 'Come at 10' }])
})

test('a wrong password is refused as by Kannel', async () => {
  const answer = await fetch(
    `${gateway.address}/cgi-bin/sendsms?username=clinic&password=clinic2&to=491701234500&text=x`,
  )
  expect([answer.status, await answer.text()]).toStrictEqual([403, 'Authorization failed for sendsms'])
})

test('a service is called by its keyword or alias, and its answer goes to the phone', async () => {
  await smsc.write({ from: '491701234600', to: '80008', text: 'Open when' })
  await eventually('the answer', () => traffic.to('491701234600').length > 0)
  expect(callsOf('words=').map(({ path }) => path)).toStrictEqual([
    '/hook?from=%2B491701234600&words=Open+when&smsc=North+Net',
  ])
  expect(traffic.to('491701234600')).toMatchObject([{ sender: '80008', text: '8 to 17' }])
})

test('the rest goes to the other service, whose answer stays where it is', async () => {
  await smsc.write({ from: '491701234700', to: '80008', text: 'Something else' })
  await eventually('the call', () => callsOf('rest=').length > 0)
  expect(callsOf('rest=')).toMatchObject([{ body: 'Something else', headers: { 'x-kannel-smsc': 'North Net' } }])
  await smsc.write({ from: '491701234701', to: '80008', text: 'hours' })
  await eventually('a later answer', () => traffic.to('491701234701').length > 0)
  expect(traffic.to('491701234700')).toStrictEqual([])
})
