// Subjects of the commits ahead of main are short: logs and lists of commits cut longer ones.
import { run } from './run.mjs'

/** Characters of a subject that logs, lists of commits and mails show whole. */
const MAX_SUBJECT = 72

/** A part of `npm run check`. Passes without a look where there is no main to compare with, as in a clone of one branch or without git. */
export async function checkCommitSubjects({ cwd } = {}) {
  const main = await firstThatExists(['origin/main', 'main'], cwd)
  if (!main) return { code: 0 }
  const { output } = await run('git', ['log', '--no-merges', '--format=%h %s', `${main}..HEAD`], { quiet: true, cwd })
  const long = output.split('\n').filter((line) => [...line.slice(line.indexOf(' ') + 1)].length > MAX_SUBJECT)
  if (long.length === 0) return { code: 0 }
  const message = `Subjects of commits have at most ${MAX_SUBJECT} characters; the why goes into the body:\n${long.join('\n')}\n`
  console.error(message)
  return { code: 1, output: message }
}

async function firstThatExists(names, cwd) {
  for (const name of names) {
    const found = await run('git', ['rev-parse', '--verify', '--quiet', name], { quiet: true, cwd }).catch(() => ({ code: 1 })) // No git here.
    if (found.code === 0) return name
  }
  return undefined
}
