/** The hosts of a SIP peer, the local address, and the failover between hosts. */
import dgram from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { startCalledPhone } from '../../src/simulator/sip/called-phone.ts'
import { headerOf } from '../../src/wire/sip/headers.ts'
import { SipLocator } from '../../src/wire/sip/locate.ts'
import { listenSip } from '../../src/wire/sip/transport.ts'
import { eventually } from '../support/eventually.ts'
import { startNameServer } from '../support/name-server.ts'
import { begin, closeAll, open, random, stage, submission, taken, Wire } from '../support/sip-stage.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

afterEach(closeAll)

async function nameServer(names: Parameters<typeof startNameServer>[0]) {
  const server = await startNameServer(names)
  open.push(() => server.close())
  return server
}

const srv = (host: string, port: number, priority = 0, weight = 0) => ({ srv: { priority, weight, port, host } })

/** Starts phones on a port of their own. */
async function startPhones(clock: VirtualClock) {
  const wire = new Wire()
  const phones = await startCalledPhone({ clock, random, traffic: new PhoneTraffic(), watch: wire.watch })
  let stopped = false
  const stop = async () => {
    if (!stopped) await phones.stop()
    stopped = true
  }
  open.push(stop)
  return { port: phones.port, wire, stop }
}

/** Returns a port without a listener. */
async function deadPort(): Promise<number> {
  const listener = await listenSip({ host: '127.0.0.1', port: 0 }, () => {})
  await listener.close()
  return listener.port
}

describe('the connection to a peer', () => {
  it.each(['udp', 'tcp'] as const)('uses the local address and port of the settings (%s)', async (transport) => {
    const localPort = await deadPort()
    const { carrier, wire } = await stage(transport, null, {}, { localHost: '127.0.0.1', localPort })
    expect(await carrier.submit(submission())).toEqual([taken])
    const { message, path } = await wire.next('in INVITE')
    expect(path.remote).toEqual({ host: '127.0.0.1', port: localPort })
    expect(headerOf(message, 'Via')).toContain(`127.0.0.1:${localPort};`)
    expect(headerOf(message, 'Contact')).toContain(`@127.0.0.1:${localPort}`)
  })

  it('is down with the reason while the local port is taken, and up once it is free', async () => {
    const clock = new VirtualClock()
    const { port } = await startPhones(clock)
    const other = dgram.createSocket('udp4')
    await new Promise<void>((resolve) => other.bind(0, '127.0.0.1', resolve))
    const localPort = other.address().port
    const carrier = begin(clock, { port, localHost: '127.0.0.1', localPort })
    await eventually('the complaint', () => /EADDRINUSE/.test(carrier.state().lastError ?? ''))
    expect(carrier.state().up).toBe(false)
    await new Promise<void>((resolve) => other.close(() => resolve()))
    clock.advance(1_000)
    await eventually('the way', () => carrier.state().up)
  })

  it.each(['udp', 'tcp'] as const)(
    'leads to a backup host while the first one is gone, and back (%s)',
    async (transport) => {
      const clock = new VirtualClock()
      const [first, second] = [await startPhones(clock), await startPhones(clock)]
      const backupHosts = [`127.0.0.1:${await deadPort()}`, `127.0.0.1:${second.port}`]
      const carrier = begin(clock, { transport, port: first.port, backupHosts, pingMs: 1_000 })
      await eventually('the first', () => carrier.state().up)
      expect([first.wire.count('in OPTIONS'), second.wire.words]).toEqual([1, []])
      await first.stop()
      clock.advance(1_000)
      await eventually('the loss', () => !carrier.state().up)
      clock.advance(1_000)
      await eventually('the second', () => carrier.state().up)
      expect(await carrier.submit(submission())).toEqual([taken])
      expect(second.wire.count('in INVITE')).toBe(1)
    },
  )

  it('reports the reason of every host that cannot be reached', async () => {
    const clock = new VirtualClock()
    const carrier = begin(clock, {
      transport: 'tcp',
      port: await deadPort(),
      backupHosts: [`127.0.0.1:${await deadPort()}`],
    })
    const [verdict] = await carrier.submit(submission())
    expect(verdict).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringMatching(/ECONNREFUSED.*; .*ECONNREFUSED/),
    })
  })

  it('is resolved by SRV: the lowest priority first, then the next, and by addresses only if there is a port', async () => {
    const clock = new VirtualClock()
    const phones = await startPhones(clock)
    const dns = await nameServer({
      '_sip._tcp.trunk.example': [
        srv('b.trunk.example', phones.port, 20),
        srv('a.trunk.example', await deadPort(), 10),
      ],
      'a.trunk.example': [{ a: '127.0.0.1' }],
      'b.trunk.example': [{ a: '127.0.0.1' }],
      'trunk.example': [{ a: '127.0.0.1' }],
    })
    const settings = { transport: 'tcp', host: 'trunk.example', dnsServers: [dns.address], pingMs: 1_000 }
    const carrier = begin(clock, settings)
    await eventually('the way', () => carrier.state().up)
    expect(await carrier.submit(submission())).toEqual([taken])
    const { message } = await phones.wire.next('in INVITE')
    expect(message).toMatchObject({ uri: expect.stringContaining('@trunk.example') })
    const before = dns.asked.length
    const other = begin(clock, { ...settings, port: phones.port })
    await eventually('the other way', () => other.state().up)
    expect(dns.asked.slice(before).filter((each) => each.startsWith('SRV'))).toEqual([])
  })

  it('waits for DNS no longer than for a connection, and retries', async () => {
    const clock = new VirtualClock()
    const phones = await startPhones(clock)
    const dns = await nameServer({ 'trunk.example': [{ a: '127.0.0.1' }] })
    dns.isSilent = true
    const carrier = begin(clock, { host: 'trunk.example', port: phones.port, dnsServers: [dns.address] })
    await eventually('the question', () => dns.asked.length > 0)
    clock.advance(5_000)
    expect(carrier.state()).toMatchObject({ up: false, lastError: 'DNS does not answer' })
    dns.isSilent = false
    clock.advance(1_000)
    await eventually('the way', () => carrier.state().up)
  })

  it.each([
    ['unknown.example', 'unknown.example has no address in DNS'],
    ['local.example', 'local.example resolves to 169.254.169.254, which is refused'],
  ])('refuses %s', async (host, reason) => {
    const dns = await nameServer({ 'local.example': [{ a: '169.254.169.254' }] })
    const carrier = begin(new VirtualClock(), { host, dnsServers: [dns.address] })
    expect(await carrier.submit(submission())).toEqual([{ kind: 'unreachable', reason }])
  })

  it.each([
    [{ backupHosts: 'b' }, 'backupHosts: should be a list of at most 8 hosts'],
    [{ backupHosts: ['b:0'] }, 'backupHosts.0: should be a host'],
    [{ backupHosts: ['b', 'b c'] }, 'backupHosts.1: should be a host'],
    [{ backupHosts: Array(9).fill('b') }, 'backupHosts: should be a list of at most 8 hosts'],
    [{ dnsServers: ['ns.example'] }, 'dnsServers.0: should be an IP address'],
    [{ localHost: 'here' }, 'localHost: should be an IP address'],
    [{ localPort: 0 }, 'localPort: should be a whole number'],
  ])('refuses the settings %j', (settings, complaint) => {
    expect(() => begin(new VirtualClock(), settings)).toThrow(complaint)
  })

  it('may have IPv6 addresses as backups, with and without a port', () => {
    expect(() =>
      begin(new VirtualClock(), { port: 5_060, backupHosts: ['::1', '[::1]:5070', 'b.example'] }),
    ).not.toThrow()
  })
})

describe('SRV records of one priority', () => {
  it('are chosen at random by their weight', async () => {
    const dns = await nameServer({
      '_sip._udp.trunk.example': [
        srv('light.example', 1, 0, 1),
        srv('heavy.example', 2, 0, 9),
        srv('last.example', 3, 5, 9),
      ],
      'light.example': [{ a: '127.0.0.1' }],
      'heavy.example': [{ a: '127.0.0.2' }],
      'last.example': [{ a: '127.0.0.3' }],
    })
    const locator = new SipLocator([dns.address], () => random.below(1_000_000) / 1_000_000)
    const firsts: number[] = []
    for (let draws = 0; draws < 200; draws += 1) {
      const ports = (await locator.locate({ host: 'trunk.example', port: null }, 'udp')).map(({ port }) => port)
      expect(ports.at(-1)).toBe(3)
      firsts.push(ports[0] ?? 0)
    }
    const heavy = firsts.filter((port) => port === 2).length
    expect(heavy).toBeGreaterThan(160)
    expect(heavy).toBeLessThan(200)
  })
})
