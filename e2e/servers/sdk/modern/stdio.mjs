// node stdio.mjs serve|reject: both eras, or 2026-07-28 alone.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { make } from './make.mjs'

serveStdio(make, { legacy: process.argv[2] ?? 'serve' })
