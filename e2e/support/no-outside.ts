import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import threads from 'node:worker_threads'

/** Modules that unit tests must not use, so that they stay quick and fail only because of the code. */
function refuse(what: string): () => never {
  return () => {
    throw new Error(`This unit test ${what}. Name its file *.integration.test.ts.`)
  }
}

Object.assign(childProcess.ChildProcess.prototype, { spawn: refuse('starts a process') })
Object.assign(childProcess, { spawnSync: refuse('starts a process'), execFileSync: refuse('starts a process') })
net.Server.prototype.listen = refuse('listens on a socket')
net.Socket.prototype.connect = refuse('opens a socket')
Object.assign(threads, {
  Worker: class {
    constructor() {
      refuse('starts a thread')()
    }
  },
})
Object.assign(fs, { mkdtempSync: refuse('writes files') })
Object.assign(fs.promises, { mkdtemp: refuse('writes files') })
syncBuiltinESMExports()
