// node http.mjs stateless|reject: prints its port. GET /changed tells every listen stream that the tools changed, GET /updated that
// the resource did, GET /open says how many answers are under way.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { make } from './make.mjs'

const handler = createMcpHandler(make, { legacy: process.argv[2] ?? 'stateless' })
let open = 0
createServer(async (req, res) => {
  if (req.url === '/changed') return res.end(void handler.notify.toolsChanged())
  if (req.url === '/updated') return res.end(void handler.notify.resourceUpdated('count:all'))
  if (req.url === '/open') return res.end(String(open))
  open++
  const gone = new AbortController()
  res.on('close', () => {
    open--
    gone.abort()
  })
  const { method, headers } = req
  const body = method === 'POST' && { body: Readable.toWeb(req), duplex: 'half' }
  const answer = await handler.fetch(new Request(`http://127.0.0.1${req.url}`, { method, headers, signal: gone.signal, ...body }))
  res.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders()
  if (!answer.body) return res.end()
  Readable.fromWeb(answer.body)
    .on('error', () => res.destroy())
    .pipe(res)
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port)
})
