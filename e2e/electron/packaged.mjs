// Starts the packaged app from inside its archive, as its program would: without a script on the command line.
import { pathToFileURL } from 'node:url'

await import(pathToFileURL(`${process.env.PARLEY_DOUBLE_ARCHIVE}/out/main/electron.js`).href)
