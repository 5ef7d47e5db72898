/** Session descriptions (RFC 4566) of calls without media: the media port is the discard port. */

/** The payload types of G.711, which every switch accepts. */
const G711 = ['8', '0']
const DISCARD_PORT = 9
/** Lines of a peer's offer that are read. */
const MAX_LINES = 256

/** The smallest offer that switches accept: one G.711 stream. */
export function writeOffer(host: string): Uint8Array {
  return write(host, [`m=audio ${DISCARD_PORT} RTP/AVP ${G711.join(' ')}`])
}

/**
 * Answers a peer's offer (RFC 3264 section 6): as many streams as it has, the first with G.711 accepted and the others
 * refused by port 0. Returns null if no stream can be accepted.
 */
export function answerOffer(offer: Uint8Array, host: string): Uint8Array | null {
  const lines = Buffer.from(offer).toString('utf8').split(/\r?\n/, MAX_LINES)
  let taken = false
  const media = lines.flatMap((line) => {
    const [, kind, protocol, formats = ''] = /^m=(\S+) \d+(?:\/\d+)? (\S+) (.+)$/.exec(line) ?? []
    if (kind === undefined) return []
    const offered = formats.trim().split(/ +/)
    const common = offered.filter((format) => G711.includes(format))
    if (taken || kind !== 'audio' || protocol !== 'RTP/AVP' || common.length === 0) {
      return `m=${kind} 0 ${protocol} ${offered[0]}`
    }
    taken = true
    return `m=audio ${DISCARD_PORT} RTP/AVP ${common.join(' ')}`
  })
  return taken ? write(host, media) : null
}

function write(host: string, media: readonly string[]): Uint8Array {
  const address = `${host.includes(':') ? 'IP6' : 'IP4'} ${host}`
  const lines = ['v=0', `o=- 1 1 IN ${address}`, 's=-', `c=IN ${address}`, 't=0 0', ...media]
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}
