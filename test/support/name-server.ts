/** A name server on loopback that knows the names of a test, and can stop answering. */
import dgram from 'node:dgram'

type Answer =
  | { readonly a: string }
  | {
      readonly srv: { readonly priority: number; readonly weight: number; readonly port: number; readonly host: string }
    }

export interface NameServer {
  /** The address in the form of resolvers. */
  readonly address: string
  /** The queried names, as `SRV _sip._udp.trunk.example`. */
  readonly asked: readonly string[]
  readonly names: Map<string, readonly Answer[]>
  isSilent: boolean
  close(): Promise<void>
}

const TYPES: ReadonlyMap<number, string> = new Map([
  [1, 'A'],
  [28, 'AAAA'],
  [33, 'SRV'],
])
const NO_SUCH_NAME = 3

export async function startNameServer(names: Readonly<Record<string, readonly Answer[]>>): Promise<NameServer> {
  const socket = dgram.createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const asked: string[] = []
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    names: new Map(Object.entries(names)),
    isSilent: false,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (query, from) => {
    const { name, type, question } = readQuestion(query)
    asked.push(`${type} ${name}`)
    if (!server.isSilent)
      socket.send(writeAnswer(query, question, server.names.get(name), type), from.port, from.address)
  })
  return server
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  const end = at + 5
  const type = TYPES.get(query.readUInt16BE(at + 1)) ?? 'other'
  return { name: labels.join('.').toLowerCase(), type, question: query.subarray(12, end) }
}

function writeAnswer(query: Buffer, question: Buffer, known: readonly Answer[] | undefined, type: string): Buffer {
  const data = (known ?? []).flatMap((answer): readonly Buffer[] => {
    if ('a' in answer) return type === 'A' ? [Buffer.from(answer.a.split('.').map(Number))] : []
    if (type !== 'SRV') return []
    const { priority, weight, port, host } = answer.srv
    const head = Buffer.alloc(6)
    for (const [index, value] of [priority, weight, port].entries()) head.writeUInt16BE(value, 2 * index)
    return [Buffer.concat([head, writeName(host)])]
  })
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8580 | (known === undefined ? NO_SUCH_NAME : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(data.length, 6)
  const records = data.map((rdata) => {
    const record = Buffer.alloc(12)
    // The name is that of the question.
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type === 'SRV' ? 33 : 1, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(rdata.length, 10)
    return Buffer.concat([record, rdata])
  })
  return Buffer.concat([header, question, ...records])
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
