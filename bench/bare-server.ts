/**
 * The measure of all: a bare `node:http` server that does nothing but read a JSON body and answer with a small JSON
 * one, or redirect a GET.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(302, ['Location', 'https://client.example/parcels/17', 'Content-Length', '0']).end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: [{ id: number }] }
    const text = `{"success":true,"data":[{"success":true,"data":{"id":${data[0].id},"msg_id":65,"data":1,"parts":1}}]}`
    response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))])
    response.end(text)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
