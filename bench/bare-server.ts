/**
 * The measure of all: a bare `node:http` server that does nothing but read a JSON body and answer with a small JSON
 * one, or redirect a GET. With `rows` it first writes as many bare rows as ours for accepted messages, in a thread of
 * its own, with one fsync for all that wait: what it reaches bounds what a gateway that stores can.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BareWriter } from './bare-writer.ts'

export interface BareSetup {
  readonly rows: boolean
}

type Sends = readonly { readonly id: number }[]

const { rows } = JSON.parse(process.argv[2] ?? '') as BareSetup
/** Rows of an accepted message (`bench/cost.ts`). */
const ROWS_ACCEPTED = 5
const writer = rows ? new BareWriter() : null

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(302, ['Location', 'https://client.example/parcels/17', 'Content-Length', '0']).end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly data: Sends }
    if (writer === null) answer(response, data)
    else writer.write([ROWS_ACCEPTED, data.map((send) => JSON.stringify(send))], () => answer(response, data))
  })
})

function answer(response: ServerResponse, data: Sends): void {
  const items = data.map(({ id }) => `{"success":true,"data":{"id":${id},"msg_id":65,"data":1,"parts":1}}`)
  const text = `{"success":true,"data":[${items.join(',')}]}`
  response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))])
  response.end(text)
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
