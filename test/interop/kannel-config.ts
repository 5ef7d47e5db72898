/** Kannel as a client of the simulated SMSC: both of its processes read this file. */
export interface KannelPlace {
  readonly smscPort: number
  readonly adminPort: number
  readonly boxPort: number
  readonly sendPort: number
  readonly systemId: string
  readonly password: string
  /** Where inbound messages go, a get-url of Kannel; it drops them without one. */
  readonly inboundUrl?: string
}

export function writeKannelConfig(place: KannelPlace): string {
  return `
group = core
admin-port = ${place.adminPort}
admin-password = admin
smsbox-port = ${place.boxPort}
box-allow-ip = 127.0.0.1

group = smsc
smsc = smpp
smsc-id = posthorn
host = 127.0.0.1
port = ${place.smscPort}
smsc-username = ${place.systemId}
smsc-password = ${place.password}
system-type = ""
transceiver-mode = true
msg-id-type = 0x00
max-pending-submits = 10
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${place.sendPort}

group = sendsms-user
username = user
password = user
concatenation = true
max-messages = 10

group = sms-service
keyword = default
${place.inboundUrl === undefined ? 'text = none' : `get-url = "${place.inboundUrl}"`}
max-messages = 0
`
}
