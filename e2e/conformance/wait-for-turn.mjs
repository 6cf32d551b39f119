// Our client, once its turn has come: <port of the gate> <file of the client> <url>. The turn ends with this process.
import { once } from 'node:events'
import { connect } from 'node:net'
import { pathToFileURL } from 'node:url'

const [, , port, client] = process.argv
const gate = connect(Number(port), '127.0.0.1')
await once(gate, 'data')
gate.unref()
await import(pathToFileURL(client).href)
