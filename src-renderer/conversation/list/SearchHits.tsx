import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { SearchHit } from '../../../src-shared/contract/requests.ts'
import { failureText, searchConversations } from '../../state/actions.ts'
import { routeHash } from '../../state/route.ts'
import { conversationTitle } from '../../state/selectors.ts'
import { Skeleton } from '../../ui/states.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

const TYPING = 180

/** What was found for a query, with the words around each hit. */
export function SearchHits({ query }: { readonly query: string }) {
  const [found, setFound] = useState<readonly SearchHit[]>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const giveUp = new AbortController()
    const stop = systemClock.after(TYPING, () => {
      searchConversations(query, giveUp.signal).then(
        ({ hits }) => {
          setFound(hits)
          setProblem(undefined)
        },
        (error) => {
          if (!giveUp.signal.aborted) setProblem(failureText(error))
        },
      )
    })
    return () => {
      stop()
      giveUp.abort()
    }
  }, [query])
  if (problem !== undefined) return <p role="alert">{problem}</p>
  if (!found) return <Skeleton label="Searching" lines={5} />
  return (
    <>
      <p className="meta conversation-list-none" role="status">
        {found.length === 0 ? 'Nothing was found.' : `${found.length} found`}
      </p>
      <ul className="conversation-hits" aria-label="Search results">
        {found.map((hit) => (
          <li key={`${hit.head.id} ${hit.messageId ?? ''}`}>
            <a href={routeHash({ section: 'conversations', id: hit.head.id })} className="conversation-hit">
              <span className="conversation-hit-title">
                <VisibleText text={conversationTitle(hit.head)} />
              </span>
              <span className="meta">
                <VisibleText text={hit.excerpt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
