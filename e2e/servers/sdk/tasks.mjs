// node tasks.mjs session|extension <folder> [http]: a server of the official SDK whose tool `report` runs as a task. The folder outlives
// the process: its tasks, its sessions, and in counts.json how often each thing happened. The test writes `phase` into it: “ask” asks the
// person once for a name, “done” ends all tasks. Over HTTP it prints its port.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { Server as SessionServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const [, , form, folder, over] = process.argv
const file = (name) => join(folder, name)
const read = (name, otherwise) => (existsSync(file(name)) ? JSON.parse(readFileSync(file(name), 'utf8')) : otherwise)
const happened = (what) => appendFileSync(file('happened'), `${what}\n`)
const phase = () => (existsSync(file('phase')) ? readFileSync(file('phase'), 'utf8') : 'working')
const QUESTION = {
  mode: 'form',
  message: 'Who is it for?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
}
const report = (name) => ({ content: [{ type: 'text', text: `The report for ${name ?? 'nobody'}` }] })

/** Tasks of 2025-11-25 that outlive the process. */
class FileTasks extends InMemoryTaskStore {
  constructor() {
    super()
    for (const [id, task] of read('tasks.json', [])) this.tasks.set(id, task)
  }
  async createTask(...given) {
    return this.#saved(await super.createTask(...given))
  }
  async storeTaskResult(...given) {
    return this.#saved(await super.storeTaskResult(...given))
  }
  async updateTaskStatus(...given) {
    return this.#saved(await super.updateTaskStatus(...given))
  }
  get open() {
    return [...this.tasks].filter(([, { task }]) => task.status === 'working' || task.status === 'input_required')
  }
  #saved(value) {
    writeFileSync(file('tasks.json'), JSON.stringify([...this.tasks]))
    return value
  }
}

/** Asks when it is time to, and ends the tasks. */
async function work(store, server) {
  for (const [id, { sessionId }] of store.open) {
    // Each session has a server of its own, and a question of another one would never arrive.
    if (sessionId !== server.transport?.sessionId) continue
    if (phase() === 'ask' && !existsSync(file('name')) && store.asking !== id) {
      store.asking = id
      happened('asked')
      await store.updateTaskStatus(id, 'input_required', 'Asks who it is for', sessionId)
      const answer = await server.request({ method: 'elicitation/create', params: QUESTION }, ElicitResultSchema, {
        relatedTask: { taskId: id },
      })
      writeFileSync(file('name'), answer.content?.name ?? '')
      await store.updateTaskStatus(id, 'working', 'Writes the report', sessionId)
    } else if (phase() === 'done') {
      const name = existsSync(file('name')) ? readFileSync(file('name'), 'utf8') : undefined
      await store.storeTaskResult(id, 'completed', report(name), sessionId)
    }
  }
}

function sessionServer(store) {
  const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
  const server = new SessionServer(
    { name: 'tasks', version: '1.0.0' },
    { capabilities, taskStore: store, taskMessageQueue: new InMemoryTaskMessageQueue() },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      { name: 'report', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
      { name: 'quick', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
    ],
  }))
  server.setRequestHandler(CallToolRequestSchema, async (_request, { taskStore }) => {
    happened('called')
    return { task: await taskStore.createTask({ ttl: 86_400_000, pollInterval: 1000 }) }
  })
  const timer = setInterval(() => void work(store, server).catch((error) => console.error(error)), 50)
  server.onclose = () => clearInterval(timer)
  return server
}

/** A server of the extension; its tasks are those of the folder. */
function extensionServer() {
  const server = new McpServer(
    { name: 'tasks', version: '2.0.0' },
    { capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } },
  )
  const state = () => {
    const at = new Date().toISOString()
    const task = { taskId: 'task-1', createdAt: at, lastUpdatedAt: at, ttlMs: null, pollIntervalMs: 1000 }
    const name = existsSync(file('name')) ? readFileSync(file('name'), 'utf8') : undefined
    if (phase() === 'done') return { ...task, status: 'completed', result: { ...report(name), resultType: 'complete' } }
    if (phase() === 'ask' && name === undefined) {
      return { ...task, status: 'input_required', inputRequests: { who: { method: 'elicitation/create', params: QUESTION } } }
    }
    return { ...task, status: 'working', statusMessage: 'Writes the report' }
  }
  server.registerTool('report', { inputSchema: fromJsonSchema({ type: 'object' }) }, () => {
    happened('called')
    writeFileSync(file('created'), '')
    return { resultType: 'task', ...state(), content: [] }
  })
  const params = fromJsonSchema({ type: 'object', properties: { taskId: { type: 'string' } }, required: ['taskId'] })
  const any = fromJsonSchema({ type: 'object' })
  server.server.setRequestHandler('tasks/get', { params, result: any }, () => ({ resultType: 'complete', ...state() }))
  server.server.setRequestHandler('tasks/update', { params: any, result: any }, (_params, { mcpReq }) => {
    happened('asked')
    writeFileSync(file('name'), mcpReq.inputResponses.who.content.name)
    return { resultType: 'complete' }
  })
  return server
}

/** Answers each request with the session that it names; sessions outlive the process, too. */
function sessionHandler(store) {
  const sessions = new Map()
  const open = async (known) => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, transport)
        writeFileSync(file('sessions.json'), JSON.stringify([...sessions.keys()]))
      },
      onsessionclosed: (id) => {
        happened('session ended')
        sessions.delete(id)
      },
    })
    // The SDK has no way to take up a session again.
    if (known) Object.assign(transport, { sessionId: known, _initialized: true })
    await sessionServer(store).connect(transport)
    if (known) sessions.set(known, transport)
    return transport
  }
  const ready = Promise.all(read('sessions.json', []).map(open))
  return async (request) => {
    await ready
    const id = request.headers.get('mcp-session-id')
    if (id && !sessions.has(id)) return new Response('no such session', { status: 404 })
    return (id ? sessions.get(id) : await open()).handleRequest(request)
  }
}

function listen(handle) {
  createServer(async (req, res) => {
    const gone = new AbortController()
    res.on('close', () => gone.abort())
    const { method, headers } = req
    const body = method === 'POST' && { body: Readable.toWeb(req), duplex: 'half' }
    const answer = await handle(new Request(`http://127.0.0.1${req.url}`, { method, headers, signal: gone.signal, ...body }))
    res.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders()
    if (!answer.body) return res.end()
    Readable.fromWeb(answer.body)
      .on('error', () => res.destroy())
      .pipe(res)
  }).listen(0, '127.0.0.1', function () {
    console.log(this.address().port)
  })
}

if (form === 'session') {
  const store = new FileTasks()
  if (over === 'http') listen(sessionHandler(store))
  else await sessionServer(store).connect(new StdioServerTransport())
} else if (over === 'http') listen((request) => createMcpHandler(extensionServer, { legacy: 'reject' }).fetch(request))
else serveStdio(extensionServer, { legacy: 'reject' })
