/**
 * SIP over UDP, TCP and TLS sockets (RFC 3261 section 18): one path to a peer for clients, one listener on UDP and TCP
 * for servers. Bytes that are not SIP are dropped (UDP) or end the connection; queues are bounded. A TLS peer whose
 * certificate does not match its name is refused.
 */
import dgram from 'node:dgram'
import net from 'node:net'
import tls from 'node:tls'
import { MAX_MESSAGE_BYTES, parseSip, type SipMessage, writeSip } from './message.ts'
import { SipStream } from './stream.ts'

export interface SipAddress {
  readonly host: string
  readonly port: number
}

export type SipTransport = 'udp' | 'tcp' | 'tls'

/** The peer's address, the local address, and the transport. The host is an IP address: locate.ts resolves names. */
export interface SipPeer extends SipAddress {
  readonly transport: SipTransport
  /** Over TLS: the name or address that the peer's certificate must have. */
  readonly name: string
  /** Local address and port; null and 0 for any. */
  readonly localHost: string | null
  readonly localPort: number
  /** Over TLS: CA certificates of the peer, in PEM; null for those of the system. */
  readonly ca: string | null
}

/** A path to one peer. */
export interface SipPath {
  /** As in Via. All transports but UDP are reliable. */
  readonly transport: Uppercase<SipTransport>
  /** The local end as the socket reports it. */
  readonly local: SipAddress
  readonly remote: SipAddress
  /** Passes the message to the socket; returns false if that was not possible. */
  send(message: SipMessage): boolean
}

export interface Dialling {
  onOpen(path: SipPath): void
  onMessage(message: SipMessage, path: SipPath): void
  /** The received bytes are not SIP. */
  onNonsense(): void
  /** Called once, when it could not be opened or was closed. Not called after `close`. */
  onDown(reason: string): void
}

/** Bytes that may be queued in one connection before it is closed as dead. */
const MAX_WAITING_BYTES = 16 * MAX_MESSAGE_BYTES
/** 65,535 less the headers of IPv6 and UDP. */
const MAX_DATAGRAM_BYTES = MAX_MESSAGE_BYTES - 48

/** Opens a path to `peer` and returns at once. Returns a function that closes it. */
export function dialSip(peer: SipPeer, events: Dialling): () => void {
  let open = true
  const once: Dialling = {
    onOpen: (path) => open && events.onOpen(path),
    onMessage: (message, path) => open && events.onMessage(message, path),
    onNonsense: () => open && events.onNonsense(),
    onDown: (reason) => {
      if (!open) return
      open = false
      close()
      events.onDown(reason)
    },
  }
  const close = peer.transport === 'udp' ? dialUdp(peer, once) : dialStream(peer, once)
  return () => {
    open = false
    close()
  }
}

/** Uses a connected socket: the kernel drops datagrams of other senders, and reports when the peer's port is closed. */
function dialUdp(peer: SipPeer, events: Dialling): () => void {
  const socket = dgram.createSocket({ type: net.isIPv6(peer.host) ? 'udp6' : 'udp4' })
  let closed = false
  socket.on('error', (error) => events.onDown(error.message))
  const connected = (error?: Error) => {
    if (closed) return
    if (error) return events.onDown(error.message)
    const { address, port } = socket.address()
    const path: SipPath = {
      transport: 'UDP',
      local: { host: address, port },
      remote: peer,
      send(message) {
        const bytes = writeSip(message)
        if (closed || bytes.length > MAX_DATAGRAM_BYTES) return false
        socket.send(bytes, (error) => error !== null && events.onDown(error.message))
        return true
      },
    }
    socket.on('message', (bytes) => {
      const message = parseSip(bytes)
      if (message !== null) events.onMessage(message, path)
      else if (!isKeepAlive(bytes)) events.onNonsense()
    })
    events.onOpen(path)
  }
  const connect = () => void (closed || socket.connect(peer.port, peer.host, connected))
  if (peer.localHost === null && peer.localPort === 0) connect()
  else socket.bind({ port: peer.localPort, ...(peer.localHost === null ? {} : { address: peer.localHost }) }, connect)
  return () => {
    if (!closed) socket.close()
    closed = true
  }
}

/** Empty lines (RFC 5626 section 3.5.1). */
function isKeepAlive(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 13 || byte === 10 || byte === 0)
}

function dialStream(peer: SipPeer, events: Dialling): () => void {
  const { host, port, ca, name, localHost, localPort } = peer
  const secure = peer.transport === 'tls'
  const local = {
    ...(localHost === null ? {} : { localAddress: localHost }),
    ...(localPort === 0 ? {} : { localPort }),
  }
  // The handshake may name host names only (RFC 6066 section 3); addresses are verified as well.
  const asked = net.isIP(name) === 0 ? { servername: name } : {}
  const socket = secure
    ? tls.connect({ host, port, ...local, ...asked, ...(ca === null ? {} : { ca }) })
    : net.connect({ host, port, ...local })
  socket.setNoDelay(true).setKeepAlive(true)
  const path = followStream(socket, peer, {
    onMessage: (message) => events.onMessage(message, path),
    onNonsense: () => events.onNonsense(),
    onDown: (reason) => events.onDown(reason),
  })
  socket.on(secure ? 'secureConnect' : 'connect', () => events.onOpen(path))
  return () => void socket.destroy()
}

/** Reads and writes one connection; `onDown` is called when it has ended, for any reason. */
function followStream(
  socket: net.Socket,
  remote: SipAddress,
  events: {
    readonly onMessage: (message: SipMessage) => void
    readonly onNonsense: () => void
    readonly onDown: (reason: string) => void
  },
): SipPath {
  const stream = new SipStream()
  let reason = 'the connection was closed'
  socket.on('error', (error) => {
    reason = error.message
  })
  socket.on('close', () => events.onDown(reason))
  socket.on('data', (chunk) => {
    for (const message of stream.push(chunk)) events.onMessage(message)
    if (stream.broken !== null && reason !== stream.broken) {
      events.onNonsense()
      reason = stream.broken
      socket.destroy()
    }
  })
  return {
    transport: socket instanceof tls.TLSSocket ? 'TLS' : 'TCP',
    get local() {
      return { host: socket.localAddress ?? '', port: socket.localPort ?? 0 }
    },
    remote,
    send(message) {
      if (!socket.writable || socket.connecting) return false
      if (socket.writableLength > MAX_WAITING_BYTES) {
        reason = 'the peer does not read'
        socket.destroy()
        return false
      }
      socket.write(writeSip(message))
      return true
    },
  }
}

export interface SipListener {
  readonly port: number
  close(): Promise<void>
}

/** Certificate and key of a listener, in PEM. */
export interface TlsIdentity {
  readonly cert: string
  readonly key: string
}

/**
 * Listens on UDP and TCP with the same port number; 0 finds a port that is free for both. Rejects if the port is taken.
 * With an `identity`, TLS replaces TCP.
 */
export async function listenSip(
  address: SipAddress,
  onMessage: (message: SipMessage, path: SipPath) => void,
  identity: TlsIdentity | null = null,
): Promise<SipListener> {
  for (let tries = 1; ; tries += 1) {
    const tcp = await listenStream(address, onMessage, identity)
    const { port } = tcp
    try {
      const udp = await listenUdp({ ...address, port }, onMessage)
      return { port, close: async () => void (await Promise.all([tcp.close(), udp.close()])) }
    } catch (error) {
      await tcp.close()
      if (address.port !== 0 || tries === 10) throw error
    }
  }
}

async function listenStream(
  address: SipAddress,
  onMessage: (message: SipMessage, path: SipPath) => void,
  identity: TlsIdentity | null,
): Promise<SipListener> {
  const sockets = new Set<net.Socket>()
  const accept = (socket: net.Socket) => {
    const remote = { host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }
    const path = followStream(socket, remote, {
      onMessage: (message) => onMessage(message, path),
      onNonsense: () => {},
      onDown: () => {},
    })
  }
  const server =
    identity === null
      ? net.createServer({ noDelay: true }, accept)
      : tls.createServer({ noDelay: true, ...identity }, accept)
  // Includes connections that never complete their TLS handshake.
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, () => resolve((server.address() as net.AddressInfo).port))
  })
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function listenUdp(
  address: SipAddress,
  onMessage: (message: SipMessage, path: SipPath) => void,
): Promise<SipListener> {
  const socket = dgram.createSocket(net.isIPv6(address.host) ? 'udp6' : 'udp4')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(address.port, address.host, resolve)
  })
  socket.on('error', () => {})
  let closed = false
  socket.on('message', (bytes, from) => {
    const message = parseSip(bytes)
    if (message === null) return
    const path: SipPath = {
      transport: 'UDP',
      local: address,
      remote: { host: from.address, port: from.port },
      send(answer) {
        const bytes = writeSip(answer)
        if (closed || bytes.length > MAX_DATAGRAM_BYTES) return false
        socket.send(bytes, from.port, from.address, () => {})
        return true
      },
    }
    onMessage(message, path)
  })
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        closed = true
        socket.close(() => resolve())
      }),
  }
}
