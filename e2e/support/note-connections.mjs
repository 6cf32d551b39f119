// Loaded into a host with `--import`: notes every name that its process looks up and every address that it tries to reach, loopback
// left out, one a line in the file that NOTE_CONNECTIONS names.
import { subscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'

const file = process.env.NOTE_CONNECTIONS
const isHere = (host) => host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('::ffff:127.')
const note = (what, host) => {
  if (!isHere(host)) appendFileSync(file, `${what} ${host}\n`)
}

subscribe('net.client.socket', ({ socket }) => {
  socket.on('connectionAttempt', (address) => note('connects to', address))
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

// A name may be looked up without a socket, in any of four ways; those of a socket go by `lookup`, too.
for (const way of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(way))) {
    if (!/^(lookup|resolve|reverse)/.test(name)) continue
    const looked = way[name]
    way[name] = function (host, ...rest) {
      if (!isIP(host)) note('looks up', host)
      return looked.call(this, host, ...rest)
    }
  }
}
syncBuiltinESMExports()
