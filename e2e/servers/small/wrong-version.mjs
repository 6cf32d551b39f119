// Speaks a revision that nobody knows.
import { handshake, serve } from './wire.mjs'

serve({ initialize: handshake('from-the-past', '1999-01-01') })
