import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ImportReviewId } from '../../../src-shared/contract/ids.ts'
import type { ReviewedPackage, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import { PackageFacts } from './PackageFacts.tsx'

it('the review of a bundle says that its signature was not checked, and of others nothing about one (MCPB-20)', () => {
  const about: ReviewedPackage = {
    ...{ is: 'bundle', title: 'Notes', version: '1', description: '', publisher: 'Ann', source: 'notes.mcpb' },
    ...{ tools: [], privacyPolicies: [], needs: [], alarms: [] },
  }
  const words = (more: Partial<ReviewedPackage>) => {
    const review = { review: 'r' as ImportReviewId, server: {} as ReviewedServer, local: true }
    const page = createElement(PackageFacts, { ...review, about: { ...about, ...more } })
    return renderToStaticMarkup(page).replace(/<[^>]+>/g, '|')
  }
  expect(words({ signed: true })).toMatch(/notes\.mcpb\|+ signed, not checked\|/)
  expect(words({})).not.toContain('signed')
})
