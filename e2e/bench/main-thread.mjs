// Watches the main thread of a page: its longest task, and how long a person's key press takes to be painted.

/** In the page. */
function watch() {
  const seen = { long: [], frames: 0, keys: [], since: 0 }
  new PerformanceObserver((list) => seen.long.push(...list.getEntries())).observe({ type: 'longtask', buffered: true })
  const frame = () => {
    seen.frames += 1
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  // From the press, as the system stamped it, to the task after the frame that shows it.
  const typed = ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => seen.keys.push(performance.now() - timeStamp)
      port2.postMessage(0)
    })
  }
  addEventListener('input', typed, true)
  window.mainThread = {
    begin: (mark) => {
      Object.assign(seen, { long: [], frames: 0, keys: [], since: performance.now() })
      performance.mark(mark)
    },
    end: (mark) => {
      performance.mark(mark)
      return {
        // One that is under way when the watching begins is not part of it.
        long: seen.long.filter(({ startTime }) => startTime >= seen.since).map(({ duration }) => duration),
        frames: (seen.frames * 1000) / (performance.now() - seen.since),
        keys: seen.keys,
      }
    },
  }
}

/** From now on every document of this context is watched. */
export async function watchMainThread(context) {
  await context.addInitScript(watch)
}

const isTask = ({ name }) => name.endsWith('RunTask')

/** With BENCH_WHY=1 the trace also tells what the longest task is made of, at the price of a slower page. */
const WHY = process.env.BENCH_WHY === '1'
const CATEGORIES = ['toplevel', 'blink.user_timing', ...(WHY ? ['devtools.timeline', 'v8', 'disabled-by-default-v8.gc'] : [])]
/** Marks of the page around the watched part: the cost of tracing before and after is no task of the page. */
const [BEGIN, END] = ['watching begins', 'watching ends']

/** Starts a trace of the browser, with room for minutes of it; the function given ends it and gives its events. */
async function startTrace(browser) {
  const session = await browser.newBrowserCDPSession()
  const traceConfig = { includedCategories: CATEGORIES, excludedCategories: ['*'] }
  Object.assign(traceConfig, { recordMode: 'recordContinuously', traceBufferSizeInKb: 400_000 })
  await session.send('Tracing.start', { transferMode: 'ReturnAsStream', traceConfig })
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    const { stream } = await complete
    const pieces = []
    for (let end = false; !end; ) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle: stream, size: 1 << 20 })
      pieces.push(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'))
      end = eof
    }
    await session.detach()
    return JSON.parse(Buffer.concat(pieces).toString()).traceEvents
  }
}

/** Processor time in a task by kind of work, without nested work: largest first. */
function partsOf(task, events) {
  const spent = new Map()
  const add = (name, time) => spent.set(name, (spent.get(name) ?? 0) + time)
  const within = events.filter(({ ts, dur = 0, tdur }) => tdur && ts >= task.ts && ts + dur <= task.ts + task.dur)
  const open = []
  for (const event of within.sort((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    while (open.length > 0 && open.at(-1).ts + open.at(-1).dur <= event.ts) open.pop()
    if (open.length > 0) add(open.at(-1).name, -event.tdur)
    add(event.name, event.tdur)
    open.push(event)
  }
  const most = [...spent].sort(([, a], [, b]) => b - a).slice(0, 8)
  return most.map(([name, time]) => `${name} ${(time / 1000).toFixed(1)}`).join(', ')
}

/** Which code of the browser asked for a task. */
const postedBy = ({ args = {} }) => args.src_func ?? args.task?.posted_from?.function_name ?? JSON.stringify(args).slice(0, 200)

/** The longest task of the busiest page in a trace of Chromium, by the clock and by the processor, in milliseconds. */
function longestIn(traceEvents) {
  const threads = new Map()
  for (const { ph, name, args, pid, tid } of traceEvents) {
    if (ph === 'M' && name === 'thread_name' && args.name === 'CrRendererMain') threads.set(`${pid} ${tid}`, [])
  }
  for (const event of traceEvents) {
    if (event.ph === 'X' && (WHY || isTask(event))) threads.get(`${event.pid} ${event.tid}`)?.push(event)
  }
  const at = (mark) => traceEvents.findLast(({ name }) => name === mark)?.ts
  const [from, to] = [at(BEGIN), at(END)]
  if (from === undefined || to === undefined) throw new Error('The trace is longer than its buffer')
  const work = (tasks) => tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0)
  const [events = []] = [...threads.values()].sort((a, b) => work(b.filter(isTask)) - work(a.filter(isTask)))
  const busiest = events.filter((event) => isTask(event) && event.ts >= from && event.ts + event.dur <= to)
  const most = (key) => busiest.reduce((longest, task) => Math.max(longest, task[key] ?? 0), 0) / 1000
  const longestCpu = most('tdur')
  const worst = busiest.find(({ tdur = 0 }) => tdur / 1000 === longestCpu)
  const why = WHY && worst ? { why: `${postedBy(worst)}: ${partsOf(worst, events)}` } : {}
  return { longest: most('dur'), longestCpu, cpu: work(busiest) / 1000, ...why }
}

/**
 * Measures the main thread while `work` is done: its longest task by the clock and by the processor (which other programs
 * do not lengthen), all of its work, frames a second, and every key's echo. Milliseconds.
 */
export async function during(page, work) {
  const stop = await startTrace(page.context().browser())
  await page.evaluate((mark) => window.mainThread.begin(mark), BEGIN)
  try {
    await work()
    const { long, ...rest } = await page.evaluate((mark) => window.mainThread.end(mark), END)
    const { longest, ...traced } = longestIn(await stop())
    if (WHY) traced.why += `; by the page's own watch ${Math.max(0, ...long)} ms`
    return { ...traced, longest: Math.max(longest, ...long), ...rest }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

/** The same of a page with nothing on it, for `time` milliseconds: what this machine does to any page. */
export async function onEmptyPage(context, url, time) {
  const page = await context.newPage()
  try {
    const body = '<!doctype html><title>empty</title>'
    await page.route('**/empty-page', (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(new URL('/empty-page', url).href)
    return await during(page, () => page.waitForTimeout(time))
  } finally {
    await page.close()
  }
}
