import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LaunchView } from './LaunchView.tsx'

it('a script is named once where an argument is its path, and by its line where it is not', () => {
  const shown = (args: readonly string[], ...code: readonly string[]) =>
    renderToStaticMarkup(
      createElement(LaunchView, { launch: { type: 'local', command: 'node', args, cwd: '/srv', env: [], code } }),
    )
  const same = shown(['/srv/bees.js'], '/srv/bees.js')
  expect(same.split('bees.js')).toHaveLength(2)
  expect(same).not.toContain('Script')
  expect(shown(['./bees.js'], '/srv/bees.js')).toContain('Script')
  expect(shown(['/srv/bees.js'], '/srv/bees.js', '/srv/wax.js')).toMatch(/Script.*wax\.js/)
})
