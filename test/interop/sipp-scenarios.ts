/**
 * The scenarios that SIPp plays as the called phone. It fails, and reports that at its end, if an unexpected message
 * arrives or an expected one does not.
 */

/** Behind a proxy the INVITE has two Via headers and a route, and its answers must carry them. */
export interface Surroundings {
  readonly proxied: boolean
}

type Line = (surroundings: Surroundings) => string

const answer = (status: string, headers: readonly string[], repeated: boolean) => `
  <send${repeated ? ' retrans="500"' : ''}><![CDATA[
SIP/2.0 ${status}
${headers.join('\n')}
[last_Record-Route:]
Contact: <sip:phone@[local_ip]:[local_port];transport=[transport]>
Content-Length: 0

]]></send>`

const LAST = ['[last_Via:]', '[last_From:]', '[last_To:];tag=phone[call_number]', '[last_Call-ID:]', '[last_CSeq:]']
const LAST_IN_DIALOG = ['[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]']

const PROXY_HEADERS = `
    <ereg regexp=".*" search_in="hdr" header="Via:" occurrence="2" assign_to="farVia"/>
    <ereg regexp=".*" search_in="hdr" header="Record-Route:" assign_to="route"/>`

/** Stores what an answer after the CANCEL needs of the INVITE: the CANCEL has other Vias and another CSeq. */
const invite: Line = ({ proxied }) => `
  <recv request="INVITE"><action>
    <ereg regexp=".*" search_in="hdr" header="Via:" occurrence="1" assign_to="via"/>
    ${proxied ? PROXY_HEADERS : ''}
    <ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="cseq"/>
    <ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="contact"/>
    <ereg regexp="&lt;.*" search_in="hdr" header="From:" assign_to="caller"/>
    <ereg regexp="&lt;.*" search_in="hdr" header="To:" assign_to="called"/>
  </action></recv>`

const toInvite =
  (status: string): Line =>
  ({ proxied }) => {
    const vias = ['Via: [$via]', ...(proxied ? ['Via: [$farVia]', 'Record-Route: [$route]'] : [])]
    const [, from = '', to = '', callId = ''] = LAST
    return answer(status, [...vias, from, to, callId, 'CSeq: [$cseq]'], true)
  }

const now =
  (status: string): Line =>
  () =>
    answer(status, LAST, false)
const final =
  (status: string): Line =>
  () =>
    answer(status, LAST, true)
const inDialog =
  (status: string): Line =>
  () =>
    answer(status, LAST_IN_DIALOG, false)
const expects =
  (method: string): Line =>
  () =>
    `
  <recv request="${method}"/>`
/** The tag of this end must come back in later requests. */
const expectsTagged =
  (method: string): Line =>
  () =>
    `
  <recv request="${method}"><action>
    <ereg regexp="tag=phone" search_in="hdr" header="To:" check_it="true" assign_to="tag"/>
  </action></recv>`
const pause =
  (milliseconds: number): Line =>
  () =>
    `
  <pause milliseconds="${milliseconds}"/>`

/** Rings with a reliable answer, which the caller must support. */
const reliably: Line = () => answer('180 Ringing', [...LAST, 'Require: 100rel', 'RSeq: 1'], true)
const expectsRack: Line = () => `
  <recv request="PRACK"><action>
    <ereg regexp="1 [12] INVITE" search_in="hdr" header="RAck:" check_it="true" assign_to="tag"/>
  </action></recv>`
/** A refresh of the session timer in the early dialog. */
const update: Line = () => `
  <send retrans="500"><![CDATA[
UPDATE [$contact] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
Max-Forwards: 70
From: [$called];tag=phone[call_number]
To: [$caller]
Call-ID: [call_id]
CSeq: 1 UPDATE
Contact: <sip:phone@[local_ip]:[local_port];transport=[transport]>
Supported: timer
Session-Expires: 1800
Content-Length: 0

]]></send>
  <recv response="200"><action>
    <ereg regexp="1800;refresher=uac" search_in="hdr" header="Session-Expires:" check_it="true" assign_to="tag"/>
  </action></recv>`

const CANCELLED = [expects('CANCEL'), now('200 OK'), toInvite('487 Request Terminated'), expectsTagged('ACK')]
const LEFT = [expectsTagged('ACK'), expectsTagged('BYE'), inDialog('200 OK')]

const SCENARIOS = {
  'rings until it is cancelled': [invite, now('180 Ringing'), ...CANCELLED],
  'plays early media until it is cancelled': [invite, now('183 Session Progress'), ...CANCELLED],
  'rings reliably until it is cancelled': [invite, reliably, expectsRack, inDialog('200 OK'), ...CANCELLED],
  'refreshes the session while it rings': [invite, now('180 Ringing'), update, ...CANCELLED],
  'is busy after it rang': [invite, now('180 Ringing'), pause(100), final('486 Busy Here'), expectsTagged('ACK')],
  'is answered at once': [invite, final('200 OK'), ...LEFT],
  'is answered after it rang': [invite, now('180 Ringing'), pause(100), final('200 OK'), ...LEFT],
  'is answered in the moment of the CANCEL': [
    ...[invite, now('180 Ringing'), expects('CANCEL'), now('200 OK'), toInvite('200 OK'), ...LEFT],
  ],
  'rings after the caller gave up': [invite, pause(2_000), now('180 Ringing'), ...CANCELLED],
  'does not exist': [invite, final('404 Not Found'), expectsTagged('ACK')],
} as const satisfies Readonly<Record<string, readonly Line[]>>

export type ScenarioName = keyof typeof SCENARIOS

/** The XML that SIPp reads. */
export function writeScenario(name: ScenarioName, surroundings: Surroundings): string {
  const lines: readonly Line[] = SCENARIOS[name]
  const variables = [
    'via',
    ...(surroundings.proxied ? ['farVia', 'route'] : []),
    'cseq',
    'tag',
    'contact',
    'caller',
    'called',
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="${name}">${lines.map((line) => line(surroundings)).join('')}
  <Reference variables="${variables.join(',')}"/>
</scenario>
`
}
