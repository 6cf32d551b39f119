// Draws every icon of the app from assets/icon.svg, into assets/icons.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { iconFiles } from '../support/icon-files.ts'
import { root } from './run.mjs'

const folder = join(root, 'assets', 'icons')
const files = await iconFiles(readFileSync(join(root, 'assets', 'icon.svg'), 'utf8'))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
console.log(`Drew ${files.size} files into assets/icons.`)
