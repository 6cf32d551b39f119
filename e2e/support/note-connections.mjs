// Loaded into a host with `--import`: notes every name that its process looks up and every address that it tries to reach, loopback
// left out, one a line in the file that NOTE_CONNECTIONS names.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { isIP } from 'node:net'

const file = process.env.NOTE_CONNECTIONS
const isHere = (host) => host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('::ffff:127.')
const note = (what, host) => {
  if (!isHere(host)) appendFileSync(file, `${what} ${host}\n`)
}

subscribe('net.client.socket', ({ socket }) => {
  socket.on('connectionAttempt', (address) => note('connects to', address))
  socket.on('lookup', (_error, _address, _family, host) => {
    if (!isIP(host)) note('looks up', host)
  })
})
// Other resolvers of Node, and others' protocols, go by datagrams.
subscribe('udp.socket', ({ socket }) => {
  const send = socket.send.bind(socket)
  socket.send = (...args) => {
    const host = args.findLast((one) => typeof one === 'string')
    note('sends a datagram to', host ?? 'somewhere')
    return send(...args)
  }
})
