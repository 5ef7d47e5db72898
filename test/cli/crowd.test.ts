/** Clients of a gateway that was stopped come to the others all at once. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine } from '../support/command-line.ts'

const SOMAXCONN = '/proc/sys/net/core/somaxconn'
/** More than Node lets wait by itself, and as many as the system lets wait. */
const CLIENTS = Math.min(1_500, existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 128)

let line: CommandLine
let program: ChildProgram
beforeEach(async () => {
  line = new CommandLine()
  await line.init()
  program = new ChildProgram(['serve', '--json', '--port', '0', '--admin-port', '0', '--data-dir', line.dataDir])
})
afterEach(async () => {
  program.end()
  await line.close()
})

test('every one of them is connected while the gateway does something else, and answered then', async () => {
  const { address = '' } = await program.firstAnswer()
  const { hostname, port } = new URL(address)
  program.signal('SIGSTOP')
  const sockets = Array.from({ length: CLIENTS }, () => net.connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  program.signal('SIGCONT')
  const answers = sockets.map(async (socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const [answer] = await once(socket, 'data')
    return String(answer).slice(0, 15)
  })
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']))
  for (const socket of sockets) socket.destroy()
})
