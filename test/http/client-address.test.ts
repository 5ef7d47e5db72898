/** Where a request comes from: the peer, or whom proxies of ours speak for; never what a client says of itself. */

import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClientAddresses } from '../../src/http/server/client-address.ts'
import { type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { eventually } from '../support/eventually.ts'

const PROXIES = ['10.0.0.0/8', 'fd00::/8']
const PEER = '10.0.0.1'

const addresses = new ClientAddresses(PROXIES)
const from = (remoteAddress: string | undefined, forwardedFor: string | null = null, forwarded: string | null = null) =>
  addresses.of({ socket: { remoteAddress }, forwardedFor, forwarded })

describe('behind proxies of ours', () => {
  test.each([
    ['a client that speaks itself', '192.0.2.9', null, null, '192.0.2.9'],
    ['and says it is another', '192.0.2.9', '198.51.100.1', 'for=198.51.100.1', '192.0.2.9'],
    ['a proxy that speaks for itself', PEER, null, null, PEER],
    ['a proxy with an empty header', PEER, '', '', PEER],
    ['a proxy mapped into IPv6', `::ffff:${PEER}`, '192.0.2.9', null, '192.0.2.9'],
    ['one hop', PEER, '192.0.2.9', null, '192.0.2.9'],
    ['what stands before it is the client’s own', PEER, '198.51.100.1, 192.0.2.9', null, '192.0.2.9'],
    ['several proxies', PEER, '198.51.100.1, 192.0.2.9, 10.9.9.9,fd00::1', null, '192.0.2.9'],
    ['proxies all the way', PEER, '10.2.2.2, 10.3.3.3', null, '10.2.2.2'],
    ['with a port', PEER, '192.0.2.9:4711', null, '192.0.2.9'],
    ['IPv6', PEER, '2001:DB8:0::9', null, '2001:db8::9'],
    ['IPv6 with a port', PEER, '[2001:db8::9]:4711', null, '2001:db8::9'],
    ['IPv6 in brackets', PEER, '[2001:db8::9]', null, '2001:db8::9'],
    ['no address', PEER, 'unknown', null, null],
    ['no address before a proxy', PEER, '192.0.2.9, unknown, 10.3.3.3', null, null],
    ['another spelling of a number', PEER, '0300.0.2.9', null, null],
    ['Forwarded', PEER, null, 'for=192.0.2.9', '192.0.2.9'],
    ['Forwarded, whatever else it says', PEER, null, 'proto=https; By=10.0.0.1;FOR="192.0.2.9:80"', '192.0.2.9'],
    ['Forwarded with IPv6', PEER, null, 'for="[2001:db8::9]:4711"', '2001:db8::9'],
    ['Forwarded with several', PEER, null, 'for=198.51.100.1, for=192.0.2.9;proto=http , for=10.4.4.4', '192.0.2.9'],
    ['Forwarded with commas in quotes', PEER, null, 'for="x, for=198.51.100.1", for=192.0.2.9', '192.0.2.9'],
    ['Forwarded without an address', PEER, null, 'for=192.0.2.9, for=_hidden', null],
    ['Forwarded without for', PEER, null, 'for=192.0.2.9, proto=https', null],
    ['Forwarded with a quote that never ends', PEER, null, 'for="192.0.2.9, for=192.0.2.8', null],
    ['Forwarded that is none', PEER, null, '192.0.2.9', null],
    ['both, which agree', PEER, '2001:db8::9', 'for="[2001:DB8::9]"', '2001:db8::9'],
    ['both, of which one was passed on', PEER, '192.0.2.9', 'for=198.51.100.1', null],
    ['no connection any more', undefined, '192.0.2.9', null, null],
  ])('%s', (_what, peer, forwardedFor, forwarded, expected) =>
    expect(from(peer, forwardedFor, forwarded)).toBe(expected),
  )

  test('nothing that a client sends moves it away from where its proxy saw it', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.constantFrom('10.0.0.1', 'for=10.0.0.1', 'for="', '\\', '"', ',', ';', 'for="a\\', 'unknown', '[::1]'),
    )
    const claim = fc.array(junk, { maxLength: 6 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(claim, fc.constantFrom('192.0.2.9', '2001:db8::9'), (said, seen) => {
        const element = seen.includes(':') ? `for="[${seen}]:4711"` : `for=${seen}`
        expect(from(PEER, `${said}, ${seen}`)).toBe(seen)
        expect([seen, null]).toContain(from(PEER, null, `${said}, ${element}`))
        expect([seen, null]).toContain(from(PEER, `${said}, ${seen}`, said))
        expect([seen, null]).toContain(from(PEER, said === '' ? null : said, `${said}, ${element}`))
      }),
      { numRuns: 500 },
    )
  })
})

describe('an account that names its networks', () => {
  let bench: ClientBench
  beforeAll(async () => {
    bench = await startClientBench({
      settings: { allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] },
      trustedProxies: ['127.0.0.1/32'],
    })
  })
  afterAll(() => bench.stop())

  const body = JSON.stringify({ auth: KEY, data: [{ type: 'balance' }] })
  /** Over a socket, so that headers come as they were sent, on the fast way and on Node's. */
  async function ask(path: string, ...headers: readonly string[]): Promise<'open' | 'denied'> {
    const socket = connect(Number(new URL(bench.address).port), '127.0.0.1')
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk.toString()
    })
    const head = [`POST ${path} HTTP/1.1`, 'Host: p', 'Content-Type: application/json', ...headers]
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    await eventually('an answer', () => got.endsWith('}'))
    socket.destroy()
    if (got.includes('"amount"')) return 'open'
    expect(got).toMatch(/\{"success":false,"error":"Access denied","code":"access_denied"\}$/)
    return 'denied'
  }
  /** The second is not of the plainest kind and left to Node. */
  const paths = [SYNC_PATH, `${SYNC_PATH}?x=1`]

  test.each([
    ['its own network', ['X-Forwarded-For: 192.0.2.7'], 'open'],
    ['its own network mapped into IPv6', ['X-Forwarded-For: ::ffff:192.0.2.7'], 'open'],
    ['its own IPv6 network', ['Forwarded: for="[2001:db8:1::2]:80"'], 'open'],
    ['elsewhere', ['X-Forwarded-For: 198.51.100.7'], 'denied'],
    ['the proxy itself', [], 'denied'],
    ['a claim before the truth', ['X-Forwarded-For: 192.0.2.7, 198.51.100.7'], 'denied'],
    ['a claim in a header of its own', ['X-Forwarded-For: 192.0.2.7', 'X-Forwarded-For: 198.51.100.7'], 'denied'],
    ['a claim in the other header', ['Forwarded: for=192.0.2.7', 'X-Forwarded-For: 198.51.100.7'], 'denied'],
    ['unknown', ['X-Forwarded-For: unknown'], 'denied'],
  ] as const)('from %s', async (_where, headers, expected) => {
    for (const path of paths) expect(await ask(path, ...headers)).toBe(expected)
  })

  test('is open to a peer in its networks, who cannot lose that by what it says', async () => {
    const local = await startClientBench({ settings: { allowedNetworks: ['127.0.0.0/8'] } })
    for (const headers of [{}, { 'X-Forwarded-For': '198.51.100.1' }]) {
      expect(await local.post([{ type: 'balance' }], { headers })).toMatchObject({ success: true })
    }
    await local.stop()
  })

  test('is closed to a peer elsewhere, with any headers', async () => {
    const other = await startClientBench({ settings: { allowedNetworks: ['192.0.2.0/24'] } })
    for (const headers of [{}, { 'X-Forwarded-For': '192.0.2.7' }, { Forwarded: 'for=192.0.2.7' }]) {
      const denied = { success: false, error: 'Access denied', code: 'access_denied' }
      expect(await other.post([{ type: 'balance' }], { headers })).toEqual(denied)
    }
    await other.stop()
  })
})
