// Plays in the page with a real browser, as a person does: by clicks. Prints what it saw as one line of JSON.
// usage: node page.mjs '{"scenarios": [NAME, ...], "url": URL, "shots": FOLDER, ...}'

import {chromium} from 'playwright-core'

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
const MARGIN = 0.8
const scenarios = {gomoku, othello, refusals, phone, engineDies, left, shots}

async function gomoku(task, page) {
  await begin(page, {game: 'gomoku', size: '9', in_a_row: '5', black: 'person', white: 'engine', movetime: '0.05'})
  const words = [await press(page, {x: 4, y: 4}, /to move|wins/)]
  while (!/wins|Draw/.test(words.at(-1))) words.push(await press(page, target(await stones(page), 9), /Black to move|wins|Draw/))
  const board = await stones(page)
  await shoot(page, task, 'gomoku')
  await page.click('[data-action=undo]')
  await status(page, /Black to move/)
  const after = await stones(page)
  await page.click('[data-action=redo]')
  await status(page, /wins|Draw/)
  return {words, stones: board.length, undone: after.length, again: (await stones(page)).length, sgf: await record(page)}
}

async function othello(task, page) {
  await begin(page, {game: 'othello', size: '6', black: 'person', white: 'engine', movetime: '0.05'})
  const score = await page.textContent('#score')
  await page.click('#hint')
  const hint = await status(page, /To lose, play/)
  let turns = 0, marked = 0, turned = 0
  while (!/wins|Draw/.test(await status(page, /Black to move|wins|Draw/))) {
    const legal = await page.$$eval('circle.legal', (marks) => marks.map((mark) => ({x: mark.getAttribute('cx') - 0.5, y: mark.getAttribute('cy') - 0.5})))
    await press(page, legal[0], /Black to move|wins|Draw/, 6)
    marked += (await page.$$('.flip-mark')).length > 0
    turned += (await page.$$('.turning')).length > 0
    turns++
    if (turns === 6) await shoot(page, task, 'othello')
  }
  const text = await page.textContent('#status')
  return {score, hint, turns, marked, turned, text, after: await page.textContent('#score'), sgf: await record(page)}
}

// What is refused leaves everything as it was, and says so in words.
async function refusals(task, page) {
  await begin(page, {game: 'gomoku', size: '9', in_a_row: '5', black: 'person', white: 'engine', movetime: '3600'})
  await click(page, {x: 4, y: 4})
  await status(page, /White is thinking/)
  const seen = {}
  await click(page, {x: 2, y: 2})
  seen.thinking = await status(page, /thinking:/)
  await page.click('#now')
  await status(page, /Black to move/)
  await click(page, {x: 4, y: 4})
  seen.occupied = await status(page, /occupied/)
  seen.stones = (await stones(page)).length
  await page.click('#sgf')
  await page.fill('#record textarea', '(;GM[4]SZ[9];B[zz')
  await page.click('#record .load')
  seen.broken = await status(page, /no game/)
  seen.kept = (await stones(page)).length
  await page.click('#sgf')
  await page.fill('#record textarea', '(;GM[4]SZ[9];B[ee];W[aa];B[ff])')
  await page.click('#record .load')
  await page.waitForFunction(() => document.querySelectorAll('#board g > g').length === 3)
  seen.loaded = await status(page, /Paused/)
  await page.click('#new')
  await page.fill('[name=in_a_row]', '99')
  await page.click('#new-game .start')
  await page.waitForFunction(() => document.querySelector('.problem').textContent)
  seen.row = await page.textContent('.problem')
  await page.click('#new-game .cancel')
  await page.selectOption('#language', 'zh_CN')
  seen.chinese = await page.textContent('#new')
  return seen
}

async function phone(task, page) {
  await page.setViewportSize({width: 390, height: 844})
  await begin(page, {game: 'gomoku', size: '15', black: 'person', white: 'person'})
  const box = await page.locator('#board').boundingBox()
  const cell = box.width / (15 + 2 * MARGIN)
  await page.touchscreen.tap(box.x + (MARGIN + 7.5) * cell, box.y + (MARGIN + 7.5) * cell)
  await status(page, /White to move/)
  await shoot(page, task, 'phone')
  return {stones: (await stones(page)).length, wider: await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)}
}

async function engineDies(task, page) {
  await begin(page, {game: 'gomoku', size: '9', black: 'person', white: 'person'})
  await press(page, {x: 4, y: 4}, /White to move/)
  process.stdout.write('kill\n')
  await page.waitForSelector('#alarm:not([hidden])')
  const alarm = await page.textContent('#alarm h2')
  await page.click('#alarm button')
  await status(page, /White to move/)
  return {alarm, stones: (await stones(page)).length}
}

// A session that the server no longer knows: the page begins again where the game was left.
async function left(task, page) {
  await begin(page, {game: 'gomoku', size: '9', in_a_row: '5', black: 'person', white: 'person'})
  await press(page, {x: 4, y: 4}, /White to move/)
  await page.context().clearCookies()
  await click(page, {x: 2, y: 2})
  await page.waitForSelector('#gone[open]')
  const words = await page.textContent('#gone p')
  await page.click('#gone button')
  await page.waitForFunction(() => !document.querySelector('#gone').open)
  await page.waitForFunction(() => document.querySelectorAll('.label').length === 36)
  await page.waitForFunction(() => document.querySelectorAll('#board > g:nth-of-type(1) > g').length === 1)
  return {words, status: await settled(page, /White to move/)}
}

// The pictures of the README.
async function shots(task, page) {
  await begin(page, {game: 'othello', size: '8', black: 'engine', white: 'engine', movetime: '0.1'})
  await page.waitForFunction(() => document.querySelectorAll('#board > g:nth-of-type(1) > g').length >= 24, null, {timeout: 60000})
  await page.click('#pause')
  await status(page, /Paused/)
  await page.check('#analyze')
  await page.waitForSelector('.candidate')
  await page.waitForTimeout(2500)
  await shoot(page, task, 'web')
  return {}
}

async function begin(page, choices) {
  await page.waitForFunction(() => /to move|thinking|wins/.test(document.querySelector('#status').textContent))
  await page.click('#new')
  await page.selectOption('[name=game]', choices.game)
  for (const name of ['size', 'black', 'white']) await page.selectOption(`[name=${name}]`, choices[name])
  for (const name of ['in_a_row', 'movetime']) if (choices[name]) await page.fill(`[name=${name}]`, choices[name])
  await page.click('#new-game .start')
  await page.waitForFunction(() => !document.querySelector('#new-game').open)
  const name = {gomoku: 'gomoku', othello: 'othello'}[choices.game]
  const labels = 4 * Number(choices.size)
  await page.waitForFunction(([name, labels]) => document.querySelector('#board').classList.contains(name) && document.querySelectorAll('.label').length === labels, [name, labels])
}

async function click(page, {x, y}, size = 9) {
  const box = await page.locator('#board').boundingBox()
  const cell = box.width / (size + 2 * MARGIN)
  await page.mouse.click(box.x + (MARGIN + x + 0.5) * cell, box.y + (MARGIN + y + 0.5) * cell)
}

// Clicks on a point and waits for the stone and for the words.
async function press(page, point, wanted, size = 9) {
  const before = (await stones(page)).length
  await click(page, point, size)
  await page.waitForFunction((before) => document.querySelectorAll('#board > g:nth-of-type(1) > g').length > before, before)
  return status(page, wanted)
}

async function status(page, wanted) {
  await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('#status').textContent), wanted.source)
  return page.textContent('#status')
}

// The same, once it stays so: the page may still show the session before.
async function settled(page, wanted) {
  for (;;) {
    const text = await status(page, wanted)
    await page.waitForTimeout(500)
    if (await page.textContent('#status') === text) return text
  }
}

async function stones(page) {
  return page.$$eval('#board > g:nth-of-type(1) > g > circle:nth-child(2)', (discs) => discs.map((disc) => ({
    x: disc.getAttribute('cx') - 0.5, y: disc.getAttribute('cy') - 0.5, color: disc.getAttribute('fill').slice(5, -1),
  })))
}

// A point in the row of five that is nearest to being black's.
function target(discs, size) {
  const at = new Map(discs.map(({x, y, color}) => [`${x},${y}`, color]))
  let best = null
  for (let x = 0; x < size; x++) for (let y = 0; y < size; y++) for (const [right, down] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const points = [0, 1, 2, 3, 4].map((step) => ({x: x + step * right, y: y + step * down}))
    if (points.some((point) => point.x >= size || point.y >= size || point.y < 0)) continue
    const colors = points.map((point) => at.get(`${point.x},${point.y}`))
    const count = colors.filter((color) => color === 'black').length
    if (!colors.includes('white') && (!best || count > best.count)) best = {count, point: points[colors.indexOf(undefined)]}
  }
  return best.point
}

async function record(page) {
  await page.click('#sgf')
  await page.waitForSelector('#record[open]')
  const text = await page.inputValue('#record textarea')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#record .download')])
  await page.click('#record .cancel')
  return {text, name: download.suggestedFilename()}
}

async function shoot(page, task, name) {
  if (task.shots) await page.screenshot({path: `${task.shots}/${name}.png`})
}

// Each scenario has a browser's memory of its own, so that it gets a session of its own.
async function run(browser, task, scenario) {
  const problems = []
  const context = await browser.newContext({viewport: {width: 1020, height: 700}, hasTouch: true, locale: 'en-US'})
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(30000)
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(task.url)
    return {...await scenarios[scenario](task, page), problems}
  } catch (error) {
    return {problems: [...problems, String(error)]}
  } finally {
    await context.close()
  }
}

const task = JSON.parse(process.argv[2])
const browser = await chromium.launch({executablePath: '/usr/bin/chromium', headless: true, args: QUIET})
try {
  const seen = {}
  for (const scenario of task.scenarios) seen[scenario] = await run(browser, task, scenario)
  process.stdout.write(`${JSON.stringify(seen)}\n`)
} finally {
  await browser.close()
}
