import { SEARCH_HITS, type SearchHit } from '../../../src-shared/contract/conversations.ts'
import { attempt } from '../../state/attempt.ts'
import { seekVersion } from '../../state/conversation-actions.ts'
import { routeHash } from '../../state/route.ts'
import { conversationTitle } from '../../state/selectors.ts'
import { useRequest } from '../../state/use-request.ts'
import { seek } from '../../state/view-store.ts'
import { Awaited } from '../../ui/ProblemCard.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** Milliseconds without a change before a search. */
const PAUSE = 180

/** The hits of a query, with the words around each. */
export function SearchHits({ query }: { readonly query: string }) {
  const { value, problem } = useRequest('conversation.search', { query }, { pause: PAUSE })
  if (!value || problem !== undefined) return <Awaited label="Searching" lines={5} problem={problem} />
  const titled = new Set(value.hits.flatMap((hit) => (hit.messageId === undefined ? [hit.head.id] : [])))
  // Many titles are the first words of their conversation, which need no repetition.
  const hits = value.hits.filter(
    ({ head, messageId, excerpt }) => messageId === undefined || !titled.has(head.id) || excerpt.trim() !== head.title,
  )
  return (
    <>
      <p className="meta conversation-list-none" role="status">
        {hits.length === 0
          ? 'No results.'
          : `${hits.length} found${value.hits.length < SEARCH_HITS ? '' : ', and possibly more: add a word'}`}
      </p>
      <ul className="scrolls" aria-label="Search results">
        {hits.map((hit) => (
          <li key={`${hit.head.id} ${hit.messageId ?? ''}`}>
            <a
              href={routeHash({ section: 'conversations', id: hit.head.id })}
              className="conversation-hit hovers column-0 small"
              onClick={(event) => {
                const target = hit.messageId && { conversation: hit.head.id, message: hit.messageId, words: wordsOf(hit) }
                if (target && hit.inOtherVersion) {
                  event.preventDefault()
                  void attempt(seekVersion(target))
                } else seek(target)
              }}
            >
              <span className="medium">
                {hit.messageId === undefined ? <Marked hit={hit} /> : <VisibleText text={conversationTitle(hit.head)} />}
                {hit.head.archived ? <span className="meta"> Archived</span> : null}
                {hit.inOtherVersion ? <span className="meta"> In another version</span> : null}
              </span>
              {hit.messageId === undefined ? null : (
                <span className="meta">
                  <Marked hit={hit} />
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The match as the text spells it: "Café" for "cafe". */
function wordsOf({ excerpt, marks }: SearchHit): readonly string[] {
  return [...new Set(marks.map(([from, to]) => excerpt.slice(from, to)))]
}

/** An excerpt with the matching words marked. */
function Marked({ hit: { excerpt, marks } }: { readonly hit: SearchHit }) {
  return (
    <bdi>
      <VisibleText text={excerpt.slice(0, marks[0]?.[0] ?? excerpt.length)} />
      {marks.map(([from, to], at) => (
        <span key={from}>
          <mark>
            <VisibleText text={excerpt.slice(from, to)} />
          </mark>
          <VisibleText text={excerpt.slice(to, marks[at + 1]?.[0])} />
        </span>
      ))}
    </bdi>
  )
}
