// Bundles our client as the app ships it, into out/bench/ours.mjs: the adapter that the client benchmark loads.
import { bundle } from '../scripts/bundle.mjs'

await bundle({ source: 'e2e/bench/client-adapter.ts', folder: 'bench', name: 'ours' })
