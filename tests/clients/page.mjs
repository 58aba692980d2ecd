// Plays in the page with a real browser, as a person does: by clicks. Prints what it saw as one line of JSON.
// usage: node page.mjs '{"scenarios": [NAME, ...], "url": URL, "shots": FOLDER, ...}'

import {chromium} from 'playwright-core'

import {MARGIN, begin, click, press, status, settled, stones, target, record, shoot} from './hands.mjs'

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
const scenarios = {gomoku, othello, refusals, phone, engineDies, left, keys, switches, byoyomi, limits, shots}

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
  await begin(page, {game: 'gomoku', size: '9', in_a_row: '5', black: 'person', white: 'engine', movetime: '60'})
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

// A game without a mouse, by the same keys as in the window.
async function keys(task, page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await begin(page, {game: 'gomoku', size: '9', in_a_row: '5', black: 'person', white: 'person'})
  const press = (...names) => names.reduce((before, name) => before.then(() => page.keyboard.press(name)), Promise.resolve())
  const seen = {}
  await press('ArrowUp', 'ArrowLeft', 'Enter')
  await status(page, /White to move/)
  await press('ArrowDown', ' ')
  await status(page, /Black to move/)
  seen.stones = await stones(page)
  await press('n')
  seen.numbers = await page.$$eval('.number', (marks) => marks.map((mark) => mark.textContent))
  await press('Backspace')
  await status(page, /White to move/)
  await press('Control+y')
  await status(page, /Black to move/)
  await press('Home')
  await page.waitForFunction(() => !document.querySelector('.number'))
  await press('End')
  await page.waitForFunction(() => document.querySelectorAll('.number').length === 2)
  await press('a')
  await page.waitForSelector('#analyze:checked')
  await press('A')
  await page.waitForSelector('#analyze:not(:checked)')
  await press('Control+c')
  seen.copied = await status(page, /clipboard/)
  const [file] = await Promise.all([page.waitForEvent('download'), press('Control+s')])
  seen.file = file.suggestedFilename()
  await press('F2')
  await page.waitForSelector('#new-game[open]')
  await press('Escape')
  await page.waitForSelector('#new-game:not([open])', {state: 'attached'})
  await begin(page, {game: 'gomoku', size: '8', black: 'person', white: 'person'})
  await press('Control+v')
  await page.waitForFunction(() => document.querySelectorAll('.number').length === 2)
  seen.pasted = (await stones(page)).length
  return seen
}

// What is to be seen can be chosen.
async function switches(task, page) {
  const count = (kind) => page.$$eval(kind, (marks) => marks.length)
  await begin(page, {game: 'othello', size: '8', black: 'person', white: 'person'})
  const legal = [await count('circle.legal')]
  await page.uncheck('#legal')
  legal.push(await count('circle.legal'))
  await page.click('#sgf')
  await page.fill('#record textarea', task.renju)
  await page.click('#record .load')
  await page.waitForSelector('.forbidden')
  const forbidden = [await count('.forbidden')]
  await page.uncheck('#forbidden')
  forbidden.push(await count('.forbidden'))
  return {legal, forbidden}
}

async function byoyomi(task, page) {
  await begin(page, {game: 'gomoku', size: '9', in_a_row: '5', black: 'person', white: 'person', main: '0', overtime: 'byoyomi', period: '1', count: '3'})
  const periods = new Set()
  while (!/wins/.test(await page.textContent('#status'))) {
    const clock = await page.textContent('#card-black .clock')
    if (clock.includes('×')) periods.add(clock.split(' ').at(-1))
    await page.waitForTimeout(50)
  }
  return {periods: [...periods], status: await status(page, /wins on time/)}
}

// A search that has taken all the time it may says so; one that would take more is refused.
async function limits(task, page) {
  await begin(page, {game: 'gomoku', size: '9', in_a_row: '5', black: 'person', white: 'person', movetime: '1'})
  await page.check('#analyze')
  const spent = await status(page, /has had its/)
  const candidates = (await page.$$('#thoughts tbody tr')).length
  await page.click('#new')
  await page.fill('[name=movetime]', '2')
  await page.click('#new-game .start')
  await page.waitForFunction(() => document.querySelector('.problem').textContent)
  return {spent, candidates, refused: await page.textContent('.problem')}
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
    return {problems: [...problems, error.stack]} // with the step that failed
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
