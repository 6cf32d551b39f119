import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type OpenStorage, openStorage } from '../../../src-main/storage/open-storage.ts'
import type { SecretCipher } from '../../../src-main/storage/secret-store.ts'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ConversationHead, Message, ToolCall, Turn } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'

/** A folder of its own for one test, gone afterwards. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-storage-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A lifetime that ends with the test. */
export function testLifetime(): Lifetime {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  return lifetime
}

export async function storageIn(
  folder: string,
  options: { clock?: Clock; cipher?: SecretCipher; shell?: 'electron' | 'web'; address?: string; waitForClosing?: number } = {},
): Promise<OpenStorage> {
  return openStorage({ folder, shell: 'web', clock: systemClock, lifetime: testLifetime(), ...options })
}

/** Runs storage-child.ts and reads what it prints. */
export function startChild(
  mode: 'hold' | 'write' | 'versions',
  folder: string,
): { child: ChildProcess; nextLine: () => Promise<string> } {
  const script = fileURLToPath(new URL('./storage-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, mode, folder], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    nextLine: async () => {
      const { value, done } = await lines.next()
      if (done) throw new Error('the child printed nothing more')
      return value
    },
  }
}

export const id = <Name extends string>(text: string) => text as Id<Name>

export function headOf(name: string, change: Partial<ConversationHead> = {}): ConversationHead {
  return { id: id(name), title: '', createdAt: 1, updatedAt: 1, sequence: 1, model: DEMO_MODEL, turn: 'idle', ...change }
}

export function messageOf(name: string, text: string, change: Partial<Message> = {}): Message {
  const parts = text === '' ? [] : [{ type: 'text' as const, text }]
  return { id: id(name), turnId: id('turn'), role: 'user', at: 1, parts, status: 'done', ...change }
}

export function toolCallOf(name: string, message: string, change: Partial<ToolCall> = {}): ToolCall {
  const parts = { turnId: id<'turn'>('turn'), messageId: id<'message'>(message), arguments: { json: '{}' } }
  return { id: id(name), ...parts, tool: 'echo', status: 'proposed', proposedAt: 1, ...change }
}

export function turnOf(name: string, change: Partial<Turn> = {}): Turn {
  return { id: id(name), status: 'running', startedAt: 1, round: 1, ...change }
}

export const conversationId = (text: string): ConversationId => id(text)
